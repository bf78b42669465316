//! Numbers, measures, money and names in templates, as a reader sees them.

use super::templates::Call;

/// "31 m", of `{{convert|31|m|ft}}`: the value that the page states, not the one computed from it.
pub(super) fn convert(call: &Call<'_>) -> Option<String> {
    const BETWEEN: &[(&str, &str)] = &[
        ("to", " to "),
        ("and", " and "),
        ("or", " or "),
        ("-", "–"),
        ("–", "–"),
        ("to(-)", "–"),
        ("x", " × "),
        ("by", " by "),
        ("xx", " × "),
        ("*", " × "),
        ("+/-", " ± "),
        ("±", " ± "),
        ("+", " + "),
    ];
    let parts: Vec<&str> = call.positional().collect();
    let mut shown = number_text(parts.first()?)?;
    let mut at = 1;
    while let Some((_, between)) = parts.get(at).and_then(|word| BETWEEN.iter().find(|(name, _)| name == word)) {
        shown.push_str(between);
        shown.push_str(&number_text(parts.get(at + 1)?)?);
        at += 2;
    }
    let joint = if call.named("adj").is_some_and(|value| matches!(value, "on" | "mid")) { "-" } else { " " };
    shown.push_str(joint);
    shown.push_str(&unit_name(parts.get(at)?));
    // "6 ft 2 in".
    if matches!(parts.get(at).copied(), Some("ft" | "foot" | "lb" | "st" | "mi" | "yd" | "lbs"))
        && let (Some(more), Some(small)) = (parts.get(at + 1), parts.get(at + 2))
        && matches!(*small, "in" | "inch" | "oz" | "lb" | "ft" | "yd")
        && more.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
    {
        shown.push_str(&format!(" {more} {small}"));
    }
    Some(shown)
}

/// A value and a unit side by side.
pub(super) fn unit(call: &Call<'_>) -> Option<String> {
    let value = number_text(call.at(1)?)?;
    let units: Vec<String> = call.positional().skip(1).filter(|unit| !unit.is_empty()).map(unit_name).collect();
    Some(if units.is_empty() { value } else { format!("{value} {}", units.join(" ")) })
}

fn number_text(text: &str) -> Option<String> {
    let text = text.trim();
    text.contains(|character: char| character.is_ascii_digit()).then(|| text.to_owned())
}

fn unit_name(code: &str) -> String {
    let name = match code {
        "C" | "°C" => "°C",
        "F" | "°F" => "°F",
        "K" => "K",
        "km2" | "sqkm" => "km²",
        "m2" | "sqm" => "m²",
        "cm2" => "cm²",
        "mi2" | "sqmi" => "sq mi",
        "ft2" | "sqft" => "sq ft",
        "m3" => "m³",
        "km3" => "km³",
        "cm3" => "cm³",
        "ft3" | "cuft" => "cu ft",
        "m/s2" => "m/s²",
        "/km2" | "PD/km2" => "/km²",
        "/sqmi" | "PD/sqmi" => "/sq mi",
        "e6km" => "million km",
        "e6m3" => "million m³",
        "e6USgal" => "million US gal",
        "e6acre" => "million acres",
        "e3acre" => "thousand acres",
        "LT" => "long tons",
        "ST" => "short tons",
        "t" | "MT" => "t",
        other => return other.to_owned(),
    };
    name.to_owned()
}

/// "1.23±0.05 kg".
pub(super) fn val(call: &Call<'_>) -> Option<String> {
    let mut shown = grouped(call.at(1)?);
    if let Some(margin) = call.at(2) {
        shown.push('±');
        shown.push_str(margin);
    }
    if let Some(power) = call.named("e") {
        shown.push_str(&format!(" × 10<sup>{power}</sup>"));
    }
    if let Some(unit) = call.named("u").or_else(|| call.named("ul")) {
        shown.push(' ');
        shown.push_str(&unit_name(unit));
    }
    Some(shown)
}

