//! Units: one table of symbols and names in five languages, with what one of each is in base units.
//!
//! Symbols are matched as written (Mb is not MB), names whatever their case. Squares and cubes of lengths and speeds
//! are put together here, so the table has only single units.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::quantities::{Dimension, Unit};
use super::value_tokens::{Kind, Scan, is_unspaced};

use Dimension::{
    Area, Data, Energy, Frequency, Length, Mass, Other, Power, Pressure, Speed, Temperature, Time, Volume,
};

/// Symbol, dimension, factor, offset, further symbols (case counts), names (case does not).
type Row = (&'static str, Dimension, f64, f64, &'static str, &'static str);

const DAY: f64 = 86_400.0;
/// The mean Julian year, and a twelfth of it.
const YEAR: f64 = 365.25 * DAY;
const MONTH: f64 = YEAR / 12.0;
const FAHRENHEIT: f64 = 5.0 / 9.0;

#[rustfmt::skip]
const UNITS: &[Row] = &[
    ("nm", Length, 1e-9, 0.0, "", "nanometre nanometres nanometer nanometers nanômetros nanómetros nanomètres"),
    ("µm", Length, 1e-6, 0.0, "μm um", "micrometre micrometres micrometer micrometers micron microns mikrometer"),
    ("mm", Length, 1e-3, 0.0, "", "millimetre millimetres millimeter millimeters millimetern milímetro milímetros millimètre millimètres"),
    ("cm", Length, 1e-2, 0.0, "", "centimetre centimetres centimeter centimeters centímetro centímetros zentimeter zentimetern centimètre centimètres"),
    ("dm", Length, 0.1, 0.0, "", "decimetre decimetres"),
    ("m", Length, 1.0, 0.0, "", "metre metres meter meters metro metros metern mètre mètres 米 メートル"),
    ("km", Length, 1e3, 0.0, "Km KM", "kilometre kilometres kilometer kilometers kilometern kms quilômetro quilômetros quilómetro quilómetros kilómetro kilómetros kilomètre kilomètres 公里 千米 キロメートル"),
    ("in", Length, 0.0254, 0.0, "″", "inch inches polegada polegadas pulgada pulgadas zoll pouce pouces"),
    ("ft", Length, 0.3048, 0.0, "′", "foot feet ft pé pés fuß pieds"),
    ("yd", Length, 0.9144, 0.0, "yds", "yard yards"),
    ("mi", Length, 1609.344, 0.0, "", "mile miles milha milhas milla millas meile meilen 英里"),
    ("nmi", Length, 1852.0, 0.0, "NM", ""),
    ("ly", Length, 9.460_730_472_580_8e15, 0.0, "", "lightyear lightyears lichtjahre lichtjahren 光年"),
    ("AU", Length, 1.495_978_707e11, 0.0, "", ""),
    ("ha", Area, 1e4, 0.0, "", "hectare hectares hektar hectárea hectáreas 公顷"),
    ("acre", Area, 4_046.856_422_4, 0.0, "", "acre acres"),
    ("ml", Volume, 1e-6, 0.0, "mL", "millilitre millilitres milliliter milliliters mililitro mililitros"),
    ("cm³", Volume, 1e-6, 0.0, "cc ccm", ""),
    ("cl", Volume, 1e-5, 0.0, "cL", "centilitre centilitres centiliter centiliters"),
    ("l", Volume, 1e-3, 0.0, "L ℓ", "litre litres liter liters litern litro litros 升"),
    ("hl", Volume, 0.1, 0.0, "hL", "hectolitre hectolitres"),
    ("gal", Volume, 3.785_411_784e-3, 0.0, "", "gallon gallons galão galões galones"),
    ("pint", Volume, 4.731_764_73e-4, 0.0, "", "pint pints"),
    ("bbl", Volume, 0.158_987_294_928, 0.0, "", "barrel barrels barril barris barriles"),
    ("fl oz", Volume, 2.957_352_956_25e-5, 0.0, "", ""),
    ("µg", Mass, 1e-9, 0.0, "μg mcg ug", "microgram micrograms"),
    ("mg", Mass, 1e-6, 0.0, "", "milligram milligrams milligramme milligrammes miligramas miligramos"),
    ("g", Mass, 1e-3, 0.0, "", "gram grams gramme grammes gramm grama gramas gramo gramos 克"),
    ("kg", Mass, 1.0, 0.0, "Kg KG", "kilogram kilograms kilogramme kilogrammes kilogramm kilo kilos quilo quilos quilograma quilogramas kilogramos 公斤 千克"),
    ("t", Mass, 1e3, 0.0, "", "tonne tonnes tonelada toneladas tonnen 吨"),
    ("ton", Mass, 907.184_74, 0.0, "", "ton tons"),
    ("kt", Mass, 1e6, 0.0, "", "kilotonne kilotonnes"),
    ("Mt", Mass, 1e9, 0.0, "", "megatonne megatonnes"),
    ("oz", Mass, 0.028_349_523_125, 0.0, "", "ounce ounces onça onças onzas"),
    ("lb", Mass, 0.453_592_37, 0.0, "lbs", "pound pounds libras pfund"),
    ("st", Mass, 6.350_293_18, 0.0, "", ""),
    ("ns", Time, 1e-9, 0.0, "", "nanosecond nanoseconds"),
    ("µs", Time, 1e-6, 0.0, "μs", "microsecond microseconds"),
    ("ms", Time, 1e-3, 0.0, "", "millisecond milliseconds"),
    ("s", Time, 1.0, 0.0, "sec secs", "second seconds segundo segundos sekunde sekunden seconde secondes 秒"),
    ("min", Time, 60.0, 0.0, "mins", "minute minutes minuto minutos minuten 分钟"),
    ("h", Time, 3600.0, 0.0, "hr hrs", "hour hours hora horas stunde stunden heure heures 小时"),
    ("d", Time, DAY, 0.0, "", "day days dia dias día días tag tage tagen jour jours 天"),
    ("week", Time, 7.0 * DAY, 0.0, "wk wks", "week weeks semana semanas woche wochen semaine semaines"),
    ("month", Time, MONTH, 0.0, "", "month months mês meses mes monat monate monaten mois 个月"),
    ("year", Time, YEAR, 0.0, "yr yrs", "year years ano anos año años jahr jahre jahren ans année années"),
    ("decade", Time, 10.0 * YEAR, 0.0, "", "decade decades década décadas jahrzehnt jahrzehnte jahrzehnten décennie décennies"),
    ("century", Time, 100.0 * YEAR, 0.0, "", "centuries séculos siglos jahrhunderte jahrhunderten siècles"),
    ("m/s", Speed, 1.0, 0.0, "mps", ""),
    ("km/h", Speed, 1.0 / 3.6, 0.0, "kph kmh kmph", ""),
    ("mph", Speed, 0.447_04, 0.0, "", "mph"),
    ("kn", Speed, 1852.0 / 3600.0, 0.0, "kt", "knot knots nós nudos knoten nœuds"),
    ("K", Temperature, 1.0, 0.0, "", "kelvin kelvins"),
    ("°C", Temperature, 1.0, 273.15, "℃", "celsius"),
    ("°F", Temperature, FAHRENHEIT, 459.67 * FAHRENHEIT, "℉", "fahrenheit"),
    ("bit", Data, 1.0, 0.0, "", "bit bits"),
    ("kbit", Data, 1e3, 0.0, "kb Kb", "kilobit kilobits"),
    ("Mbit", Data, 1e6, 0.0, "Mb", "megabit megabits"),
    ("Gbit", Data, 1e9, 0.0, "Gb", "gigabit gigabits"),
    ("B", Data, 8.0, 0.0, "", "byte bytes"),
    ("kB", Data, 8e3, 0.0, "KB", "kilobyte kilobytes"),
    ("MB", Data, 8e6, 0.0, "", "megabyte megabytes"),
    ("GB", Data, 8e9, 0.0, "", "gigabyte gigabytes"),
    ("TB", Data, 8e12, 0.0, "", "terabyte terabytes"),
    ("PB", Data, 8e15, 0.0, "", "petabyte petabytes"),
    ("EB", Data, 8e18, 0.0, "", "exabyte exabytes"),
    ("KiB", Data, 8.0 * 1024.0, 0.0, "", "kibibyte kibibytes"),
    ("MiB", Data, 8.0 * 1_048_576.0, 0.0, "", "mebibyte mebibytes"),
    ("GiB", Data, 8.0 * 1_073_741_824.0, 0.0, "", "gibibyte gibibytes"),
    ("TiB", Data, 8.0 * 1_099_511_627_776.0, 0.0, "", "tebibyte tebibytes"),
    ("J", Energy, 1.0, 0.0, "", "joule joules"),
    ("kJ", Energy, 1e3, 0.0, "", "kilojoule kilojoules"),
    ("MJ", Energy, 1e6, 0.0, "", "megajoule megajoules"),
    ("GJ", Energy, 1e9, 0.0, "", "gigajoule gigajoules"),
    ("cal", Energy, 4.184, 0.0, "", ""),
    ("kcal", Energy, 4184.0, 0.0, "", "kilocalorie kilocalories calorie calories calorias calorías kalorien"),
    ("Wh", Energy, 3600.0, 0.0, "", ""),
    ("kWh", Energy, 3.6e6, 0.0, "kwh KWh", "kilowattstunden"),
    ("MWh", Energy, 3.6e9, 0.0, "", ""),
    ("GWh", Energy, 3.6e12, 0.0, "", ""),
    ("TWh", Energy, 3.6e15, 0.0, "", ""),
    ("mW", Power, 1e-3, 0.0, "", "milliwatt milliwatts"),
    ("W", Power, 1.0, 0.0, "", "watt watts"),
    ("kW", Power, 1e3, 0.0, "KW", "kilowatt kilowatts"),
    ("MW", Power, 1e6, 0.0, "", "megawatt megawatts"),
    ("GW", Power, 1e9, 0.0, "", "gigawatt gigawatts"),
    ("TW", Power, 1e12, 0.0, "", "terawatt terawatts"),
    ("hp", Power, 745.699_871_582_270_2, 0.0, "", "horsepower"),
    ("PS", Power, 735.498_75, 0.0, "", ""),
    ("Hz", Frequency, 1.0, 0.0, "", "hertz"),
    ("kHz", Frequency, 1e3, 0.0, "KHz", "kilohertz"),
    ("MHz", Frequency, 1e6, 0.0, "", "megahertz"),
    ("GHz", Frequency, 1e9, 0.0, "", "gigahertz"),
    ("rpm", Frequency, 1.0 / 60.0, 0.0, "", "rpm"),
    ("Pa", Pressure, 1.0, 0.0, "", "pascal pascals"),
    ("hPa", Pressure, 100.0, 0.0, "", "hectopascals"),
    ("kPa", Pressure, 1e3, 0.0, "", "kilopascals"),
    ("MPa", Pressure, 1e6, 0.0, "", "megapascals"),
    ("bar", Pressure, 1e5, 0.0, "", "bar bars"),
    ("mbar", Pressure, 100.0, 0.0, "", "millibar millibars"),
    ("atm", Pressure, 101_325.0, 0.0, "", "atmospheres"),
    ("psi", Pressure, 6_894.757_293_168, 0.0, "", "psi"),
    ("V", Other, 1.0, 0.0, "", "volt volts"),
    ("kV", Other, 1.0, 0.0, "", "kilovolt kilovolts"),
    ("A", Other, 1.0, 0.0, "", "ampere amperes amps"),
    ("mAh", Other, 1.0, 0.0, "", ""),
    ("Ω", Other, 1.0, 0.0, "", "ohm ohms"),
    ("N", Other, 1.0, 0.0, "", "newton newtons"),
    ("dB", Other, 1.0, 0.0, "", "decibel decibels"),
    ("°", Other, 1.0, 0.0, "", "degree degrees graus grados"),
    ("Mbps", Other, 1.0, 0.0, "Mbit/s", ""),
    ("Gbps", Other, 1.0, 0.0, "Gbit/s", ""),
    ("kbps", Other, 1.0, 0.0, "", ""),
    ("MP", Other, 1.0, 0.0, "", "megapixel megapixels"),
    ("ct", Other, 1.0, 0.0, "", "carat carats karat"),
    ("mol", Other, 1.0, 0.0, "", "mole moles"),
];

struct Tables {
    symbols: HashMap<&'static str, &'static Row>,
    names: HashMap<&'static str, &'static Row>,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let mut tables = Tables { symbols: HashMap::new(), names: HashMap::new() };
    for row in UNITS {
        // "century" and "decade" are words, not symbols; their singular is read as a name.
        tables.symbols.entry(row.0).or_insert(row);
        for symbol in row.4.split(' ').filter(|symbol| !symbol.is_empty()) {
            tables.symbols.entry(symbol).or_insert(row);
        }
        for name in row.5.split(' ').filter(|name| !name.is_empty()) {
            tables.names.entry(name).or_insert(row);
        }
    }
    tables
});

