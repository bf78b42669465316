//! The parts of a dump as XML: the wiki's data, a page's head, a revision.

use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;

use super::site::Site;

/// A page before its revisions.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Head {
    pub(super) title: String,
    pub(super) namespace: i64,
    pub(super) id: Option<u64>,
    pub(super) redirect: bool,
}

/// One revision of a page.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Revision {
    pub(super) id: Option<u64>,
    pub(super) timestamp: Option<String>,
    /// Whether its text is wikitext, and not a script, a style sheet or data.
    pub(super) is_wikitext: bool,
    /// `None` where it was deleted.
    pub(super) text: Option<String>,
}

impl Revision {
    pub(super) fn is_before(&self, other: &Self) -> bool {
        // Written as they are, the later one is the greater one.
        (&self.timestamp, self.id) <= (&other.timestamp, other.id)
    }
}

/// The head of a page.
pub(super) fn head(xml: &str) -> Result<Head, String> {
    let mut head = Head::default();
    let mut has_title = false;
    elements(xml, &mut |path, attributes, text| match path {
        ["title"] => {
            has_title = true;
            text.trim().clone_into(&mut head.title);
        }
        ["ns"] => head.namespace = text.trim().parse().unwrap_or_default(),
        ["id"] => head.id = text.trim().parse().ok(),
        ["redirect"] => head.redirect = attributes.attributes().next().is_some() || head.redirect,
        _ => {}
    })?;
    if !has_title || head.title.is_empty() {
        return Err("a page without a title".to_owned());
    }
    Ok(head)
}

/// A revision.
pub(super) fn revision(xml: &str) -> Result<Revision, String> {
    let mut found = Revision { id: None, timestamp: None, is_wikitext: true, text: None };
    elements(xml, &mut |path, attributes, text| match path {
        ["id"] => found.id = text.trim().parse().ok(),
        ["timestamp"] => found.timestamp = Some(text.trim().to_owned()).filter(|time| !time.is_empty()),
        ["model"] => found.is_wikitext = text.trim() == "wikitext",
        ["text"] => {
            let deleted = attributes.try_get_attribute("deleted").is_ok_and(|found| found.is_some());
            found.text = (!deleted).then(|| std::mem::take(text));
        }
        _ => {}
    })?;
    Ok(found)
}

/// The wiki's data; the end tag may still be there.
pub(super) fn site(xml: &str) -> Result<Site, String> {
    let xml = xml.rfind("</siteinfo").map_or(xml, |end| &xml[..end]);
    let mut site = Site::default();
    let mut base = String::new();
    elements(xml, &mut |path, attributes, text| match path {
        ["dbname"] => site.name = Some(text.trim().to_owned()).filter(|name| !name.is_empty()),
        ["base"] => text.trim().clone_into(&mut base),
        ["namespaces", "namespace"] => {
            let key = attributes.try_get_attribute("key").ok().flatten();
            if let Some(number) = key.and_then(|key| key.value.parse::<i64>().ok()) {
                site.namespaces.insert(number, text.trim().to_lowercase());
            }
        }
        _ => {}
    })?;
    site.set_base(&base);
    Ok(site)
}

/// Calls `take` at the end of each element with its path, its start tag and its own text.
fn elements(xml: &str, take: &mut dyn FnMut(&[&str], &BytesStart<'_>, &mut String)) -> Result<(), String> {
    let mut reader = Reader::from_str(xml);
    let mut open: Vec<(String, BytesStart<'_>, String)> = Vec::new();
    let path_of = |open: &[(String, BytesStart<'_>, String)]| -> Vec<String> {
        open.iter().map(|(name, ..)| name.clone()).collect()
    };
    loop {
        let event = reader.read_event().map_err(|error| error.to_string())?;
        match event {
            Event::Start(tag) => {
                if open.len() >= 16 {
                    return Err("elements nested too deep".to_owned());
                }
                open.push((name_of(&tag), tag, String::new()));
            }
            Event::Empty(tag) => {
                let mut path = path_of(&open);
                path.push(name_of(&tag));
                let path: Vec<&str> = path.iter().map(String::as_str).collect();
                take(&path, &tag, &mut String::new());
            }
            Event::End(_) => {
                let path = path_of(&open);
                let path: Vec<&str> = path.iter().map(String::as_str).collect();
                if let Some((_, tag, mut text)) = open.pop() {
                    take(&path, &tag, &mut text);
                }
            }
            Event::Text(text) => {
                if let Some((.., own)) = open.last_mut() {
                    own.push_str(&text.xml10_content());
                }
            }
            Event::CData(text) => {
                if let Some((.., own)) = open.last_mut() {
                    own.push_str(&text.xml10_content());
                }
            }
            Event::GeneralRef(reference) => {
                let Some((.., own)) = open.last_mut() else { continue };
                if reference.is_char_ref() {
                    match reference.resolve_char_ref() {
                        Ok(Some(character)) => own.push(character),
                        _ => own.push(char::REPLACEMENT_CHARACTER),
                    }
                } else {
                    let name = reference.into_inner();
                    let known = quick_xml::escape::resolve_xml_entity(&name);
                    own.push_str(known.ok_or_else(|| format!("unknown entity `{}`", short(&name)))?);
                }
            }
            Event::Eof => {
                return match open.last() {
                    Some((name, ..)) => Err(format!("element `{}` does not end", short(name))),
                    None => Ok(()),
                };
            }
            Event::Comment(_) | Event::PI(_) | Event::Decl(_) | Event::DocType(_) => {}
        }
    }
}

fn name_of(tag: &BytesStart<'_>) -> String {
    tag.local_name().into_inner().to_owned()
}

fn short(text: &str) -> &str {
    &text[..text.floor_char_boundary(40)]
}
