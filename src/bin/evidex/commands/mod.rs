//! One file a command; this one hands over.

pub mod backup;
mod batch;
mod cache;
pub mod check;
mod config;
mod demo;
mod detect;
pub mod doctor;
pub mod eval;
pub mod export;
mod index;
pub mod inspect;
pub mod list;
pub mod maintain;
pub mod models;
mod print;
pub mod remove;
mod search;
pub mod show;
mod stat;
mod verify;
#[cfg(feature = "fetch")]
pub mod wiki;

use evidex::Cancellation;

use crate::args::{Args, Command};
use crate::assets::{AssetContext, PullOptions};
use crate::exit::{Exit, Failure};
use crate::settings::Settings;

/// What every command works with.
pub struct Context {
    /// The settings in force, global flags included.
    pub settings: Settings,
    /// A format of reports that was asked for, where it is neither text nor JSON.
    pub report_format: Option<ReportFormat>,
    /// Turned by Ctrl-C.
    pub cancellation: Cancellation,
}

/// Formats that only reports have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReportFormat {
    /// One line of JSON.
    JsonLine,
    /// A page.
    Html,
    /// JUnit XML.
    Junit,
    /// SARIF 2.1.0.
    Sarif,
    /// Annotations of GitHub Actions.
    Github,
}

impl ReportFormat {
    /// The format of this name; `None` for those that every command has.
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "jsonl" => Self::JsonLine,
            "html" => Self::Html,
            "junit" => Self::Junit,
            "sarif" => Self::Sarif,
            "github" => Self::Github,
            _ => return None,
        })
    }
}

impl Context {
    /// What the commands about models work with.
    pub fn assets(&self) -> AssetContext {
        let offline = self.settings.bool("offline");
        AssetContext {
            store: evidex::onnx::AssetStore::from_environment(),
            pull: PullOptions::from_environment(offline, true),
            json: self.settings.json(),
        }
    }
}

/// Runs the command.
///
/// # Errors
/// Why it could not run.
pub fn run(args: Args) -> Result<Exit, Failure> {
    let mut settings = Settings::load()?;
    let report_format = args.global.format.as_deref().and_then(ReportFormat::named);
    if report_format.is_none() {
        settings.flag("format", "--format", args.global.format.as_deref())?;
    } else if !matches!(args.command, Command::Verify(_) | Command::Batch(_) | Command::Detect(_)) {
        let name = args.global.format.as_deref().unwrap_or_default();
        return Err(Failure::new(
            "usage",
            format!("--format {name} is for reports, which this command does not print"),
        )
        .hint("use --format text or --format json"));
    }
    settings.flag("offline", "--offline", args.global.offline.then_some("true"))?;
    settings.flag("threads", "--threads", args.global.threads.as_deref())?;
    let threads = settings.whole("threads");
    if threads > 0 {
        // Fails only if a pool was set up before, which nothing does.
        let _ = rayon::ThreadPoolBuilder::new().num_threads(threads).build_global();
    }
    let cancellation = Cancellation::new();
    stop_on_ctrl_c(&cancellation);
    let mut context = Context { settings, report_format, cancellation };
    match args.command {
        Command::Index(args) => index::run(&args, &mut context),
        Command::Search(args) => search::run(&args, &context),
        Command::Verify(args) => verify::run(&args, &mut context),
        Command::Detect(args) => detect::run(&args, &mut context),
        Command::Compare(args) => detect::compare(&args, &mut context),
        Command::Cache(args) => cache::run(&args, &context),
        Command::Batch(args) => batch::run(&args, &mut context),
        Command::Stat(args) => stat::run(&args, &context),
        Command::List(args) => list::run(&args, &context),
        Command::Show(args) => show::run(&args, &context),
        Command::Remove(args) => remove::run(&args, &context),
        Command::Export(args) => export::run(&args, &context),
        Command::Check(args) => check::run(&args, &context),
        Command::Inspect(args) => inspect::run(&args, &context),
        Command::Backup(args) => backup::run(&args, &context),
        Command::Compact(args) => maintain::compact(&args, &mut context),
        Command::Upgrade(args) => maintain::upgrade(&args, &context),
        Command::Demo(args) => demo::run(&args, &mut context),
        Command::Models(args) => {
            models::run(&args, &context.assets())?;
            Ok(Exit::Well)
        }
        Command::Doctor(args) => {
            let sound = doctor::run(&args, &context.assets(), &stat::one_line)?;
            Ok(if sound { Exit::Well } else { Exit::Found })
        }
        Command::Eval(args) => eval::run(&args, &mut context),
        Command::Config(args) => config::run(&args, &context),
        Command::Schema { detection } => print::schema(detection),
        Command::Completions { shell } => print::completions(shell),
        Command::Man { command } => print::man(command.as_deref()),
    }
}

/// The first Ctrl-C asks the work to stop at its next safe point; the second ends the process.
fn stop_on_ctrl_c(cancellation: &Cancellation) {
    let switch = cancellation.clone();
    let set = ctrlc::set_handler(move || {
        if switch.is_cancelled() {
            std::process::exit(130);
        }
        switch.cancel();
        crate::printer::note("stopping; press Ctrl-C again to stop at once");
    });
    if let Err(error) = set {
        crate::printer::warning(&format!("Ctrl-C will stop at once: {error}"));
    }
}