impl Unit {
    fn from_row(row: &Row) -> Self {
        Self { symbol: row.0.to_owned(), dimension: row.1, factor: row.2, offset: row.3 }
    }

    /// A currency or other unit that is compared by its symbol only.
    pub(super) fn plain(symbol: impl Into<String>, dimension: Dimension) -> Self {
        Self { symbol: symbol.into(), dimension, factor: 1.0, offset: 0.0 }
    }

    /// `value` of this unit in the dimension's base unit.
    pub fn to_base(&self, value: f64) -> f64 {
        value * self.factor + self.offset
    }

    /// `value` of the base unit in this one.
    pub fn from_base(&self, value: f64) -> f64 {
        (value - self.offset) / self.factor
    }

    /// Whether values of the two can be converted into each other.
    pub fn converts_to(&self, other: &Self) -> bool {
        self.dimension == other.dimension
            && (!matches!(self.dimension, Dimension::Money | Other) || self.symbol == other.symbol)
    }
}

/// The unit with this symbol or name.
pub(super) fn look_up(word: &str) -> Option<Unit> {
    row(word).map(Unit::from_row)
}

fn row(word: &str) -> Option<&'static Row> {
    if word.len() > 24 {
        return None;
    }
    TABLES.symbols.get(word).copied().or_else(|| {
        let is_name = word.chars().count() > 2 || word.chars().next().is_some_and(|c| is_unspaced(c) || !c.is_ascii());
        if is_name { TABLES.names.get(word.to_lowercase().as_str()).copied() } else { None }
    })
}

