//! Currencies by symbol, code and word. "$" alone is some dollar; amounts are never converted.

use super::quantities::{Dimension, Unit};
use super::value_tokens::{Kind, Scan};

#[rustfmt::skip]
const CODES: &[&str] = &[
    "USD", "EUR", "GBP", "JPY", "CNY", "RMB", "INR", "BRL", "CHF", "AUD", "CAD", "NZD", "HKD", "SGD", "SEK", "NOK", "DKK", "PLN", "CZK", "HUF",
    "RUB", "TRY", "ZAR", "MXN", "ARS", "CLP", "COP", "KRW", "THB", "IDR", "MYR", "PHP", "VND", "ILS", "AED", "SAR", "EGP", "NGN", "KES", "UAH", "PKR", "BDT", "TWD",
    "DEM", "FRF", "ITL", "ESP", "PTE",
];

const SYMBOLS: &[(char, &str)] = &[
    ('$', "$"),
    ('€', "EUR"),
    ('£', "GBP"),
    ('¥', "¥"),
    ('￥', "¥"),
    ('₹', "INR"),
    ('₩', "KRW"),
    ('₽', "RUB"),
    ('₺', "TRY"),
    ('₴', "UAH"),
    ('₦', "NGN"),
    ('₱', "PHP"),
    ('฿', "THB"),
    ('₫', "VND"),
    ('₪', "ILS"),
    ('₿', "BTC"),
];

/// What letters before a dollar sign make of it.
const DOLLARS: &[(&str, &str)] = &[
    ("US", "USD"),
    ("U", "USD"),
    ("R", "BRL"),
    ("A", "AUD"),
    ("AU", "AUD"),
    ("C", "CAD"),
    ("CA", "CAD"),
    ("NZ", "NZD"),
    ("HK", "HKD"),
    ("S", "SGD"),
    ("NT", "TWD"),
    ("MX", "MXN"),
];

const NAMES: &[(&str, &str)] = &[
    ("dollar", "$"),
    ("dollars", "$"),
    ("dólar", "$"),
    ("dólares", "$"),
    ("euro", "EUR"),
    ("euros", "EUR"),
    ("yen", "JPY"),
    ("yuan", "CNY"),
    ("renminbi", "CNY"),
    ("rupee", "INR"),
    ("rupees", "INR"),
    ("reais", "BRL"),
    ("franken", "CHF"),
    ("rouble", "RUB"),
    ("roubles", "RUB"),
    ("ruble", "RUB"),
    ("rubles", "RUB"),
    ("pesos", "peso"),
    ("peso", "peso"),
    ("won", "KRW"),
    ("zloty", "PLN"),
    ("kronor", "SEK"),
    ("kroner", "krone"),
    ("krone", "krone"),
    ("rand", "ZAR"),
    ("lira", "TRY"),
    ("liras", "TRY"),
    ("francs", "franc"),
    ("franc", "franc"),
    ("shillings", "shilling"),
    ("baht", "THB"),
    ("bitcoin", "BTC"),
    ("bitcoins", "BTC"),
    ("元", "CNY"),
    ("円", "JPY"),
    ("欧元", "EUR"),
    ("美元", "USD"),
];

/// Words that tell which dollar: "US dollars".
const NATIONS: &[(&str, &str)] = &[
    ("us", "USD"),
    ("american", "USD"),
    ("australian", "AUD"),
    ("canadian", "CAD"),
    ("singapore", "SGD"),
    ("kong", "HKD"),
];

fn money(symbol: &str) -> Unit {
    let symbol = if symbol == "RMB" { "CNY" } else { symbol };
    Unit::plain(symbol, Dimension::Money)
}

