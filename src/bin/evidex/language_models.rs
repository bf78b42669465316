//! From flags, settings and the environment to language models. The only place that reads their variables.
//!
//! chaincheck's variables are read where they make sense, so that a machine set up for it works here too.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::Args as ClapArgs;
use evidex::judge::{
    ApiKey, BaseUrls, CACHE_TIME, Cascade, DetectOptions, LanguageModel, Limits, Method, ModelAddress, Models, Price,
    PriceTable, ReplyCache, Scoring, Session, SessionOptions, TapeMode, Weights,
};

use evidex::verify::RiskBounds;

use crate::commands::Context;
use crate::exit::Failure;

/// Which model is asked, how, and what it may cost.
#[derive(Debug, Clone, ClapArgs)]
#[command(next_help_heading = "Language models")]
pub struct ModelArgs {
    /// Methods, separated by commas: nli, judge, qa, consistency, logprobs, all; decompose lets the model split the text
    /// [default: nli, and judge if a model is configured]
    #[arg(long, short, value_name = "METHODS", value_delimiter = ',')]
    pub methods: Vec<String>,
    /// Language model: openai:NAME, anthropic:NAME, ollama:NAME, or any name with --base-url
    #[arg(long, value_name = "NAME")]
    pub model: Option<String>,
    /// An OpenAI-compatible endpoint of your own, such as http://127.0.0.1:8081/v1
    #[arg(long, value_name = "URL")]
    pub base_url: Option<String>,
    /// File whose first line is the key [default: from OPENAI_API_KEY, ANTHROPIC_API_KEY or EVIDEX_API_KEY]
    #[arg(long, value_name = "FILE")]
    pub key_file: Option<PathBuf>,
    /// Ask models only about claims that the checks leave open
    #[arg(long)]
    pub cascade: bool,
    /// Risks between which a claim is open
    #[arg(long, value_name = "LOW,HIGH", default_value = "0.2,0.8", value_parser = band)]
    pub cascade_band: Cascade,
    /// How risks are reckoned and weighted
    #[arg(long, value_name = "HOW", default_value = "evidex", value_parser = ["evidex", "chaincheck"])]
    pub scoring: String,
    /// Temperature, but for the samples of consistency, which are drawn at 0.7
    #[arg(long, value_name = "T", default_value_t = 0.0)]
    pub temperature: f64,
    /// Samples for consistency [default: 5]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=50))]
    pub samples: Option<u32>,
    /// Longest sample of consistency, and longest answer that logprobs writes anew, in tokens
    #[arg(long, value_name = "N", default_value_t = 512, value_parser = clap::value_parser!(u32).range(1..=32_768))]
    pub answer_tokens: u32,
    /// Seconds to wait for a reply, each try for itself
    #[arg(long, value_name = "SECONDS", default_value_t = 120, value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub timeout: u64,
    /// Requests that run at once [default: 8]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64))]
    pub concurrency: Option<u32>,
    /// Most requests
    #[arg(long, value_name = "N")]
    pub max_requests: Option<u64>,
    /// Most tokens, read and written
    #[arg(long, value_name = "N")]
    pub max_tokens: Option<u64>,
    /// Most money, in the unit of --prices
    #[arg(long, value_name = "AMOUNT", requires = "prices")]
    pub max_cost: Option<f64>,
    /// TOML file of prices for a million tokens: ["NAME"] input = 0.15, output = 0.60
    #[arg(long, value_name = "FILE")]
    pub prices: Option<PathBuf>,
    /// Record every call into this new folder
    #[arg(long, value_name = "DIR", conflicts_with = "replay")]
    pub record: Option<PathBuf>,
    /// Take every reply from this recording; no network, no key
    #[arg(long, value_name = "DIR")]
    pub replay: Option<PathBuf>,
    /// Ask anew, and keep no reply
    #[arg(long)]
    pub no_cache: bool,
    /// Hours that a reply is kept [default: 24]
    #[arg(long, value_name = "HOURS", value_parser = clap::value_parser!(u32).range(1..=8760))]
    pub cache_hours: Option<u32>,
}

/// What a detector is made of.
pub struct Wanted {
    /// How it works.
    pub options: DetectOptions,
    /// Its models.
    pub models: Models,
    /// Their session.
    pub session: Session,
}

fn band(text: &str) -> Result<Cascade, String> {
    let (low, high) = text.split_once(',').ok_or("give two numbers, such as 0.2,0.8")?;
    let number = |part: &str| part.trim().parse::<f64>().map_err(|_| format!("`{}` is no number", part.trim()));
    Ok(Cascade { low: number(low)?, high: number(high)? })
}

/// The value of a variable; empty is as good as not set.
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.trim().is_empty())
}

/// The number in a variable.
fn number<T: FromStr>(name: &str) -> Result<Option<T>, Failure> {
    variable(name)
        .map(|value| {
            value.trim().parse().map_err(|_| {
                Failure::new("settings", format!("environment variable {name} is `{value}`, which is no number"))
            })
        })
        .transpose()
}

