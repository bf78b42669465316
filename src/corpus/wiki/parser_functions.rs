//! MediaWiki's own functions and variables, as far as a page outside its wiki can tell.

use super::template_values::grouped;
use super::templates::{Call, GAP, Part};

/// What a parser function or a variable shows; `None` where the call is of a template.
pub(super) fn parser_function(call: &Call<'_>) -> Option<String> {
    let name = call.name.as_str();
    match name {
        "pagename" | "fullpagename" | "basepagename" | "subpagename" | "title" | "article" => {
            return Some(call.title.to_owned());
        }
        "currentyear" | "currentmonth" | "currentmonthname" | "currentday" | "currenttime" | "localyear"
        | "currentdow" | "numberofarticles" | "sitename" | "revisionid" => return Some(GAP.to_owned()),
        _ => {}
    }
    let (function, _) = name.split_once(':')?;
    let argument = call.written_name.split_once(':').map_or("", |(_, argument)| argument).trim();
    let part =
        |number: usize| call.parts.get(number).map(|part| part.clone().written().trim().to_owned()).unwrap_or_default();
    Some(match function.trim() {
        "#if" => part(usize::from(argument.is_empty())),
        "#ifeq" => part(if part(0) == argument { 1 } else { 2 }),
        "#iferror" => argument.to_owned(),
        "#ifexist" => part(0),
        "#switch" => switch(argument, &call.parts),
        "lc" => argument.to_lowercase(),
        "uc" => argument.to_uppercase(),
        "ucfirst" => first_letter(argument, |first| first.to_uppercase().collect()),
        "lcfirst" => first_letter(argument, |first| first.to_lowercase().collect()),
        "formatnum" => grouped(argument),
        "padleft" | "padright" | "plural" | "grammar" | "#expr" | "#ifexpr" | "#time" | "#timel" | "#property"
        | "#statements" | "#dateformat" | "urlencode" => match function.trim() {
            "#dateformat" => argument.to_owned(),
            _ => GAP.to_owned(),
        },
        _ if function.starts_with('#') => String::new(),
        "defaultsort"
        | "displaytitle"
        | "defaultcategorysort"
        | "int"
        | "ns"
        | "fullurl"
        | "localurl"
        | "anchorencode"
        | "tableofcontents"
        | "clé de tri"
        | "sortierung"
        | "ordena"
        | "ordenar" => String::new(),
        _ => return None,
    })
}

fn switch(argument: &str, parts: &[Part]) -> String {
    let mut falls_through = false;
    let mut default = String::new();
    for part in parts {
        match &part.name {
            Some(name) => {
                if falls_through || name == argument {
                    return part.value.trim().to_owned();
                }
                if name == "#default" {
                    part.value.trim().clone_into(&mut default);
                }
            }
            None => {
                let value = part.value.trim();
                falls_through |= value == argument;
                // A last part without name is what holds for all others.
                value.clone_into(&mut default);
            }
        }
    }
    let last_is_default =
        parts.last().is_some_and(|part| part.name.is_none() || part.name.as_deref() == Some("#default"));
    if last_is_default || parts.iter().any(|part| part.name.as_deref() == Some("#default")) {
        default
    } else {
        String::new()
    }
}

fn first_letter(text: &str, change: impl Fn(char) -> String) -> String {
    let mut characters = text.chars();
    match characters.next() {
        Some(first) => change(first) + characters.as_str(),
        None => String::new(),
    }
}