/// Words that begin a unit without being one.
const OPENERS: [&str; 19] = [
    "square",
    "sq",
    "cubic",
    "cu",
    "nautical",
    "light",
    "metric",
    "short",
    "us",
    "long",
    "imperial",
    "fluid",
    "fl",
    "milhas",
    "millas",
    "astronomical",
    "grad",
    "degrés",
    "kilowatt",
];

fn opens_unit(word: &str) -> bool {
    let german = matches!(word.as_bytes().first(), Some(b'Q' | b'K' | b'q' | b'k'))
        && (word.len() > 10 && (word[1..].starts_with("uadrat") || word[1..].starts_with("ubik")));
    german || OPENERS.iter().any(|opener| opener.eq_ignore_ascii_case(word))
}

/// Whether a word is a unit's name or symbol.
pub(super) fn is_unit(word: &str) -> bool {
    row(word).is_some()
}

const SQUARE: [&str; 9] =
    ["square", "sq", "quadrado", "quadrados", "cuadrado", "cuadrados", "carré", "carrés", "squared"];
const CUBIC: [&str; 8] = ["cubic", "cu", "cúbico", "cúbicos", "cubes", "cube", "cubed", "kubik"];

fn power(unit: &Unit, exponent: i32) -> Unit {
    let (dimension, mark) = if exponent == 2 { (Area, '²') } else { (Volume, '³') };
    Unit { symbol: format!("{}{mark}", unit.symbol), dimension, factor: unit.factor.powi(exponent), offset: 0.0 }
}