/// A number, its thousands apart.
pub(super) fn number(call: &Call<'_>) -> Option<String> {
    Some(grouped(call.at(1)?))
}

/// "1234567" as "1,234,567"; anything else as it is.
pub(super) fn grouped(text: &str) -> String {
    let (sign, digits) = text.strip_prefix('-').map_or(("", text), |rest| ("−", rest));
    let (whole, part) = digits.split_once('.').map_or((digits, None), |(whole, part)| (whole, Some(part)));
    let plain = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !plain(whole) || whole.len() < 4 || whole.len() > 60 || !part.is_none_or(plain) {
        return text.to_owned();
    }
    let mut shown = sign.to_owned();
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
            shown.push(',');
        }
        shown.push(digit);
    }
    if let Some(part) = part {
        shown.push('.');
        shown.push_str(part);
    }
    shown
}

/// "2 1/3" of 2, 1 and 3.
pub(super) fn fraction(call: &Call<'_>) -> Option<String> {
    match (call.at(1)?, call.at(2), call.at(3)) {
        (whole, Some(top), Some(bottom)) => Some(format!("{whole} {top}/{bottom}")),
        (top, Some(bottom), None) => Some(format!("{top}/{bottom}")),
        (bottom, None, _) => Some(format!("1/{bottom}")),
    }
}

/// A person's height.
pub(super) fn height(call: &Call<'_>) -> Option<String> {
    if let Some(metres) = call.named("m") {
        return Some(format!("{metres} m"));
    }
    if let Some(centimetres) = call.named("cm") {
        return Some(format!("{centimetres} cm"));
    }
    let feet = call.named("ft")?;
    Some(match call.named("in") {
        Some(inches) => format!("{feet} ft {inches} in"),
        None => format!("{feet} ft"),
    })
}

/// "50°5′N 14°25′E".
pub(super) fn coordinates(call: &Call<'_>) -> Option<String> {
    let parts: Vec<&str> = call.positional().take_while(|part| !part.contains(':')).collect();
    let is_side = |part: &&str| matches!(part.to_ascii_uppercase().as_str(), "N" | "S" | "E" | "W" | "O");
    let sides: Vec<usize> = parts.iter().enumerate().filter(|(_, part)| is_side(part)).map(|(at, _)| at).collect();
    let angle = |parts: &[&str], side: &str| {
        let marks = ["°", "′", "″"];
        let figures: String = parts.iter().zip(marks).map(|(part, mark)| format!("{part}{mark}")).collect();
        format!("{figures}{}", side.to_uppercase())
    };
    match sides[..] {
        [first, second, ..] if second > first => Some(format!(
            "{} {}",
            angle(&parts[..first], parts[first]),
            angle(&parts[first + 1..second], parts[second])
        )),
        _ => match parts[..] {
            [latitude, longitude, ..] => {
                let number = |text: &str| text.parse::<f64>().ok().filter(|value| value.is_finite());
                let (north, east) = (number(latitude)?, number(longitude)?);
                let side = |value: f64, plus: &str, minus: &str| {
                    if value < 0.0 { minus.to_owned() } else { plus.to_owned() }
                };
                let bare = |text: &str| text.trim_start_matches(['-', '−', '+']).to_owned();
                Some(format!(
                    "{}°{} {}°{}",
                    bare(latitude),
                    side(north, "N", "S"),
                    bare(longitude),
                    side(east, "E", "W")
                ))
            }
            _ => None,
        },
    }
}

/// An amount with its currency's sign.
pub(super) fn money(call: &Call<'_>) -> Option<String> {
    let (sign, amount) = match call.name.as_str() {
        "currency" => (call.at(2).or_else(|| call.named("type"))?.to_owned() + " ", call.at(1)?),
        name => (sign_of(name).to_owned(), call.at(1)?),
    };
    let long = if call.named("long").is_some() { "" } else { &sign };
    Some(format!("{long}{}", grouped(amount)))
}

