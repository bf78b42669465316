//! `evidex config show`: each setting, its value and where it comes from.

use std::fmt::Write;

use serde_json::json;

use super::Context;
use crate::args::{ConfigArgs, ConfigCommand};
use crate::exit::{Exit, Failure};
use crate::printer;
use crate::settings::{KEYS, project_file, user_file};

/// Runs `evidex config`.
pub fn run(args: &ConfigArgs, context: &Context) -> Result<Exit, Failure> {
    match args.command {
        ConfigCommand::Show => show(context),
    }
}

fn show(context: &Context) -> Result<Exit, Failure> {
    let settings = &context.settings;
    let user = user_file();
    if settings.json() {
        let entries = KEYS
            .iter()
            .map(|key| {
                json!({
                    "name": key.name,
                    "value": settings.text(key.name),
                    "origin": settings.origin(key.name).to_string(),
                    "default": key.default,
                    "values": key.values.to_string(),
                    "about": key.about,
                })
            })
            .collect::<Vec<_>>();
        let page = json!({ "user_file": user, "project_file": project_file(), "settings": entries });
        printer::out(&format!("{page:#}\n"))?;
        return Ok(Exit::Well);
    }
    let mut page = String::new();
    for key in KEYS {
        let value = settings.text(key.name);
        let _ = writeln!(page, "{} = {value}", key.name);
        let _ = writeln!(page, "    {} ({})", key.about, key.values);
        let _ = writeln!(page, "    from: {}", settings.origin(key.name));
    }
    let _ = writeln!(page);
    if let Some(path) = user {
        let state = if path.exists() { "" } else { " (not there)" };
        let _ = writeln!(page, "user settings:    {}{state}", path.display());
    }
    match project_file() {
        Some(path) => writeln!(page, "project settings: {}", path.display()),
        None => writeln!(page, "project settings: no evidex.toml here or in a folder above"),
    }
    .ok();
    printer::out(&page)?;
    Ok(Exit::Well)
}