/// Reads a unit at token `i`: "km", "square miles", "km/h", "m²", "°C", "degrees Celsius", "people per sq km" is not one.
///
/// `glued` tells that no space stands before it.
pub(super) fn read_unit(scan: &Scan<'_>, i: usize, glued: bool) -> Option<(Unit, usize)> {
    let (first, end) = read_single(scan, i, glued)?;
    // A denominator: "km/h", "kilometres per hour", "metres a second".
    if let Some(below) = read_denominator(scan, end, first.dimension == Length) {
        return Some((over(&first, &below.0), below.1));
    }
    Some((first, end))
}

/// A denominator after a unit or noun: "/h", "per hour", "an hour" (only where `article`).
pub(super) fn read_denominator(scan: &Scan<'_>, i: usize, article: bool) -> Option<(Unit, usize)> {
    if scan.is(i, '/') {
        return read_single(scan, i + 1, true);
    }
    let next = scan.past_space(i);
    if next == i {
        return None;
    }
    if scan.is_any(next, &["per", "por", "pro", "par"]) {
        return read_single(scan, scan.past_space(next + 1), false);
    }
    if article && scan.is_any(next, &["an", "a"]) {
        let (unit, end) = read_single(scan, scan.past_space(next + 1), false)?;
        return (unit.dimension == Time).then_some((unit, end));
    }
    None
}

