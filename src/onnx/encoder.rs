//! A model with its tokenizer: token ids in, the numbers of one output out.
//!
//! Which inputs a model wants (`token_type_ids` or not, 32 or 64 bits) is read from the model; a model that wants
//! more than tokens is refused when it is loaded. Numbers that are not finite are an error.

use std::num::NonZeroUsize;

use ort::session::{Session, SessionInputValue};
use ort::value::{Tensor, TensorElementType, ValueType};
use tokenizers::Encoding;

use super::{ModelDirectory, OnnxError, Runtime, SessionPool, TextTokenizer};

/// What a model gave for one input.
#[derive(Debug, Clone, PartialEq)]
pub struct Output {
    /// Its shape; the product is `values.len()`.
    pub shape: Vec<usize>,
    /// Its numbers, row by row; all finite.
    pub values: Vec<f32>,
}

/// A loaded model: tokenizer, sessions and the names of what goes in and comes out.
#[derive(Debug)]
pub struct Encoder {
    tokenizer: TextTokenizer,
    pool: SessionPool,
    inputs: Vec<Input>,
    output: String,
    rank: usize,
}

#[derive(Debug, Clone)]
struct Input {
    name: String,
    source: Source,
    wide: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Source {
    Ids,
    Mask,
    Types,
}

impl Encoder {
    /// Loads the model on the runtime with at most `sessions` sessions (as many as cores if `None`). The output is
    /// the first that bears one of `preferred`'s names, else the model's first.
    ///
    /// # Errors
    /// [`OnnxError::Model`] when a file cannot be used, or the model wants inputs that a text does not give.
    pub fn load(
        runtime: &Runtime,
        directory: &ModelDirectory,
        preferred: &[&str],
        sessions: Option<NonZeroUsize>,
    ) -> Result<Self, OnnxError> {
        let tokenizer = TextTokenizer::load(&directory.tokenizer)?;
        let pool = SessionPool::new(runtime, &directory.model, sessions)?;
        let refuse = |reason: String| OnnxError::Model { path: directory.model.clone(), reason };
        let (inputs, (output, rank)) = pool
            .with_session(|session| Ok((inputs_of(session), output_of(session, preferred))))
            .and_then(|(inputs, output)| Ok((inputs.map_err(refuse)?, output.map_err(refuse)?)))?;
        Ok(Self { tokenizer, pool, inputs, output, rank })
    }

    /// The tokenizer.
    pub fn tokenizer(&self) -> &TextTokenizer {
        &self.tokenizer
    }

    /// The sessions.
    pub fn pool(&self) -> &SessionPool {
        &self.pool
    }

    /// The name of the output that is read.
    pub fn output_name(&self) -> &str {
        &self.output
    }

    /// How many axes the output has.
    pub fn output_rank(&self) -> usize {
        self.rank
    }

    /// Runs the model on each encoding alone; outputs in order.
    ///
    /// # Errors
    /// [`OnnxError::Run`] when the runtime fails, [`OnnxError::NotFinite`] when a number is NaN or infinite.
    pub fn run(&self, encodings: &[Encoding]) -> Result<Vec<Output>, OnnxError> {
        self.pool.map(encodings, |session, encoding| self.run_one(session, encoding))
    }

    pub(crate) fn run_one(&self, session: &mut Session, encoding: &Encoding) -> Result<Output, OnnxError> {
        let failed =
            |error: ort::Error| OnnxError::Run { path: self.pool.model().to_owned(), reason: error.to_string() };
        let mut values: Vec<(&str, SessionInputValue<'_>)> = Vec::with_capacity(self.inputs.len());
        for input in &self.inputs {
            let numbers = match input.source {
                Source::Ids => encoding.get_ids(),
                Source::Mask => encoding.get_attention_mask(),
                Source::Types => encoding.get_type_ids(),
            };
            values.push((&input.name, tensor(numbers, input.wide).map_err(failed)?));
        }
        let outputs = session.run(values).map_err(failed)?;
        let Some(value) = outputs.get(self.output.as_str()) else {
            let reason = format!("it gave no output `{}`", self.output);
            return Err(OnnxError::Run { path: self.pool.model().to_owned(), reason });
        };
        let (shape, values) = value.try_extract_tensor::<f32>().map_err(failed)?;
        if !values.iter().all(|x| x.is_finite()) {
            return Err(OnnxError::NotFinite { path: self.pool.model().to_owned() });
        }
        let shape = shape.iter().map(|&length| usize::try_from(length).unwrap_or(0)).collect();
        Ok(Output { shape, values: values.to_vec() })
    }
}

/// A tensor of one row.
fn tensor(numbers: &[u32], wide: bool) -> ort::Result<SessionInputValue<'static>> {
    let shape = [1, numbers.len()];
    Ok(if wide {
        Tensor::from_array((shape, numbers.iter().map(|&n| i64::from(n)).collect::<Vec<_>>()))?.into()
    } else {
        Tensor::from_array((shape, numbers.iter().map(|&n| n as i32).collect::<Vec<_>>()))?.into()
    })
}

fn inputs_of(session: &Session) -> Result<Vec<Input>, String> {
    let inputs = session.inputs().iter().map(|input| {
        let source = match input.name() {
            "input_ids" => Source::Ids,
            "attention_mask" => Source::Mask,
            "token_type_ids" => Source::Types,
            "decoder_input_ids" => {
                return Err(
                    "it is an encoder with a decoder (T5, BART and the like), which is not supported".to_owned()
                );
            }
            other => return Err(format!("it wants an input `{other}`, which a text does not give")),
        };
        let wide = match input.dtype() {
            ValueType::Tensor { ty: TensorElementType::Int64, .. } => true,
            ValueType::Tensor { ty: TensorElementType::Int32, .. } => false,
            other => return Err(format!("its input `{}` is {other}, not whole numbers", input.name())),
        };
        Ok(Input { name: input.name().to_owned(), source, wide })
    });
    let inputs: Vec<Input> = inputs.collect::<Result<_, _>>()?;
    if inputs.iter().any(|input| input.source == Source::Ids) {
        Ok(inputs)
    } else {
        Err("it takes no `input_ids`".to_owned())
    }
}

fn output_of(session: &Session, preferred: &[&str]) -> Result<(String, usize), String> {
    let outputs = session.outputs();
    let named = preferred.iter().find_map(|name| outputs.iter().find(|output| output.name() == *name));
    let output = named.or_else(|| outputs.first()).ok_or("it has no output")?;
    match output.dtype() {
        ValueType::Tensor { ty: TensorElementType::Float32, shape, .. } => Ok((output.name().to_owned(), shape.len())),
        other => Err(format!("its output `{}` is {other}, not 32-bit numbers", output.name())),
    }
}
