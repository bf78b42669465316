//! Records in wikitext (infoboxes and the like) as rows: "Population: 12,000".

use super::templates::{Call, GAP};

/// What the names of records start with, in the larger wikis.
const RECORDS: &[&str] = &[
    "infobox",
    "info/",
    "ficha de ",
    "taxobox",
    "speciesbox",
    "geobox",
    "chembox",
    "drugbox",
    "starbox",
    "planetbox",
    "info ",
    "карточка",
    "infotaula",
    "basisdaten",
    "fiche",
];

/// Fields that say how a record looks or where it comes from, and nothing of its subject.
const LAYOUT: &[&str] = &[
    "image",
    "img",
    "photo",
    "logo",
    "alt",
    "caption",
    "image_size",
    "imagesize",
    "width",
    "height_px",
    "map",
    "pushpin",
    "embed",
    "module",
    "child",
    "style",
    "class",
    "signature",
    "flag",
    "coat_of_arms",
    "seal",
    "cover",
    "background",
    "color",
    "colour",
    "ref",
    "source",
    "footnotes",
    "footnote",
    "titlestyle",
    "bodystyle",
    "above",
    "below",
    "sound",
    "audio",
    "zoom",
    "marker",
    "border",
    "templatestyles",
    "upright",
    "collapsed",
    "autocat",
    "short_description",
    "nocat",
    "bild",
    "bildbeschreibung",
    "légende",
    "legende",
    "imagem",
    "imagem_tamanho",
    "leyenda",
    "imagen",
    "légende carte",
    "tamaño",
    "upright",
    "filename",
    "dateformat",
    "df",
    "mf",
    "demo",
    "noref",
    "lang",
    "oclc",
    "isbn",
    "wikidata",
    "blank",
];

/// Ends of field names that say the same.
const LAYOUT_ENDS: &[&str] = &[
    "_ref",
    "_refs",
    "_size",
    "_alt",
    "_caption",
    "_style",
    "_width",
    "_note",
    "_footnotes",
    "_footnote",
    "_link",
    "_zoom",
    "_label_position",
    "_marker",
    "_map",
    "_image",
    "_map_caption",
    "_color",
    "_colour",
    "_text_color",
    "_bg",
];

/// Starts of field names that say the same.
const LAYOUT_STARTS: &[&str] =
    &["image", "pushpin", "map_", "coat_", "logo_", "flag_", "seal_", "signature", "cover_", "embed"];

/// Whether a template of that name (in lower case) is a record.
pub(super) fn is_record_name(name: &str) -> bool {
    RECORDS.iter().any(|start| name.starts_with(start)) || name.ends_with(" infobox") || name.ends_with("-infobox")
}

/// Whether an unknown template is written as a record: alone on its lines, many fields, each with a name and most on a
/// line of its own.
pub(super) fn looks_like_record(call: &Call<'_>) -> bool {
    let named = call.parts.iter().filter(|part| part.name.is_some()).count();
    let lines = call.parts.iter().filter(|part| part.value.ends_with('\n')).count();
    call.starts_line && named >= 4 && named == call.parts.len() && lines * 2 >= named
}

/// The rows of a record, as an HTML table.
pub(super) fn record(call: &Call<'_>) -> String {
    let mut rows = String::new();
    let mut count = 0;
    for part in &call.parts {
        let Some(name) = &part.name else { continue };
        let value = part.value.trim();
        if is_layout(name) || says_nothing(value) {
            continue;
        }
        // A record inside a record stands by itself.
        if value.starts_with("<table>") {
            rows.push_str("</table>\n");
            rows.push_str(value);
            rows.push_str("\n<table>");
            continue;
        }
        let (name, unit) = unit_of(name, value);
        rows.push_str("<tr><th>");
        rows.push_str(&label(name));
        rows.push_str("</th><td>");
        rows.push_str(&one_line(value));
        rows.push_str(unit);
        rows.push_str("</td></tr>");
        count += 1;
    }
    if rows.is_empty() || (count == 0 && !rows.contains("<tr>")) {
        String::new()
    } else {
        format!("\n<table>{rows}</table>\n")
    }
}

/// Units that names of fields end with, and how they are written.
const UNITS: &[(&str, &str)] = &[
    ("density_km2", " per km²"),
    ("density_sq_mi", " per sq mi"),
    ("_km2", " km²"),
    ("_sq_mi", " sq mi"),
    ("_sqmi", " sq mi"),
    ("_m2", " m²"),
    ("_m3", " m³"),
    ("_ha", " ha"),
    ("_acre", " acres"),
    ("_km", " km"),
    ("_mi", " mi"),
    ("_cm", " cm"),
    ("_mm", " mm"),
    ("_ft", " ft"),
    ("_kg", " kg"),
    ("_lb", " lb"),
    ("_m", " m"),
];

/// The name of a field without its unit, and the unit to put after its value, where that is a bare number:
/// "area_km2 = 31.5" as "area" and " km²".
fn unit_of<'a>(name: &'a str, value: &str) -> (&'a str, &'static str) {
    let number = value.bytes().any(|byte| byte.is_ascii_digit())
        && value.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b',' | b'.'));
    let name = name.trim();
    let found = UNITS.iter().find(|(end, _)| number && name.len() > end.len() && name.ends_with(end));
    match found {
        Some((end, unit)) if end.starts_with("density") => (&name[..name.len() - end.len() + "density".len()], unit),
        Some((end, unit)) => (&name[..name.len() - end.len()], unit),
        None => (name, ""),
    }
}

fn is_layout(name: &str) -> bool {
    let name = name.trim().to_lowercase().replace(' ', "_");
    let bare = name.trim_end_matches(|character: char| character.is_ascii_digit()).trim_end_matches('_');
    LAYOUT.contains(&bare)
        || LAYOUT_ENDS.iter().any(|end| bare.ends_with(end))
        || LAYOUT_STARTS.iter().any(|start| bare.starts_with(start))
}

/// Nothing, a gap, or a bare file name or switch.
fn says_nothing(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    value.is_empty()
        || value == GAP
        || matches!(lower.as_str(), "yes" | "no" | "y" | "n" | "none" | "-" | "–" | "—")
        || [".jpg", ".jpeg", ".png", ".svg", ".gif", ".webp", ".tif", ".ogg"].iter().any(|end| lower.ends_with(end))
}

/// "population_total" as "Population total".
fn label(name: &str) -> String {
    let words = name.trim().replace(['_', '-'], " ");
    let words = words.trim_end_matches(|character: char| character.is_ascii_digit()).trim();
    let mut characters = words.chars();
    match characters.next() {
        Some(first) => first.to_uppercase().collect::<String>() + characters.as_str(),
        None => name.trim().to_owned(),
    }
}

/// A value of several lines or items on one line.
fn one_line(value: &str) -> String {
    if !value.contains('\n') && !value.contains("<br") {
        return value.to_owned();
    }
    let value = value.replace("<br />", "\n").replace("<br/>", "\n").replace("<br>", "\n");
    let items: Vec<&str> = value
        .lines()
        .map(|line| line.trim().trim_start_matches(['*', '#', ':']).trim())
        .filter(|line| !line.is_empty())
        .collect();
    let marks = items.iter().any(|item| item.starts_with(['|', '!', '{']));
    if marks { items.join("\n") } else { items.join(", ") }
}