/// The quotient of two units.
pub(super) fn over(above: &Unit, below: &Unit) -> Unit {
    let dimension = match (above.dimension, below.dimension) {
        (Length, Time) => Speed,
        (Energy, Time) => Power,
        _ => Other,
    };
    let factor = if dimension == Other { 1.0 } else { above.factor / below.factor };
    Unit { symbol: format!("{}/{}", above.symbol, below.symbol), dimension, factor, offset: 0.0 }
}

fn read_single(scan: &Scan<'_>, i: usize, glued: bool) -> Option<(Unit, usize)> {
    let token = scan.at(i)?;
    match token.kind {
        Kind::Symbol => return read_symbol(scan, i, glued),
        Kind::Word => {}
        _ => return None,
    }
    if is_unspaced(token.first) {
        return read_unspaced(scan, i);
    }
    let word = scan.str(i);
    if row(word).is_none() && !opens_unit(word) {
        return None;
    }
    // "square miles", "sq. km", "cubic metres".
    for (words, exponent) in [(&SQUARE[..], 2), (&CUBIC[..], 3)] {
        if scan.is_any(i, words) {
            let after = if scan.is(i + 1, '.') { i + 2 } else { i + 1 };
            let next = scan.past_space(after);
            if let Some(unit) = look_up(scan.str(next)).filter(|unit| next > after && unit.dimension == Length) {
                return Some((power(&unit, exponent), next + 1));
            }
            return None;
        }
    }
    let next = scan.past_space(i + 1);
    let joined = if scan.is(i + 1, '-') { i + 2 } else { next };
    // Names of two words.
    let pair = |second: &[&str]| joined > i + 1 && scan.is_any(joined, second);
    if scan.is_any(i, &["nautical"]) && pair(&["mile", "miles"]) {
        return look_up("nmi").map(|unit| (unit, joined + 1));
    }
    if scan.is_any(i, &["light"]) && pair(&["year", "years"]) {
        return look_up("ly").map(|unit| (unit, joined + 1));
    }
    if scan.is_any(i, &["metric"]) && pair(&["ton", "tons", "tonnes"]) {
        return look_up("t").map(|unit| (unit, joined + 1));
    }
    if scan.is_any(i, &["short", "us", "long", "imperial"]) && pair(&["ton", "tons", "gallon", "gallons"]) {
        return look_up(scan.str(joined)).map(|unit| (unit, joined + 1));
    }
    if (scan.is_any(i, &["fluid"]) && pair(&["ounce", "ounces"])) || (scan.is_any(i, &["fl"]) && pair(&["oz"])) {
        return look_up("fl oz").map(|unit| (unit, joined + 1));
    }
    if scan.is_any(i, &["milhas", "millas"]) && pair(&["náuticas"]) {
        return look_up("nmi").map(|unit| (unit, joined + 1));
    }
    if scan.is_any(i, &["astronomical"]) && pair(&["unit", "units"]) {
        return look_up("AU").map(|unit| (unit, joined + 1));
    }
    if scan.is_any(i, &["degree", "degrees", "graus", "grados", "grad", "degrés"]) {
        if joined > i + 1 && scan.is_any(joined, &["celsius", "fahrenheit", "centigrade", "c", "f"]) {
            let symbol = if scan.str(joined).to_ascii_lowercase().starts_with('f') { "°F" } else { "°C" };
            return look_up(symbol).map(|unit| (unit, joined + 1));
        }
        return Some((Unit::plain("°", Other), i + 1));
    }
    for (stem, symbol) in [("kilowatt", "kWh"), ("megawatt", "MWh"), ("gigawatt", "GWh"), ("terawatt", "TWh")] {
        if scan.is_any(i, &[stem]) && pair(&["hour", "hours"]) {
            return look_up(symbol).map(|unit| (unit, joined + 1));
        }
    }
    // "Quadratkilometer", "Kubikmeter".
    for (prefix, exponent) in [("quadrat", 2), ("kubik", 3)] {
        if let Some(rest) = word.to_lowercase().strip_prefix(prefix)
            && let Some(unit) = look_up(rest).filter(|unit| unit.dimension == Length)
        {
            return Some((power(&unit, exponent), i + 1));
        }
    }
    let unit = look_up(word)?;
    if unit.symbol == "in" && word == "in" {
        return None;
    }
    // Letters that are words or labels as often as units.
    if matches!(word, "A" | "B" | "N" | "d" | "st") && !glued {
        return None;
    }
    let mut end = i + 1;
    if unit.dimension == Length {
        let exponent = if scan.is(end, '²') || (scan.is(end, '^') && scan.str(end + 1) == "2") || scan.str(end) == "2"
        {
            2
        } else if scan.is(end, '³') || (scan.is(end, '^') && scan.str(end + 1) == "3") || scan.str(end) == "3" {
            3
        } else {
            0
        };
        if exponent != 0 {
            end += if scan.is(end, '^') { 2 } else { 1 };
            return Some((power(&unit, exponent), end));
        }
        if next > i + 1 {
            if scan.is_any(next, &SQUARE[2..]) {
                return Some((power(&unit, 2), next + 1));
            }
            if scan.is_any(next, &CUBIC[2..7]) {
                return Some((power(&unit, 3), next + 1));
            }
        }
    }
    // "V8", "W2": letters with digits of their own are names.
    if !glued && scan.kind(end) == Some(Kind::Digits) {
        return None;
    }
    // "km/h" and "Mbit/s" are looked up whole, so that their dimension is known.
    if scan.is(end, '/')
        && let Some(whole) = look_up(&format!("{word}/{}", scan.str(end + 1)))
    {
        return Some((whole, end + 2));
    }
    Some((unit, end))
}