/// Reads flags, settings and variables. `has_sources` decides with the models which methods run when none is named.
///
/// # Errors
/// When a name, a number, a file or a key cannot be used.
pub fn wanted(args: &ModelArgs, has_sources: bool, context: &Context) -> Result<Wanted, Failure> {
    let session = session(args, context)?;
    let bases = base_urls(args, context);
    let main = main_model(args, &bases, context);
    let (methods, decompose) = methods(args, has_sources, main.is_some())?;
    let mut options = DetectOptions::default();
    options.scoring = if args.scoring == "chaincheck" { Scoring::Chaincheck } else { Scoring::Evidex };
    options.weights = weights(options.scoring)?;
    if options.scoring == Scoring::Chaincheck {
        options.risk_bounds = RiskBounds::default();
    }
    options.cascade = args.cascade.then_some(args.cascade_band);
    options.verify = crate::engine::verify_settings(&context.settings);
    if let Some(samples) = args.samples.map_or_else(|| number("CONSISTENCY_SAMPLES"), |n| Ok(Some(n)))? {
        options.samples = samples as usize;
    }
    if let Some(threshold) = number("CONSISTENCY_THRESHOLD")? {
        options.consistency_threshold = threshold;
    }
    if let Some(threshold) = number("NLI_THRESHOLD")? {
        options.nli_threshold = threshold;
    }
    if let Some(threshold) = number("LOGPROB_THRESHOLD")? {
        options.logprob_threshold = threshold;
    }
    if let Some(bound) = number("RISK_LOW_THRESHOLD")? {
        options.risk_bounds.medium_from = bound;
    }
    if let Some(bound) = number("RISK_HIGH_THRESHOLD")? {
        options.risk_bounds.high_from = bound;
    }
    let open = |name: &str| open_model(name, main.as_deref(), &bases, args, &session, context);
    // A flag names the model of every method; a variable that of one.
    let model = |variable_name: &str, wanted: bool| -> Result<Option<LanguageModel>, Failure> {
        if !wanted {
            return Ok(None);
        }
        let own = if args.model.is_some() { None } else { variable(variable_name) };
        match own.or_else(|| main.clone()) {
            Some(name) => open(&name).map(Some),
            None => Err(no_model()),
        }
    };
    let wants = |method| methods.contains(&method);
    let models = Models {
        decompose: model("DECOMPOSE_MODEL", decompose)?,
        judge: model("JUDGE_MODEL", wants(Method::Judge))?,
        qa: model("QA_MODEL", wants(Method::Qa))?,
        consistency: model("CONSISTENCY_MODEL", wants(Method::Consistency))?,
        logprobs: model("LOGPROB_MODEL", wants(Method::Logprobs))?,
    };
    options.answer_tokens = args.answer_tokens;
    options.methods = methods;
    Ok(Wanted { options, models, session })
}

fn no_model() -> Failure {
    Failure::new("judge_no_model", "a method that needs a language model is named, and no model is configured")
        .hint("name one with --model (and --base-url for a server of your own), or use -m nli")
}

fn methods(args: &ModelArgs, has_sources: bool, has_model: bool) -> Result<(Vec<Method>, bool), Failure> {
    if args.methods.is_empty() {
        return match (has_sources, has_model) {
            (_, true) => Ok((vec![Method::Nli, Method::Judge], false)),
            (true, false) => Ok((vec![Method::Nli], false)),
            (false, false) => Err(Failure::new("no_evidence", "neither evidence nor a language model is given")
                .hint("give --context, --context-file or --index, or name a model with --model")),
        };
    }
    let mut methods = Vec::new();
    let mut decompose = false;
    for name in &args.methods {
        match name.trim() {
            "all" => methods.extend(Method::ALL),
            "decompose" => decompose = true,
            name => methods.push(name.parse::<Method>()?),
        }
    }
    if methods.is_empty() {
        methods.push(Method::Nli);
    }
    Ok((methods, decompose))
}

fn weights(scoring: Scoring) -> Result<Weights, Failure> {
    let mut weights = if scoring == Scoring::Chaincheck { Weights::chaincheck() } else { Weights::default() };
    for (name, method) in [
        ("NLI_WEIGHT", Method::Nli),
        ("JUDGE_WEIGHT", Method::Judge),
        ("QA_WEIGHT", Method::Qa),
        ("CONSISTENCY_WEIGHT", Method::Consistency),
        ("LOGPROB_WEIGHT", Method::Logprobs),
    ] {
        if let Some(weight) = number::<f64>(name)? {
            weights.set(method, weight);
        }
    }
    Ok(weights)
}

fn base_urls(args: &ModelArgs, context: &Context) -> BaseUrls {
    let mut bases = BaseUrls::default();
    for (name, base) in [
        ("OPENAI_BASE_URL", &mut bases.openai),
        ("ANTHROPIC_BASE_URL", &mut bases.anthropic),
        ("OLLAMA_BASE_URL", &mut bases.ollama),
    ] {
        if let Some(value) = variable(name) {
            *base = value;
        }
    }
    let setting = Some(context.settings.text("base_url")).filter(|url| !url.is_empty());
    bases.own = args.base_url.clone().or_else(|| setting.map(str::to_owned));
    bases
}

