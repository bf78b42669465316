//! Whether four digits are a year, and what the words before a date say of it.
//!
//! "in 1889" is a year; "1500 employees", "Boeing 1500", "1,500" and "1500 m" are not.

use super::date_forms::number_at;
use super::dates::DateBound;
use super::lexicon::{NumberWord, Tongue};
use super::nouns;
use super::spelled;
use super::units;
use super::value_tokens::{Kind, Scan, is_unspaced};

/// Whether a number may begin at `i`: it is not the tail of an identifier, a decimal or an amount of money.
pub(super) fn clean_left(scan: &Scan<'_>, i: usize) -> bool {
    let Some(before) = scan.before(i) else { return true };
    match before.kind {
        Kind::Space => true,
        Kind::Word => is_unspaced(before.first),
        Kind::Digits | Kind::Opaque => false,
        Kind::Symbol => match before.first {
            '(' | '[' | '?' | '"' | '“' | '”' | '‘' | '«' | '—' | '*' | ';' | '|' | '~' | '>' | '…' | '≈' | '，'
            | '。' | '、' | '：' | '（' | '「' => true,
            // A list without spaces, a ratio, a decimal: not a new number when digits stand before.
            ',' | ':' | '/' | '–' | '.' | '\'' | '’' | '_' | '=' => {
                let further = i.checked_sub(2).and_then(|at| scan.at(at));
                !matches!(further, Some(token) if matches!(token.kind, Kind::Digits))
                    && !matches!((before.first, further), ('.' | '_' | '/', Some(token)) if token.kind == Kind::Word)
            }
            // "mid-1980s" but not "CVE-2024".
            '-' | '‑' => {
                let further = i.checked_sub(2);
                match further.and_then(|at| scan.kind(at)) {
                    Some(Kind::Word) => further.is_some_and(|at| {
                        scan.is_any(at, &["mid", "early", "late", "pre", "post", "since", "circa", "january", "march"])
                    }),
                    _ => false,
                }
            }
            _ => false,
        },
    }
}

/// Whether a number may end before `i`: no letter, digit group or unit sign follows.
pub(super) fn clean_right(scan: &Scan<'_>, i: usize) -> bool {
    let Some(after) = scan.at(i) else { return true };
    match after.kind {
        Kind::Space => true,
        Kind::Word => is_unspaced(after.first),
        Kind::Digits | Kind::Opaque => false,
        Kind::Symbol => match after.first {
            '.' | ',' | ':' | '/' | '\'' | '’' => scan.kind(i + 1) != Some(Kind::Digits),
            '%' | '‰' | '°' | '€' | '$' | '£' | '¥' | '+' | '@' | '′' | '″' | '×' | '^' | '²' => false,
            _ => true,
        },
    }
}