fn read_symbol(scan: &Scan<'_>, i: usize, glued: bool) -> Option<(Unit, usize)> {
    let token = scan.at(i)?;
    match token.first {
        '°' | 'º' => {
            let next = scan.past_space(i + 1);
            match scan.str(next) {
                "C" => look_up("°C").map(|unit| (unit, next + 1)),
                "F" => look_up("°F").map(|unit| (unit, next + 1)),
                _ => Some((Unit::plain("°", Other), i + 1)),
            }
        }
        '℃' => look_up("°C").map(|unit| (unit, i + 1)),
        '℉' => look_up("°F").map(|unit| (unit, i + 1)),
        // 5'10": feet and inches with the marks of a typewriter.
        '\'' | '’'
            if glued
                && scan.kind(i + 1) == Some(Kind::Digits)
                && matches!(scan.at(i + 2).map(|t| t.first), Some('"' | '”')) =>
        {
            look_up("ft").map(|unit| (unit, i + 1))
        }
        '"' | '”' if glued && i >= 2 && matches!(scan.at(i - 2).map(|t| t.first), Some('\'' | '’')) => {
            look_up("in").map(|unit| (unit, i + 1))
        }
        '′' if glued => look_up("ft").map(|unit| (unit, i + 1)),
        '″' if glued => look_up("in").map(|unit| (unit, i + 1)),
        _ => None,
    }
}