/// The model for everything that no variable names one for.
fn main_model(args: &ModelArgs, bases: &BaseUrls, context: &Context) -> Option<String> {
    let setting = Some(context.settings.text("model")).filter(|name| !name.is_empty()).map(str::to_owned);
    args.model.clone().or(setting).or_else(|| variable("JUDGE_MODEL")).or_else(|| {
        if bases.own.is_some() {
            // Servers with one model take any name.
            Some("default".to_owned())
        } else if variable("OPENAI_API_KEY").is_some() {
            Some("gpt-4o-mini".to_owned())
        } else {
            variable("ANTHROPIC_API_KEY").map(|_| "claude-haiku-4-5-20251001".to_owned())
        }
    })
}

fn open_model(
    name: &str,
    main: Option<&str>,
    bases: &BaseUrls,
    args: &ModelArgs,
    session: &Session,
    context: &Context,
) -> Result<LanguageModel, Failure> {
    let address = ModelAddress::parse(name, bases)?;
    if context.settings.bool("offline") && !session.is_replaying() && !address.is_local() {
        return Err(Failure::new(
            "offline",
            format!("model `{}` needs the network, which --offline forbids", address.name()),
        )
        .hint("use a server on this machine, --replay a recording, or leave the models out with -m nli"));
    }
    let main_provider = main.and_then(|main| ModelAddress::parse(main, bases).ok()).map(|address| address.provider);
    let key = match &args.key_file {
        // One key is that of one provider.
        Some(path) if main_provider.as_ref() == Some(&address.provider) => Some(ApiKey::from_file(path)?),
        _ => {
            let variable_name = match address.provider.as_str() {
                "openai" => "OPENAI_API_KEY",
                "anthropic" => "ANTHROPIC_API_KEY",
                _ => "EVIDEX_API_KEY",
            };
            match variable(variable_name) {
                Some(value) => Some(ApiKey::new(&value).ok_or_else(|| {
                    Failure::new("judge_key", format!("environment variable {variable_name} holds no key"))
                })?),
                None => None,
            }
        }
    };
    Ok(LanguageModel::new(address, key, session)?.with_temperature(args.temperature))
}

fn session(args: &ModelArgs, context: &Context) -> Result<Session, Failure> {
    let mut options = SessionOptions {
        timeout: Duration::from_secs(args.timeout),
        limits: Limits { max_requests: args.max_requests, max_tokens: args.max_tokens, max_cost: args.max_cost },
        cancellation: context.cancellation.clone(),
        ..SessionOptions::default()
    };
    if let Some(path) = &args.prices {
        options.prices = prices(path)?;
    }
    if let Some(at_once) = args.concurrency.map_or_else(|| number("QA_CONCURRENCY"), |n| Ok(Some(n)))? {
        options.at_once = at_once as usize;
    }
    options.tape = match (&args.record, &args.replay) {
        (Some(folder), _) => TapeMode::Record(folder.clone()),
        (_, Some(folder)) => TapeMode::Replay(folder.clone()),
        _ => TapeMode::Off,
    };
    if !args.no_cache && args.replay.is_none() {
        let keep = args.cache_hours.map_or(CACHE_TIME, |hours| Duration::from_secs(u64::from(hours) * 3600));
        options.cache = cache_folder().map(|folder| ReplyCache::new(folder, keep));
    }
    Ok(Session::new(options)?)
}

/// Where replies are kept.
pub fn cache_folder() -> Option<PathBuf> {
    use etcetera::BaseStrategy;
    if let Some(folder) = variable("CACHE_PATH") {
        return Some(folder.into());
    }
    Some(etcetera::choose_base_strategy().ok()?.cache_dir().join("evidex").join("replies"))
}

fn prices(path: &std::path::Path) -> Result<PriceTable, Failure> {
    let failed = |reason: String| {
        Failure::new("prices", format!("price table {}: {reason}", path.display()))
            .hint("write for each model: [\"NAME\"], input = PRICE, output = PRICE, for a million tokens")
    };
    let text = std::fs::read_to_string(path).map_err(|error| failed(error.to_string()))?;
    let table: toml::Table = text.parse().map_err(|error: toml::de::Error| failed(error.message().to_owned()))?;
    let mut prices = PriceTable::default();
    for (model, entry) in table {
        let price = |name: &str| {
            let value = entry.get(name)?;
            value.as_float().or_else(|| value.as_integer().map(|whole| whole as f64)).filter(|price| *price >= 0.0)
        };
        let (Some(input), Some(output)) = (price("input"), price("output")) else {
            return Err(failed(format!("`{model}` has no input and output price")));
        };
        prices.0.insert(model, Price { input, output });
    }
    Ok(prices)
}
