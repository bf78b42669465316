//! Models of a few hundred bytes, written by hand for tests, and the real ones where they are installed.
//!
//! A tiny model looks every token up in a table and gives either the rows (an embedder) or their mean (a
//! classifier), so that what it must answer can be worked out on paper.

use std::fs;
use std::path::Path;

use super::{AssetStore, Runtime};

/// The words of the tiny vocabulary: ids 0 to 3 are special.
pub const WORDS: [&str; 8] = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "red", "green", "blue", "sky"];

/// The runtime, or `None` (with a word about it) where it is not installed and need not be.
pub fn runtime() -> Option<Runtime> {
    match AssetStore::from_environment().runtime_path().and_then(|path| Runtime::load(&path)) {
        Ok(runtime) => Some(runtime),
        Err(error) => {
            assert!(std::env::var_os("EVIDEX_REQUIRE_MODELS").is_none_or(|value| value != "1"), "{error}");
            println!("skipped: {error}");
            None
        }
    }
}

/// Writes model, tokenizer and `config.json` into `folder`. Row `i` of `table` belongs to `WORDS[i]`.
pub fn write(folder: &Path, table: &[[f32; 3]; 8], classifier: bool, config: &str) {
    fs::write(folder.join("model.onnx"), model(table, classifier)).expect("writes");
    fs::write(folder.join("tokenizer.json"), tokenizer()).expect("writes");
    fs::write(folder.join("config.json"), config).expect("writes");
}

/// Carries the padding and the cut that real tokenizers carry, and that must not take effect.
fn tokenizer() -> String {
    let vocabulary: Vec<String> = WORDS.iter().enumerate().map(|(id, word)| format!("\"{word}\":{id}")).collect();
    let special = |id: usize| {
        format!(
            r#"{{"id":{id},"content":"{}","special":true,"single_word":false,"lstrip":false,"rstrip":false,"normalized":false}}"#,
            WORDS[id]
        )
    };
    let added: Vec<String> = (0..4).map(special).collect();
    format!(
        r#"{{"version":"1.0",
        "truncation":{{"max_length":6,"strategy":"LongestFirst","stride":0,"direction":"Right"}},
        "padding":{{"strategy":{{"Fixed":6}},"direction":"Right","pad_to_multiple_of":null,"pad_id":0,"pad_type_id":0,"pad_token":"[PAD]"}},
        "added_tokens":[{}],"normalizer":{{"type":"Lowercase"}},"pre_tokenizer":{{"type":"Whitespace"}},
        "post_processor":{{"type":"TemplateProcessing",
          "single":[{{"SpecialToken":{{"id":"[CLS]","type_id":0}}}},{{"Sequence":{{"id":"A","type_id":0}}}},{{"SpecialToken":{{"id":"[SEP]","type_id":0}}}}],
          "pair":[{{"SpecialToken":{{"id":"[CLS]","type_id":0}}}},{{"Sequence":{{"id":"A","type_id":0}}}},{{"SpecialToken":{{"id":"[SEP]","type_id":0}}}},{{"Sequence":{{"id":"B","type_id":1}}}},{{"SpecialToken":{{"id":"[SEP]","type_id":1}}}}],
          "special_tokens":{{"[CLS]":{{"id":"[CLS]","ids":[2],"tokens":["[CLS]"]}},"[SEP]":{{"id":"[SEP]","ids":[3],"tokens":["[SEP]"]}}}}}},
        "decoder":null,"model":{{"type":"WordLevel","vocab":{{{}}},"unk_token":"[UNK]"}}}}"#,
        added.join(","),
        vocabulary.join(",")
    )
}

/// The ONNX file: `Gather(table, input_ids)`, then `ReduceMean` over the tokens for a classifier.
fn model(table: &[[f32; 3]; 8], classifier: bool) -> Vec<u8> {
    let raw: Vec<u8> = table.iter().flatten().flat_map(|x| x.to_le_bytes()).collect();
    let tensor = [number(1, 8), number(1, 3), number(2, 1), bytes(8, b"table"), bytes(9, &raw)].concat();
    let output = if classifier { "logits" } else { "last_hidden_state" };
    let rows = if classifier { "rows" } else { output };
    let gather = [bytes(1, b"table"), bytes(1, b"input_ids"), bytes(2, rows.as_bytes()), bytes(4, b"Gather")].concat();
    let axes = [bytes(1, b"axes"), number(8, 1), number(20, 7)].concat();
    let keep = [bytes(1, b"keepdims"), number(3, 0), number(20, 2)].concat();
    let mean =
        [bytes(1, b"rows"), bytes(2, b"logits"), bytes(4, b"ReduceMean"), bytes(5, &axes), bytes(5, &keep)].concat();
    let mut graph = bytes(1, &gather);
    if classifier {
        graph.extend(bytes(1, &mean));
    }
    graph.extend([bytes(2, b"tiny"), bytes(5, &tensor)].concat());
    for name in ["input_ids", "attention_mask"] {
        graph.extend(bytes(11, &value(name, 7, &[Some("batch"), Some("sequence")])));
    }
    let axes: &[Option<&str>] =
        if classifier { &[Some("batch"), None] } else { &[Some("batch"), Some("sequence"), None] };
    graph.extend(bytes(12, &value(output, 1, axes)));
    [number(1, 7), bytes(7, &graph), bytes(8, &number(2, 13))].concat()
}

/// A `ValueInfoProto`: named axes are free, the others have length 3.
fn value(name: &str, element: u64, axes: &[Option<&str>]) -> Vec<u8> {
    let dimensions: Vec<u8> = axes
        .iter()
        .flat_map(|axis| bytes(1, &axis.map_or_else(|| number(1, 3), |name| bytes(2, name.as_bytes()))))
        .collect();
    let tensor = [number(1, element), bytes(2, &dimensions)].concat();
    [bytes(1, name.as_bytes()), bytes(2, &bytes(1, &tensor))].concat()
}

/// A protobuf field of a whole number.
fn number(field: u64, value: u64) -> Vec<u8> {
    [varint(field << 3), varint(value)].concat()
}

/// A protobuf field of bytes.
fn bytes(field: u64, content: &[u8]) -> Vec<u8> {
    [varint(field << 3 | 2), varint(content.len() as u64), content.to_vec()].concat()
}

fn varint(mut value: u64) -> Vec<u8> {
    let mut out = Vec::new();
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
    out
}