/// Units of scripts without spaces: the longest name that starts here, "平方" and "立方" before it.
fn read_unspaced(scan: &Scan<'_>, i: usize) -> Option<(Unit, usize)> {
    for (prefix, exponent) in [("平方", 2), ("立方", 3)] {
        if scan.at(i).is_some_and(|token| scan.text[token.start..].starts_with(prefix)) {
            let (unit, end) = read_unspaced(scan, i + 2)?;
            return (unit.dimension == Length).then(|| (power(&unit, exponent), end));
        }
    }
    (1..=6_usize).rev().find_map(|length| {
        let (first, last) = (scan.at(i)?, scan.at(i + length - 1)?);
        (last.kind == Kind::Word).then_some(())?;
        let unit = look_up(&scan.text[first.start..last.end])?;
        Some((unit, i + length))
    })
}

#[cfg(test)]
mod tests {
    use super::super::value_tokens::scan;
    use super::*;

    fn unit(text: &str) -> Option<(String, Dimension)> {
        let scan = scan(text);
        read_unit(&scan, 0, false).map(|(unit, _)| (unit.symbol, unit.dimension))
    }

    #[test]
    fn compound_units_are_put_together() {
        for (text, symbol, dimension) in [
            ("km²", "km²", Area),
            ("square miles", "mi²", Area),
            ("sq. km", "km²", Area),
            ("cubic metres", "m³", Volume),
            ("Quadratkilometer", "km²", Area),
            ("quilômetros quadrados", "km²", Area),
            ("km/h", "km/h", Speed),
            ("kilometres per hour", "km/h", Speed),
            ("miles an hour", "mi/h", Speed),
            ("km/l", "km/l", Other),
            ("degrees Celsius", "°C", Temperature),
            ("°F", "°F", Temperature),
            ("平方公里", "km²", Area),
            ("米", "m", Length),
            ("nautical miles", "nmi", Length),
            ("light-years", "ly", Length),
        ] {
            assert_eq!(unit(text), Some((symbol.to_owned(), dimension)), "{text}");
        }
    }

    #[test]
    fn a_bit_is_not_a_byte_and_in_is_not_an_inch() {
        assert_eq!(unit("Mb"), Some(("Mbit".to_owned(), Data)));
        assert_eq!(unit("MB"), Some(("MB".to_owned(), Data)));
        assert_eq!(unit("in"), None);
    }

    #[test]
    fn boiling_water_is_the_same_on_both_scales() {
        let (celsius, fahrenheit) = (look_up("°C").unwrap(), look_up("°F").unwrap());
        assert!((celsius.to_base(100.0) - fahrenheit.to_base(212.0)).abs() < 1e-9);
        assert!((fahrenheit.from_base(celsius.to_base(0.0)) - 32.0).abs() < 1e-9);
    }
}