/// What the words before a date say.
#[derive(Debug, Default)]
pub(super) struct Before {
    pub bound: DateBound,
    pub approximate: bool,
    /// "early", "mid", "late", with the token at which it stands.
    pub part: Option<(&'static str, usize)>,
}

/// Reads the words before the date at `i`: "in early 1990", "before 3 March", "around 1850".
pub(super) fn preposition(scan: &Scan<'_>, i: usize) -> Before {
    let mut before = Before::default();
    let mut at = i;
    for _ in 0..4 {
        let hyphen = at.checked_sub(1).is_some_and(|j| scan.is(j, '-'));
        let point = at.checked_sub(2).is_some_and(|j| scan.is(j, '.'));
        let j = if hyphen {
            at.checked_sub(2)
        } else if point {
            at.checked_sub(3)
        } else {
            scan.word_before(at)
        };
        let Some(j) = j.filter(|&j| scan.kind(j) == Some(Kind::Word)) else { break };
        if scan.is_any(j, &["early", "anfang", "início", "début"]) {
            before.part = Some(("early", j));
        } else if scan.is_any(j, &["late", "ende", "fins", "finales", "fin"]) {
            before.part = Some(("late", j));
        } else if scan.is_any(j, &["mid", "middle", "mitte", "meados", "mediados"]) {
            before.part = Some(("mid", j));
        } else if scan.is_any(
            j,
            &[
                "c",
                "ca",
                "circa",
                "around",
                "about",
                "approximately",
                "roughly",
                "um",
                "gegen",
                "cerca",
                "hacia",
                "vers",
            ],
        ) {
            before.approximate = !(scan.is_any(j, &["um"]) && scan.tongue == Tongue::Portuguese);
        } else if scan.is_any(j, &["before", "pre", "predates", "antes", "avant", "vor", "prior"]) {
            before.bound = DateBound::Before;
            break;
        } else if scan.is_any(j, &["after", "post", "nach", "após", "después", "après"]) {
            before.bound = DateBound::After;
            break;
        } else if scan.is_any(j, &["since", "from", "seit", "desde", "depuis"]) {
            before.bound = DateBound::Since;
            break;
        } else if scan.is_any(j, &["until", "till", "by", "through", "bis", "até", "hasta"]) {
            before.bound = DateBound::Until;
            break;
        } else if !scan.is_any(j, &["the", "of", "de", "dos", "das", "der", "den", "los", "in", "im", "to"]) {
            break;
        }
        at = j;
        // Only "early", "the" and their like may stand between the preposition and the date.
        if scan.is_any(j, &["in", "im", "of"])
            && before.part.is_none()
            && !before.approximate
            && !scan.is_any(j, &["of"])
        {
            break;
        }
    }
    before
}

/// Words after which four digits are a year.
#[rustfmt::skip]
const YEAR_AFTER: &[&str] = &[
    "in", "since", "until", "till", "during", "before", "after", "circa", "ca", "c", "year", "years", "early", "late", "mid", "between", "from", "by",
    "spring", "summer", "autumn", "fall", "winter", "born", "died", "founded", "established", "est", "built", "completed", "opened", "published",
    "released", "elected", "class", "copyright", "around", "census", "anno", "pre", "post", "ad", "of",
    "im", "jahr", "jahre", "jahres", "seit", "bis", "ab", "vor", "nach", "anfang", "ende", "mitte", "wurde", "wurden", "zwischen", "gegen",
    "em", "desde", "até", "ano", "fundada", "fundado", "nascido", "nascida", "entre", "criada", "criado",
    "en", "año", "hasta", "depuis", "dès", "année", "avant", "après", "fondée", "fondé", "né", "née",
];

/// Words that already make the number a quantity or a label.
#[rustfmt::skip]
const NO_YEAR_AFTER: &[&str] = &[
    "than", "least", "most", "over", "exactly", "only", "room", "page", "no", "number", "flight", "model", "route", "highway", "nearly",
    "approximately", "almost", "roughly", "some", "total", "totalling", "totaling", "exceeds", "exceed", "plus", "minus", "times",
    "equals", "sum", "about", "mais", "mehr", "más", "plus", "etwa", "rund", "cerca", "aproximadamente", "iso", "rfc", "article", "nr", "section", "chapter",
];

/// Nouns whose "of" takes a quantity: "a height of 1500".
#[rustfmt::skip]
const MEASURED: &[&str] = &[
    "total", "population", "height", "length", "width", "depth", "sum", "average", "mean", "median", "maximum", "minimum", "number", "distance", "altitude",
    "elevation", "capacity", "speed", "score", "area", "weight", "staff", "workforce", "value", "rate", "cost", "price", "output", "range", "excess", "load",
];

/// Plurals that a year goes before: "the 2019 elections".
#[rustfmt::skip]
const EVENTS: &[&str] = &[
    "elections", "olympics", "games", "championships", "awards", "floods", "protests", "riots", "fires", "earthquakes", "finals", "playoffs", "talks",
    "attacks", "bombings", "estimates", "figures", "results", "accounts", "sales", "revenues", "earnings", "prices", "levels", "data", "negotiations",
    "primaries", "hearings", "reforms", "events", "sanctions", "sessions", "amendments", "census", "rules", "wildfires", "statistics", "numbers", "models",
];

/// Verbs that begin a clause after a plural subject: "In 2019 sales rose".
#[rustfmt::skip]
const VERBS: &[&str] = &[
    "were", "are", "had", "have", "rose", "fell", "grew", "increased", "declined", "decreased", "began", "became", "came", "went", "took", "made", "left",
    "reached", "dropped", "doubled", "lost", "won", "started", "said", "moved", "died", "could", "would", "did", "saw", "sold",
];

/// The year at `i`, if the four digits there are one in their context; with the index after it.
pub(super) fn year_at(scan: &Scan<'_>, i: usize) -> Option<(i16, usize)> {
    let (value, length) = number_at(scan, i)?;
    let year = i16::try_from(value).ok()?;
    if length != 4 || !(1000..2200).contains(&year) || !clean_left(scan, i) || !clean_right(scan, i + 1) {
        return None;
    }
    let previous = scan.word_before(i);
    let context = Context {
        year,
        after_word: previous.is_some_and(|at| scan.is_any(at, YEAR_AFTER)),
        after_year: after_year(scan, i),
    };
    let died = i >= 2 && scan.kind(i - 1) == Some(Kind::Space) && scan.is(i - 2, '†');
    let strong = context.after_word || context.after_year || in_brackets(scan, i) || died;
    if let Some(at) = previous {
        if scan.is_any(at, NO_YEAR_AFTER) && !hedges_a_year(scan, at, i) {
            return None;
        }
        if scan.is_any(at, &["of", "de", "von"]) && measured(scan, at) {
            return None;
        }
    }
    if year < 1500 && !(strong || previous.is_some_and(|at| scan.is_any(at, HEDGES))) {
        return None;
    }
    if !ends_well(scan, i, year) || counts_what_follows(scan, i, &context, strong) {
        return None;
    }
    Some((year, i + 1))
}

/// What stands around four digits that may be a year.
struct Context {
    year: i16,
    /// After a word that years follow.
    after_word: bool,
    /// After another year: "1987 and 1990".
    after_year: bool,
}

impl Context {
    /// A year that prose of today names often.
    fn is_modern(&self) -> bool {
        (1800..2100).contains(&self.year)
    }
}

/// Hedges that stand before years as well as before numbers of things.
const HEDGES: &[&str] =
    &["about", "approximately", "roughly", "nearly", "almost", "etwa", "rund", "cerca", "aproximadamente"];

/// Whether the hedge, or the tail of one, at `at` is of a year: "born in approximately 1877", "until at least 1960",
/// "About 1808 he became".
fn hedges_a_year(scan: &Scan<'_>, at: usize, i: usize) -> bool {
    let start = if scan.is_any(at, HEDGES) {
        at
    } else if scan.is_any(at, &["least", "most"]) && scan.previous_is(at, &["at"]) {
        scan.word_before(at).unwrap_or(at)
    } else {
        return false;
    };
    let placed = scan.previous_is(
        start,
        &[
            "in", "since", "from", "until", "till", "by", "between", "born", "built", "and", "to", "before", "after",
            "em", "seit", "bis",
        ],
    );
    let opens = scan.is_any(start, HEDGES) && scan.starts_sentence(start);
    let clause = scan.is_any(scan.past_space(i + 1), &["he", "she", "it", "they", "the", "his", "her", "its", "this"])
        || scan.is(i + 1, ',');
    placed || (opens && clause)
}

/// Whether a dash and digits after the four at `i` leave them a year: "1992–98" and "1992–1998" do, "2130–6560" and
/// "2000–10,000" do not, nor does "1500–1800 people".
fn ends_well(scan: &Scan<'_>, i: usize, year: i16) -> bool {
    let dash = matches!(scan.at(i + 1).map(|token| token.first), Some('-' | '–' | '—'));
    let Some((second, length)) = number_at(scan, i + 2).filter(|_| dash) else { return true };
    let later = match length {
        2 => second > i32::from(year) % 100,
        4 => second > i32::from(year) && second < 2200,
        _ => false,
    };
    let separated =
        matches!(scan.at(i + 3).map(|token| token.first), Some(',' | '.')) && scan.kind(i + 4) == Some(Kind::Digits);
    later && !separated && !measures_what_follows(scan, i + 2)
}

/// Whether a unit, an amount or a noun that is always counted follows the digits at `i`.
fn measures_what_follows(scan: &Scan<'_>, i: usize) -> bool {
    let next = scan.past_space(i + 1);
    let lower = scan.str(next).to_lowercase();
    matches!(scan.at(next).map(|token| token.first), Some('%' | '€' | '$' | '£' | '°'))
        || THINGS.contains(&lower.as_str())
        || (next > i + 1 && !scan.is_capital(next) && units::read_unit(scan, next, false).is_some())
}

/// Plurals that are counted in thousands, so that four digits before them are no year.
#[rustfmt::skip]
const THINGS: &[&str] = &[
    "people", "persons", "employees", "workers", "men", "women", "children", "soldiers", "troops", "users", "households", "students", "residents", "inhabitants",
    "homes", "houses", "deaths", "jobs", "units", "copies", "members", "species", "tons", "items", "seats", "beds", "visitors", "passengers", "patients", "cases",
    "votes", "points", "stores", "shops", "schools", "cities", "countries", "villages", "towns", "locations", "places", "songs", "books", "films", "matches",
    "hospitals", "companies", "samples", "respondents", "subjects", "accounts", "ways", "instances", "years", "pages", "words", "ships", "vehicles", "cars", "horses", "families", "victims", "refugees", "prisoners", "participants", "volunteers",
];

/// Whether the noun before "of" at `i` is one that is measured.
fn measured(scan: &Scan<'_>, i: usize) -> bool {
    scan.word_before(i).is_some_and(|at| scan.is_any(at, MEASURED))
}

/// "(1987", "(1987–", ", 1987)".
fn in_brackets(scan: &Scan<'_>, i: usize) -> bool {
    let opened = i.checked_sub(1).is_some_and(|j| scan.is(j, '(') || scan.is(j, '[') || scan.is(j, '（'));
    opened && !scan.is(i + 1, '/')
}

/// "1987 and 1990", "1987, 1990", "1987 to 1990": a year already stands right before.
fn after_year(scan: &Scan<'_>, i: usize) -> bool {
    let word = scan.word_before(i);
    let mut j = match word {
        Some(at) if scan.is_any(at, &["and", "or", "to", "through", "und", "oder", "e", "y", "et"]) => at,
        Some(_) => return false,
        None => i,
    };
    while let Some(token) = scan.before(j) {
        let skip = match token.kind {
            Kind::Space => token.first != '\r',
            Kind::Symbol => token.first == ',',
            _ => false,
        };
        if !skip {
            break;
        }
        j -= 1;
        if i - j > 5 {
            return false;
        }
    }
    j != i
        && j > 0
        && number_at(scan, j - 1).is_some_and(|(value, length)| length == 4 && (1000..2200).contains(&value))
}

/// Whether what follows makes the four digits at `i` a count, a measure or an amount.
fn counts_what_follows(scan: &Scan<'_>, i: usize, context: &Context, strong: bool) -> bool {
    if scan.is(i + 1, '-') && scan.kind(i + 2) == Some(Kind::Word) {
        let kept = ["based", "born", "era", "style", "present", "today", "vintage", "built", "level", "levels"];
        return !scan.is_any(i + 2, &kept) && !scan.is_capital(i + 2);
    }
    let next = scan.past_space(i + 1);
    let Some(token) = scan.at(next).filter(|_| next > i + 1) else {
        return ends_a_copula(scan, i, strong);
    };
    match token.kind {
        Kind::Symbol => {
            matches!(token.first, '%' | '€' | '$' | '£' | '¥' | '°' | '×' | '=' | '+' | '÷')
                || ends_a_copula(scan, i, strong)
        }
        Kind::Word => {
            if spelled::read_scale(scan, next).is_some() {
                return true;
            }
            let word = scan.str(next);
            let lower = word.to_lowercase();
            let code = matches!(word, "USD" | "EUR" | "GBP" | "CHF" | "BRL" | "JPY" | "CNY" | "INR");
            if code
                || matches!(
                    lower.as_str(),
                    "percent" | "per" | "euros" | "euro" | "dollars" | "yen" | "prozent" | "por"
                )
            {
                // "(1970 USD)" are dollars of that year.
                return !(code && in_brackets(scan, i));
            }
            if units::read_unit(scan, next, false).is_some() {
                let name = scan.is_capital(next) && context.is_modern() && scan.tongue != Tongue::German;
                return !(strong && (word.chars().count() == 1 && word != "m" || name)) && !(name && word.len() > 3);
            }
            followed_by_counted(scan, i, next, &lower, context, strong)
        }
        _ => false,
    }
}

/// "The total was 1826.": a number that ends a clause after a form of "to be".
fn ends_a_copula(scan: &Scan<'_>, i: usize, strong: bool) -> bool {
    !strong
        && scan.word_before(i).is_some_and(|at| {
            scan.is_any(at, &["is", "was", "are", "were", "est", "é", "ist", "war", "era", "employs"])
                && !scan.previous_is(at, &["season", "year", "date", "ano", "jahr"])
        })
}

fn followed_by_counted(scan: &Scan<'_>, i: usize, next: usize, lower: &str, context: &Context, strong: bool) -> bool {
    if EVENTS.contains(&lower) || lower == "est" {
        return false;
    }
    let modern = context.is_modern();
    if scan.tongue == Tongue::German {
        return !strong && !modern && scan.is_capital(next) && nouns::is_plural(lower, scan.tongue);
    }
    if scan.is_capital(next) {
        return !modern && !strong && nouns::is_plural(lower, scan.tongue);
    }
    if modern {
        let thing = THINGS.contains(&lower);
        // "the 2008 seasons", "Venezuela's 2004 rules", "Cup 2008 matches": of that year.
        let determined = scan.previous_is(
            i,
            &["the", "a", "an", "his", "her", "its", "their", "this", "that", "s", "os", "las", "los", "les"],
        ) || scan.word_before(i).is_some_and(|at| {
            (scan.is_capital(at) && !scan.starts_sentence(at)) || matches!(scan.number_word(at), NumberWord::Small(_))
        });
        if !thing && (determined || context.after_year) {
            return false;
        }
    }
    let reach = if modern { 1 } else { 3 };
    let Some((_, end)) = nouns::counted_plural(scan, next, reach) else {
        // "1850 full-time employees": an adjective, then something that is counted.
        return modern && !strong && (scan.past_space(next + 1)..next + 8).any(|at| scan.is_any(at, THINGS));
    };
    // After "in" and its like what follows may be a clause or its verb: "In 2019 sales rose", "the study of 2013 shows".
    let clause = scan.is_any(scan.past_space(end), VERBS);
    !(strong && context.year >= 1500 && (clause || !THINGS.contains(&lower)))
}

impl Scan<'_> {
    /// Whether the word before `i` is one of `words`.
    pub(super) fn previous_is(&self, i: usize, words: &[&str]) -> bool {
        self.word_before(i).is_some_and(|at| self.is_any(at, words))
    }
}
