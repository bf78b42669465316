//! Settings: built-in < user file < project file < environment < flag. Each value remembers where it came from.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use crate::exit::Failure;

/// Where a value came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// Built in.
    Default,
    /// The user's or the project's settings file.
    File(PathBuf),
    /// An environment variable.
    Environment(String),
    /// A flag of this command.
    Flag(&'static str),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("built in"),
            Self::File(path) => write!(f, "{}", path.display()),
            Self::Environment(name) => write!(f, "environment variable {name}"),
            Self::Flag(name) => write!(f, "flag {name}"),
        }
    }
}

/// A setting: its name in files (a dot stands for a table; in the environment `EVIDEX_`, upper case and `_` for dots), its
/// built-in value, what it may be.
pub struct Key {
    /// Name in settings files.
    pub name: &'static str,
    /// Built-in value; empty for none.
    pub default: &'static str,
    /// What it may be.
    pub values: Values,
    /// What it does.
    pub about: &'static str,
}

/// What a setting may be.
pub enum Values {
    /// Any text.
    Any,
    /// Any text, or none.
    Optional,
    /// A number above 0 and at most this.
    Decimal(f64),
    /// One of these.
    OneOf(&'static [&'static str]),
    /// A whole number from … to ….
    Whole(u64, u64),
    /// `true` or `false`.
    Bool,
    /// A size: a whole number with an optional KB, MB or GB.
    Size,
}

/// Every setting.
pub const KEYS: &[Key] = &[
    Key {
        name: "embedder",
        default: "all-MiniLM-L6-v2",
        values: Values::Any,
        about: "embedder of new indexes: a model name, `static`, `hashed`, `none`, or dir:PATH",
    },
    Key { name: "format", default: "text", values: Values::OneOf(&["text", "json"]), about: "how results are printed" },
    Key {
        name: "nli",
        default: "small",
        values: Values::Any,
        about: "model that reads claims against evidence: small, base, large, multilingual, hf:org/name@revision, dir:PATH, none",
    },
    Key { name: "offline", default: "false", values: Values::Bool, about: "never reach the network" },
    Key {
        name: "passages",
        default: "16",
        values: Values::Whole(1, 1000),
        about: "passages looked at for each claim and source",
    },
    Key {
        name: "numbers",
        default: "any",
        values: Values::OneOf(&["any", "comma-groups", "point-groups"]),
        about: "how 1.234 and 1,234 are read where both readings are possible",
    },
    Key {
        name: "dates",
        default: "unknown",
        values: Values::OneOf(&["unknown", "day-first", "month-first"]),
        about: "how 5/6/24 is read",
    },
    Key {
        name: "model",
        default: "",
        values: Values::Optional,
        about: "language model of `detect`: openai:NAME, anthropic:NAME, ollama:NAME, or any name with base_url",
    },
    Key { name: "base_url", default: "", values: Values::Optional, about: "an OpenAI-compatible endpoint of your own" },
    Key {
        name: "memory",
        default: "256MB",
        values: Values::Size,
        about: "memory that indexing may use for documents waiting to be written",
    },
    Key {
        name: "threads",
        default: "0",
        values: Values::Whole(0, 1024),
        about: "threads to work on; 0 means as many as there are cores",
    },
    Key {
        name: "wikipedia.contact",
        default: "",
        values: Values::Optional,
        about: "who asks, for the operators of Wikipedia: your mail address or a page about you; required by them",
    },
    Key {
        name: "wikipedia.lang",
        default: "auto",
        values: Values::Any,
        about: "language edition, such as en or de; `auto` takes the text's language",
    },
    Key {
        name: "wikipedia.text",
        default: "parse",
        values: Values::OneOf(&["parse", "extracts"]),
        about: "how pages are read: rendered, with tables and information boxes, or as the plain text of TextExtracts",
    },
    Key {
        name: "wikipedia.rate",
        default: "1",
        values: Values::Decimal(1000.0),
        about: "requests a second, on average",
    },
    Key { name: "wikipedia.burst", default: "3", values: Values::Whole(1, 100), about: "requests in a row" },
    Key {
        name: "wikipedia.concurrency",
        default: "1",
        values: Values::Whole(1, 3),
        about: "requests at the same time",
    },
    Key {
        name: "wikipedia.requests",
        default: "60",
        values: Values::Whole(1, 10_000),
        about: "most requests for one text, repeated ones included",
    },
    Key { name: "wikipedia.retries", default: "3", values: Values::Whole(0, 20), about: "repetitions of a request" },
    Key {
        name: "wikipedia.backoff_ms",
        default: "1000",
        values: Values::Whole(1, 60_000),
        about: "milliseconds before the first repetition; each further one waits twice as long",
    },
    Key {
        name: "wikipedia.longest_wait",
        default: "60",
        values: Values::Whole(1, 3600),
        about: "seconds of the longest wait that a wiki may ask for",
    },
    Key { name: "wikipedia.timeout", default: "20", values: Values::Whole(1, 600), about: "seconds for one request" },
    Key {
        name: "wikipedia.ttl",
        default: "86400",
        values: Values::Whole(0, 315_360_000),
        about: "seconds for which pages and searches are taken from the cache without asking whether they changed",
    },
    Key {
        name: "wikipedia.cache",
        default: "",
        values: Values::Optional,
        about: "folder of the cache; none stands for `wikis` in EVIDEX_HOME or in the user's cache folder",
    },
    Key {
        name: "wikipedia.cache_size",
        default: "256MB",
        values: Values::Size,
        about: "most bytes that the cache keeps",
    },
    Key {
        name: "proxy",
        default: "",
        values: Values::Optional,
        about: "address of a proxy for wikis; none takes what the environment says",
    },
];

