//! One file a command; this one hands over.

mod cache;
mod config;
mod demo;
pub mod doctor;
mod index;
pub mod models;
mod print;
mod search;
mod stat;
mod verify;
#[cfg(feature = "fetch")]
mod wiki;

use evidex::Cancellation;

use crate::args::{Args, Command};
use crate::assets::{AssetContext, PullOptions};
use crate::exit::{Exit, Failure};
use crate::settings::Settings;

/// What every command works with.
pub struct Context {
    /// The settings in force, global flags included.
    pub settings: Settings,
    /// Turned by Ctrl-C.
    pub cancellation: Cancellation,
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
    settings.flag("format", "--format", args.global.format.as_deref())?;
    settings.flag("offline", "--offline", args.global.offline.then_some("true"))?;
    settings.flag("threads", "--threads", args.global.threads.as_deref())?;
    let threads = settings.whole("threads");
    if threads > 0 {
        // Fails only if a pool was set up before, which nothing does.
        let _ = rayon::ThreadPoolBuilder::new().num_threads(threads).build_global();
    }
    let cancellation = Cancellation::new();
    stop_on_ctrl_c(&cancellation);
    let mut context = Context { settings, cancellation };
    match args.command {
        Command::Index(args) => index::run(&args, &mut context),
        Command::Search(args) => search::run(&args, &context),
        Command::Verify(args) => verify::run(&args, &mut context),
        Command::Stat(args) => stat::run(&args, &context),
        Command::Cache(args) => cache::run(&args, &context),
        Command::Demo(args) => demo::run(&args, &mut context),
        Command::Models(args) => {
            models::run(&args, &context.assets())?;
            Ok(Exit::Well)
        }
        Command::Doctor(args) => {
            let sound = doctor::run(&args, &context.assets(), &stat::one_line)?;
            Ok(if sound { Exit::Well } else { Exit::Found })
        }
        Command::Config(args) => config::run(&args, &context),
        Command::Schema => print::schema(),
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
