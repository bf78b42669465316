//! Templates of a page: rendered by what is known of their name, as rows where they are records, else left out.

use super::parser_functions::parser_function;
use super::records::{is_record_name, looks_like_record, record};
use super::template_rules::{Rule, rule};

/// A part of a template or link, between bars.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) name: Option<String>,
    pub(super) value: String,
}

impl Part {
    /// As it was written.
    pub(super) fn written(self) -> String {
        match self.name {
            Some(name) => format!("{name}={}", self.value),
            None => self.value,
        }
    }
}

/// A template as it is used on a page, its parts rendered.
pub(super) struct Call<'a> {
    /// In lower case, without namespace.
    pub(super) name: String,
    /// As written.
    pub(super) written_name: String,
    pub(super) parts: Vec<Part>,
    /// Whether nothing stands before it on its line.
    pub(super) starts_line: bool,
    /// The page's title.
    pub(super) title: &'a str,
}

impl<'a> Call<'a> {
    /// A call of all its parts, the name first.
    pub(super) fn new(mut parts: Vec<Part>, starts_line: bool, title: &'a str) -> Self {
        let written_name = if parts.is_empty() { String::new() } else { parts.remove(0).written() };
        let mut name = written_name.trim().replace('_', " ").to_lowercase();
        for prefix in
            ["template:", "msg:", "subst:", "safesubst:", "vorlage:", "modèle:", "plantilla:", "predefinição:"]
        {
            if let Some(rest) = name.strip_prefix(prefix) {
                name = rest.trim().to_owned();
            }
        }
        Self { name, written_name, parts, starts_line, title }
    }

    /// The value of a named part, if it says anything.
    pub(super) fn named(&self, name: &str) -> Option<&str> {
        let found =
            self.parts.iter().find(|part| part.name.as_deref().is_some_and(|n| n.eq_ignore_ascii_case(name)))?;
        Some(found.value.trim()).filter(|value| !value.is_empty())
    }

    /// The values without name, in order, white space taken off.
    pub(super) fn positional(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter(|part| part.name.is_none()).map(|part| part.value.trim())
    }

    /// The `number`th value without name, from 1, or the one that is named so.
    pub(super) fn at(&self, number: usize) -> Option<&str> {
        let value = self.positional().nth(number - 1).filter(|value| !value.is_empty());
        value.or_else(|| self.named(&number.to_string()))
    }
}

/// A gap in a sentence: something stands there that is not known.
pub(super) const GAP: &str = "…";

/// What a template shows.
pub(super) fn template(call: &Call<'_>) -> String {
    if let Some(shown) = parser_function(call) {
        return shown;
    }
    match rule(&call.name) {
        Some(Rule::Drop) => String::new(),
        Some(Rule::Text(text)) => text.to_owned(),
        Some(Rule::Show(number)) => call.at(number).unwrap_or_default().to_owned(),
        Some(Rule::Last) => call.positional().filter(|value| !value.is_empty()).last().unwrap_or_default().to_owned(),
        Some(Rule::Around(before, after)) => match call.at(1) {
            Some(value) => format!("{before}{value}{after}"),
            None => String::new(),
        },
        Some(Rule::Join(separator)) => {
            call.positional().filter(|value| !value.is_empty()).collect::<Vec<_>>().join(separator)
        }
        Some(Rule::With(render)) => render(call).unwrap_or_else(|| GAP.to_owned()),
        Some(Rule::Record) => record(call),
        None if is_record_name(&call.name) || looks_like_record(call) => record(call),
        // "{{USA}}" shows a flag and the country's name.
        None if call.parts.is_empty() && is_code(&call.written_name) => call.written_name.trim().to_owned(),
        // A banner, a box for navigation, a note above the text.
        None if call.starts_line => String::new(),
        None if call.positional().any(|value| !value.is_empty()) => GAP.to_owned(),
        None => String::new(),
    }
}

fn is_code(name: &str) -> bool {
    let name = name.trim();
    (2..=3).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_uppercase())
}