/// The settings in force.
#[derive(Debug)]
pub struct Settings {
    values: BTreeMap<&'static str, (String, Origin)>,
}

impl Settings {
    /// Reads the user's file, the project's file (`evidex.toml` here or in a folder above) and the environment.
    ///
    /// # Errors
    /// A file that cannot be read or is not TOML, an unknown setting, a value that it may not have.
    pub fn load() -> Result<Self, Failure> {
        let mut settings =
            Self { values: KEYS.iter().map(|key| (key.name, (key.default.to_owned(), Origin::Default))).collect() };
        for path in user_file().into_iter().chain(project_file()) {
            settings.read_file(&path)?;
        }
        for key in KEYS {
            let name = format!("EVIDEX_{}", key.name.to_uppercase().replace('.', "_"));
            match std::env::var(&name) {
                Ok(value) => settings.set(key.name, &value, Origin::Environment(name))?,
                Err(std::env::VarError::NotPresent) => {}
                Err(std::env::VarError::NotUnicode(_)) => {
                    return Err(Failure::new("settings", format!("environment variable {name} is not valid UTF-8")));
                }
            }
        }
        Ok(settings)
    }

    fn read_file(&mut self, path: &Path) -> Result<(), Failure> {
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
            Err(error) => {
                return Err(Failure::new("settings", format!("cannot read settings file {}: {error}", path.display())));
            }
        };
        let table: toml::Table = text.parse().map_err(|error: toml::de::Error| {
            Failure::new("settings", format!("settings file {} is not valid TOML: {}", path.display(), error.message()))
        })?;
        // `[wikipedia]` with `contact` in it is `wikipedia.contact`.
        let mut entries: Vec<(String, toml::Value)> = Vec::new();
        for (name, value) in table {
            match value {
                toml::Value::Table(inner) if KEYS.iter().any(|key| key.name.starts_with(&format!("{name}."))) => {
                    entries.extend(inner.into_iter().map(|(inner, value)| (format!("{name}.{inner}"), value)));
                }
                value => entries.push((name, value)),
            }
        }
        for (name, value) in entries {
            let value = match value {
                toml::Value::String(value) => value,
                toml::Value::Integer(value) => value.to_string(),
                toml::Value::Boolean(value) => value.to_string(),
                toml::Value::Float(value) => value.to_string(),
                other => {
                    let kind = other.type_str();
                    let message = format!("setting `{name}` in {} is a {kind}, not a text or number", path.display());
                    return Err(Failure::new("settings", message));
                }
            };
            self.set(&name, &value, Origin::File(path.to_owned()))?;
        }
        Ok(())
    }

    /// Sets a value, which outranks the one that was there.
    ///
    /// # Errors
    /// An unknown setting, or a value that it may not have.
    pub fn set(&mut self, name: &str, value: &str, origin: Origin) -> Result<(), Failure> {
        let Some(key) = KEYS.iter().find(|key| key.name == name) else {
            let known = KEYS.iter().map(|key| key.name).collect::<Vec<_>>().join(", ");
            return Err(Failure::new("settings", format!("unknown setting `{name}` in {origin}"))
                .hint(format!("the settings are: {known}")));
        };
        if let Err(expected) = key.values.check(value) {
            return Err(Failure::new("settings", format!("{origin} sets `{name}` to `{value}`, not {expected}")));
        }
        self.values.insert(key.name, (value.to_owned(), origin));
        Ok(())
    }

    /// Sets a value from a flag, if the flag was given.
    ///
    /// # Errors
    /// As for [`Settings::set`].
    pub fn flag(&mut self, name: &str, flag: &'static str, value: Option<&str>) -> Result<(), Failure> {
        value.map_or(Ok(()), |value| self.set(name, value, Origin::Flag(flag)))
    }

    /// The value of a setting, as text.
    pub fn text(&self, name: &str) -> &str {
        self.values.get(name).map_or("", |(value, _)| value)
    }

    /// Where the value of a setting came from.
    pub fn origin(&self, name: &str) -> &Origin {
        self.values.get(name).map_or(&Origin::Default, |(_, origin)| origin)
    }

    /// The value of a setting that is `true` or `false`.
    pub fn bool(&self, name: &str) -> bool {
        self.text(name) == "true"
    }

    /// The value of a setting that is a whole number.
    pub fn whole(&self, name: &str) -> usize {
        self.text(name).parse().unwrap_or(0)
    }

    /// The value of a setting that is a number.
    pub fn decimal(&self, name: &str) -> f64 {
        self.text(name).parse().unwrap_or(0.0)
    }

    /// The value of a setting that may be none.
    pub fn optional(&self, name: &str) -> Option<&str> {
        Some(self.text(name)).filter(|value| !value.trim().is_empty())
    }

    /// The value of a setting that is a size, in bytes.
    pub fn size(&self, name: &str) -> usize {
        parse_size(self.text(name)).unwrap_or(0)
    }

    /// Whether results are printed as JSON.
    pub fn json(&self) -> bool {
        self.text("format") == "json"
    }
}