fn sign_of(name: &str) -> &'static str {
    match name {
        "us$" | "usd" => "US$",
        "gbp" | "£" => "£",
        "eur" | "euro" | "€" => "€",
        "inr" | "₹" | "indian rupee" | "indian rupees" => "₹",
        "aud" | "a$" => "A$",
        "cad" | "c$" => "C$",
        "nzd" | "nz$" => "NZ$",
        "jpy" | "¥" | "yen" => "¥",
        "cny" | "rmb" => "CN¥",
        "krw" | "won sign" => "₩",
        "chf" => "CHF ",
        "brl" | "r$" => "R$",
        "php" | "peso" => "₱",
        "hk$" | "hkd" => "HK$",
        "sgd" | "s$" => "S$",
        "zar" => "R",
        "rub" => "₽",
        "sek" => "SEK ",
        "nok" => "NOK ",
        "dkk" => "DKK ",
        "pln" => "PLN ",
        _ => "",
    }
}

/// "25%" of 1 and 4, or the value itself.
pub(super) fn percentage(call: &Call<'_>) -> Option<String> {
    let value = call.at(1)?;
    let Some(whole) = call.at(2) else { return Some(format!("{}%", value.trim_end_matches('%'))) };
    let number = |text: &str| text.replace(',', "").parse::<f64>().ok().filter(|value| value.is_finite());
    let (part, whole) = (number(value)?, number(whole)?);
    if whole == 0.0 {
        return None;
    }
    let digits = call.at(3).and_then(|digits| digits.parse::<usize>().ok()).unwrap_or(0).min(6);
    Some(format!("{:.digits$}%", part / whole * 100.0))
}

/// A quotation, and whose it is.
pub(super) fn quotation(call: &Call<'_>) -> Option<String> {
    let text =
        ["text", "quote", "1", "texte", "text1"].iter().find_map(|name| call.named(name)).or_else(|| call.at(1))?;
    let author = ["author", "sign", "by", "autor", "auteur", "2"]
        .iter()
        .find_map(|name| call.named(name))
        .or_else(|| call.at(2));
    let author = author.map(|author| format!(" — {author}")).unwrap_or_default();
    Some(format!("\n<blockquote>{text}{author}</blockquote>\n"))
}

/// "English (kanji, romaji)".
pub(super) fn nihongo(call: &Call<'_>) -> Option<String> {
    let inside: Vec<&str> = [call.at(2), call.at(3)].into_iter().flatten().collect();
    Some(match (call.at(1), inside.is_empty()) {
        (Some(name), true) => name.to_owned(),
        (Some(name), false) => format!("{name} ({})", inside.join(", ")),
        (None, _) => inside.join(", "),
    })
}

/// The ways a name is written in Chinese.
pub(super) fn chinese(call: &Call<'_>) -> Option<String> {
    let parts: Vec<&str> = ["c", "s", "t", "p"].iter().filter_map(|name| call.named(name)).collect();
    if parts.is_empty() { call.at(1).map(str::to_owned) } else { Some(parts.join("; ")) }
}

/// "Ida Roe (NOR)".
pub(super) fn athlete(call: &Call<'_>) -> Option<String> {
    let name = call.at(1)?;
    Some(call.at(2).map_or_else(|| name.to_owned(), |country| format!("{name} ({country})")))
}

/// First and last name.
pub(super) fn sort_name(call: &Call<'_>) -> Option<String> {
    let first = call.at(1)?;
    Some(call.at(2).map_or_else(|| first.to_owned(), |last| format!("{first} {last}")))
}

/// A cell that says yes.
pub(super) fn yes(call: &Call<'_>) -> Option<String> {
    Some(call.at(1).unwrap_or("Yes").to_owned())
}

/// A cell that says no.
pub(super) fn no(call: &Call<'_>) -> Option<String> {
    Some(call.at(1).unwrap_or("No").to_owned())
}

/// A cell for what is not known yet.
pub(super) fn to_be_announced(call: &Call<'_>) -> Option<String> {
    Some(call.at(1).unwrap_or("to be announced").to_owned())
}