/// The currency written before the number at `i`, with the index of its first token.
pub(super) fn before(scan: &Scan<'_>, i: usize) -> Option<(Unit, usize)> {
    let mut j = i.checked_sub(1)?;
    if scan.kind(j) == Some(Kind::Space) && scan.at(j)?.first == ' ' {
        j = j.checked_sub(1)?;
    }
    let token = scan.at(j)?;
    match token.kind {
        Kind::Symbol if token.first == '.' && j > 0 && matches!(scan.str(j - 1), "Rs") => Some((money("INR"), j - 1)),
        Kind::Symbol => {
            let (_, code) = SYMBOLS.iter().find(|(symbol, _)| *symbol == token.first)?;
            if token.first == '$'
                && let Some(letters) = j.checked_sub(1)
                && let Some((_, code)) = DOLLARS.iter().find(|(before, _)| scan.str(letters) == *before)
            {
                return Some((money(code), letters));
            }
            Some((money(code), j))
        }
        Kind::Word if scan.str(j) == "Rs" => Some((money("INR"), j)),
        Kind::Word if scan.str(j).len() == 3 => {
            CODES.iter().find(|code| scan.str(j) == **code).map(|code| (money(code), j))
        }
        _ => None,
    }
}

/// The currency at token `i`, after a number: "€", "EUR", "dollars", "US dollars"; with the index after it.
pub(super) fn at(scan: &Scan<'_>, i: usize) -> Option<(Unit, usize)> {
    let token = scan.at(i)?;
    if token.kind == Kind::Symbol {
        return SYMBOLS.iter().find(|(symbol, _)| *symbol == token.first).map(|(_, code)| (money(code), i + 1));
    }
    if token.kind != Kind::Word {
        return None;
    }
    let word = scan.str(i);
    if let Some(code) = CODES.iter().find(|code| **code == word) {
        return Some((money(code), i + 1));
    }
    let name = |i: usize| {
        let word = scan.str(i);
        if word.len() > 16 {
            return None;
        }
        let lower = word.to_lowercase();
        NAMES.iter().find(|(name, _)| *name == lower).map(|(_, code)| *code)
    };
    if let Some(code) = name(i) {
        return Some((money(code), i + 1));
    }
    if word == "US" && scan.is(i + 1, '$') {
        return Some((money("USD"), i + 2));
    }
    let next = scan.past_space(i + 1);
    if scan.is_any(i, &["pounds"]) && scan.is_any(next, &["sterling"]) {
        return Some((money("GBP"), next + 1));
    }
    if scan.is_any(i, &["cents", "pence"]) {
        let code = if scan.is_any(i, &["pence"]) { "GBP" } else { "cent" };
        let factor = if code == "GBP" { 0.01 } else { 1.0 };
        return Some((Unit { factor, ..money(code) }, i + 1));
    }
    if next > i + 1
        && let Some((_, code)) = NATIONS.iter().find(|(nation, _)| scan.is_word(i, nation))
    {
        return match name(next) {
            Some("$") => Some((money(code), next + 1)),
            _ => None,
        };
    }
    // Two characters of a script without spaces.
    let second = scan.at(i + 1).filter(|second| second.kind == Kind::Word)?;
    let pair = &scan.text[token.start..second.end];
    NAMES.iter().find(|(name, _)| *name == pair).map(|(_, code)| (money(code), i + 2))
}

/// Whether two currencies may be the same: "$" is any dollar.
pub(super) fn compatible(one: &str, other: &str) -> bool {
    const DOLLAR_CODES: [&str; 7] = ["USD", "AUD", "CAD", "NZD", "HKD", "SGD", "TWD"];
    one == other
        || (one == "$" && DOLLAR_CODES.contains(&other))
        || (other == "$" && DOLLAR_CODES.contains(&one))
        || matches!((one, other), ("¥", "JPY" | "CNY") | ("JPY" | "CNY", "¥"))
        || matches!((one, other), ("krone", "NOK" | "DKK") | ("NOK" | "DKK", "krone"))
        || matches!(
            (one, other),
            ("peso", "MXN" | "ARS" | "CLP" | "COP" | "PHP") | ("MXN" | "ARS" | "CLP" | "COP" | "PHP", "peso")
        )
        || matches!((one, other), ("franc", "CHF" | "FRF") | ("CHF" | "FRF", "franc"))
}