impl Values {
    fn check(&self, value: &str) -> Result<(), String> {
        let good = match self {
            Self::Any => !value.trim().is_empty(),
            Self::Optional => true,
            Self::Decimal(high) => value.parse::<f64>().is_ok_and(|number| number > 0.0 && number <= *high),
            Self::OneOf(names) => names.contains(&value),
            Self::Whole(low, high) => value.parse::<u64>().is_ok_and(|number| (low..=high).contains(&&number)),
            Self::Bool => matches!(value, "true" | "false"),
            Self::Size => parse_size(value).is_some_and(|bytes| bytes >= 1 << 20),
        };
        if good { Ok(()) } else { Err(self.to_string()) }
    }
}

impl fmt::Display for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => f.write_str("a text"),
            Self::Optional => f.write_str("a text, or none"),
            Self::Decimal(high) => write!(f, "a number above 0, at most {high}"),
            Self::OneOf(names) => f.write_str(&names.join(" | ")),
            Self::Whole(low, high) => write!(f, "a whole number from {low} to {high}"),
            Self::Bool => f.write_str("true | false"),
            Self::Size => f.write_str("a size of at least 1 MB, such as 256MB or 2GB"),
        }
    }
}

fn parse_size(text: &str) -> Option<usize> {
    let text = text.trim();
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == ' ');
    let factor = match text[digits.len()..].trim().to_ascii_uppercase().as_str() {
        "" | "B" => 1,
        "K" | "KB" | "KIB" => 1 << 10,
        "M" | "MB" | "MIB" => 1 << 20,
        "G" | "GB" | "GIB" => 1 << 30,
        _ => return None,
    };
    digits.parse::<usize>().ok()?.checked_mul(factor)
}

/// The user's settings file.
pub fn user_file() -> Option<PathBuf> {
    use etcetera::BaseStrategy;
    Some(etcetera::choose_base_strategy().ok()?.config_dir().join("evidex").join("config.toml"))
}

/// The nearest `evidex.toml`, here or in a folder above.
pub fn project_file() -> Option<PathBuf> {
    let here = std::env::current_dir().ok()?;
    here.ancestors().map(|folder| folder.join("evidex.toml")).find(|path| path.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_with_and_without_units() {
        assert_eq!(parse_size("256MB"), Some(256 << 20));
        assert_eq!(parse_size("2 gb"), Some(2 << 30));
        assert_eq!(parse_size("4096"), Some(4096));
        assert_eq!(parse_size("12 parsecs"), None);
        assert_eq!(parse_size("99999999999999999999GB"), None);
    }

    #[test]
    fn built_in_values_are_values_that_the_settings_may_have() {
        for key in KEYS {
            assert_eq!(key.values.check(key.default), Ok(()), "{}", key.name);
        }
    }

    #[test]
    fn a_later_origin_outranks_an_earlier_one_and_a_bad_value_changes_nothing() {
        let mut settings = Settings { values: BTreeMap::new() };
        settings.set("passages", "4", Origin::File("a".into())).unwrap();
        settings.set("passages", "5", Origin::Flag("--passages")).unwrap();
        assert!(settings.set("passages", "none", Origin::Flag("--passages")).is_err());
        assert_eq!(settings.whole("passages"), 5);
        assert_eq!(settings.origin("passages"), &Origin::Flag("--passages"));
    }
}
