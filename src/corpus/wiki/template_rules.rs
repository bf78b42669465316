//! What is known of templates by name: which show one of their values, which a sign, which nothing.

use super::template_dates as dates;
use super::template_values as values;
use super::templates::Call;

/// How a template is shown.
#[derive(Clone, Copy)]
pub(super) enum Rule {
    /// Not at all.
    Drop,
    /// As this text.
    Text(&'static str),
    /// As its value of that number, from 1.
    Show(usize),
    /// As its last value.
    Last,
    /// As its first value between two texts.
    Around(&'static str, &'static str),
    /// As its values with this between them.
    Join(&'static str),
    /// By a function; a gap where that knows no answer.
    With(fn(&Call<'_>) -> Option<String>),
    /// As rows of names and values.
    Record,
}

/// The rule for a template's name (in lower case), if there is one.
pub(super) fn rule(name: &str) -> Option<Rule> {
    exact(name).or_else(|| by_prefix(name))
}

fn by_prefix(name: &str) -> Option<Rule> {
    const DROPPED: &[&str] = &[
        "cite ",
        "citation",
        "cita ",
        "citar ",
        "literatur",
        "internetquelle",
        "ouvrage",
        "article",
        "lien web",
        "webbrowser",
        "sfn",
        "harv",
        "efn",
        "ref",
        "note",
        "r|",
        "rp|",
        "use ",
        "pp-",
        "commons",
        "wikisource",
        "wikiquote",
        "portal",
        "navbox",
        "nav ",
        "ipa",
        "authority",
        "normdaten",
        "défaut",
        "default",
        "short desc",
        "about",
        "for ",
        "redirect",
        "see ",
        "main ",
        "stub",
        "refimprove",
        "cn ",
        "citation needed",
        "clarify",
        "css ",
        "sister",
        "col-",
        "div col",
    ];
    if let Some(language) = name.strip_prefix("lang-")
        && language.len() <= 12
    {
        return Some(Rule::Show(1));
    }
    if name.ends_with("-stub") || name.ends_with(" stub") || name.ends_with("navbox") || name.ends_with("sidebar") {
        return Some(Rule::Drop);
    }
    DROPPED.iter().any(|prefix| name.starts_with(prefix)).then_some(Rule::Drop)
}

fn exact(name: &str) -> Option<Rule> {
    Some(match name {
        // Values shown as they are.
        "nowrap" | "nobr" | "nobreak" | "small" | "smaller" | "big" | "larger" | "large" | "huge" | "resize"
        | "abbr" | "abbrlink" | "tooltip" | "sic" | "visible anchor" | "vanchor" | "va" | "center" | "left"
        | "right" | "nobold" | "noitalic" | "normal" | "em" | "strong" | "bold" | "italic" | "underline"
        | "strikethrough" | "smallcaps" | "sc" | "smallcaps all" | "caps" | "allcaps" | "mono" | "var" | "kbd"
        | "samp" | "code" | "mvar" | "math" | "bigmath" | "script" | "transl" | "not a typo" | "notatypo"
        | "proper name" | "as written" | "typo" | "ship name" | "no wrap" | "nowrap begin" | "nbhsp" | "url"
        | "official url" | "flag" | "flagcountry" | "flagu" | "flag+link" | "flagdeco+link" | "country" | "fb"
        | "fbw" | "cr" | "cr-rt" | "ru" | "ill" | "interlanguage link" | "illm" | "link-interwiki" | "lien"
        | "plainlist" | "flatlist" | "plain list" | "collapsible" | "formatnum" | "gaps" | "tq" | "hidden ref"
        | "unité de mesure" | "pourcentage" | "corr" | "petit" | "nom" | "keep wrap" | "normalsize" | "hover title"
        | "linktext" | "wikt-lang" | "keypress" | "key press" | "chem2" | "chem" | "ce" | "mset" | "ascii" | "zwj"
        | "fontsize" | "inline block" | "box" | "bigger" | "fs interlinear" | "anchored list" | "nihongo krt"
        | "mp" | "bare anchored list" => match name {
            "transl" => Rule::Last,
            "gaps" => Rule::Join(""),
            "nowrap begin" | "zwj" => Rule::Drop,
            "formatnum" => Rule::With(values::number),
            _ => Rule::Show(1),
        },
        "lang" | "langx" | "color" | "colour" | "fontcolor" | "font color" | "font" | "bg" | "background color"
        | "text" | "wikt" | "rotate" | "translation" | "lang-fr|" | "langue" | "idioma" | "audio" | "coloured link"
        | "colored link" | "clr" | "tt" | "abbreviation" | "hs" => match name {
            "wikt" | "tt" | "text" | "abbreviation" => Rule::Show(1),
            "hs" => Rule::Drop,
            _ => Rule::Show(2),
        },
        "transliteration" | "translit" | "rtl-lang" | "rtl-para" | "unicode" | "polytonic" | "iast" | "hebrew"
        | "script/hebrew" => Rule::Last,
        "sup" | "superscript" => Rule::Around("<sup>", "</sup>"),
        "sub" | "subscript" => Rule::Around("<sub>", "</sub>"),
        "\"" | "\" '" | "quotes" | "qq" => Rule::Around("“", "”"),
        "'" | "' \"" => Rule::Text("'"),
        "literal translation" | "lit" | "literally" => Rule::Around("lit. “", "”"),
        "translated" | "trans" => Rule::Around("“", "”"),
        "circa" | "c." | "ca." | "c" => Rule::With(dates::circa),
        "floruit" | "fl." => Rule::Around("fl. ", ""),
        "reign" | "r." => Rule::With(dates::reign),
        "quote" | "blockquote" | "cquote" | "quotation" | "quote box" | "poem quote" | "verse translation"
        | "zitat" | "cita" | "citation bloc" | "pull quote" => Rule::With(values::quotation),
        // Signs.
        "ndash" | "spaced ndash" | "snd" | "spnd" | "snds" | "spndash" | "spaced en dash" => Rule::Text(" – "),
        "–" | "en dash" | "endash" | "nsndns" => Rule::Text("–"),
        "mdash" | "emdash" | "—" | "em dash" | "spaced mdash" | "smdash" => Rule::Text("—"),
        "nbsp" | "space" | "spaces" | "thinsp" | "thin space" | "hair space" | "hsp" | "pad" | "0ws" | "px2"
        | "spc" | "zwsp" | "figure space" | "ensp" | "emsp" => Rule::Text(" "),
        "·" | "•" | "dot" | "bull" | "bullet" | "middot" | "." | "\\" | "pipe" | "*" | "dotsep" | "nbsp·" => {
            Rule::Text(" · ")
        }
        "!" => Rule::Text("|"),
        "!!" => Rule::Text("||"),
        "!-" => Rule::Text("|-"),
        "(!" => Rule::Text("{|"),
        "!)" => Rule::Text("|}"),
        "=" => Rule::Text("="),
        "(" => Rule::Text("{"),
        ")" => Rule::Text("}"),
        "((" => Rule::Text("&#123;&#123;"),
        "))" => Rule::Text("&#125;&#125;"),
        "bracket" => Rule::Around("&#91;", "&#93;"),
        "times" | "×" | "x" => Rule::Text("×"),
        "pi" => Rule::Text("π"),
        "degree" | "deg" => Rule::Text("°"),
        "minus" => Rule::Text("−"),
        "pm" | "±" => Rule::Text("±"),
        "&" | "amp" => Rule::Text("&amp;"),
        "hash" | "number sign" => Rule::Text("#"),
        "ellipsis" | "..." | "[...]" => Rule::Text("…"),
        "male" | "♂" => Rule::Text("male"),
        "female" | "♀" => Rule::Text("female"),
        "yes" | "yes2" | "aye" | "tick" | "check" | "ja" | "oui" | "sí" | "sim" => Rule::With(values::yes),
        "no" | "no2" | "nay" | "cross" | "nein" | "non" | "não" => Rule::With(values::no),
        "n/a" | "na" => Rule::Text("not applicable"),
        "tba" | "tbd" => Rule::With(values::to_be_announced),
        "won" => Rule::Text("Won"),
        "nom." | "nominated" => Rule::Text("Nominated"),
        "percent" | "percentage" | "pct" => Rule::With(values::percentage),
        "sqrt" | "radic" => Rule::Around("√", ""),
        "br" | "break" | "crlf" | "-" | "clear line" => Rule::Text("<br>"),
        "paragraph break" | "pb" | "paragraph" | "parabr" => Rule::Text("\n\n"),
        // Lists.
        "ubl"
        | "unbulleted list"
        | "hlist"
        | "flat list"
        | "ublist"
        | "ubt"
        | "vunblist"
        | "bulleted list"
        | "cslist"
        | "comma separated entries"
        | "blist"
        | "unbulleted"
        | "list"
        | "olist"
        | "ordered list"
        | "hlist-comma" => Rule::Join(", "),
        "collapsible list" | "tree list" => Rule::Join(", "),
        "ipa" | "ipac-en" | "respell" | "pronunciation" | "pron" | "audio-ipa" | "listen" => Rule::Drop,
        // Numbers and measures.
        "convert" | "cvt" | "convinfobox" | "conv" | "converter" => Rule::With(values::convert),
        "unité" | "unit" | "unidad" | "unidade" | "einheit" | "unite" => Rule::With(values::unit),
        "val" | "sigfig" => Rule::With(values::val),
        "nts" | "ntsh" | "nombre" | "fmtn" | "formatprice" | "number" | "zahl" | "num" | "ntsc" | "sort number" => {
            Rule::With(values::number)
        }
        "frac" | "fraction" | "sfrac" | "tfrac" | "dfrac" | "bruch" | "fract" => Rule::With(values::fraction),
        "height" => Rule::With(values::height),
        "coord" | "coordinate" | "coordinates" => Rule::With(values::coordinates),
        "us$" | "usd" | "gbp" | "£" | "eur" | "euro" | "€" | "inr" | "₹" | "indian rupee" | "indian rupees" | "aud"
        | "a$" | "cad" | "c$" | "nzd" | "nz$" | "jpy" | "¥" | "yen" | "cny" | "rmb" | "krw" | "won sign" | "chf"
        | "brl" | "r$" | "php" | "peso" | "hk$" | "hkd" | "sgd" | "s$" | "zar" | "rub" | "sek" | "nok" | "dkk"
        | "pln" | "currency" => Rule::With(values::money),
        "inflation" | "inflation/year" | "inflation-year" | "format price" | "inflation-fn" => Rule::With(|_| None),
        "marriage" => Rule::With(dates::marriage),
        "nihongo" | "nihongo foot" | "korean" | "chinese" => Rule::With(values::nihongo),
        "zh" | "lang-zh" | "zh-full" => Rule::With(values::chinese),
        "flagathlete" | "flag athlete" | "flagmedalist" | "ship" | "uss" | "hms" | "ss" | "hmas" | "hmcs"
        | "sclass" => match name {
            "flagathlete" | "flag athlete" | "flagmedalist" => Rule::With(values::athlete),
            "sclass" => Rule::Join("-class "),
            "ship" => Rule::Join(" "),
            "uss" => Rule::Around("USS ", ""),
            "hms" => Rule::Around("HMS ", ""),
            "ss" => Rule::Around("SS ", ""),
            "hmas" => Rule::Around("HMAS ", ""),
            _ => Rule::Around("HMCS ", ""),
        },
        "see below" => Rule::Text("(see below)"),
        "see above" => Rule::Text("(see above)"),
        "sort" | "sortname" | "sorttext" => match name {
            "sort" | "sorttext" => Rule::Last,
            _ => Rule::With(values::sort_name),
        },
        "s" | "siècle" | "-s" | "s-" => Rule::With(dates::century_french),
        // Dates.
        "birth date" | "death date" | "start date" | "end date" | "start-date" | "end-date" | "film date"
        | "release date" | "launch date" | "date of birth" | "dob" | "dts" | "date table sorting" | "birth-date"
        | "death-date" | "born" | "opening date" | "isodate" | "dat" | "dtsh" | "datum" | "début" | "founded date"
        | "data" => Rule::With(dates::date),
        "birth date and age"
        | "bda"
        | "birth date and age2"
        | "start date and age"
        | "end date and age"
        | "sda"
        | "birth-date and age"
        | "release date and age"
        | "opened date and age" => Rule::With(dates::date),
        "death date and age" | "dda" | "death-date and age" | "death date and given age" => Rule::With(dates::death),
        "birth year and age" | "byaa" | "birth year" | "start year" | "bya" => Rule::Show(1),
        "death year and age" => Rule::Show(1),
        "dni" | "nascimento" | "morte" | "falecimento" | "nacimiento" | "fecha" | "fallecimiento" | "naissance"
        | "date de naissance" | "date de décès" | "date" | "date-" | "date de naissance-" => {
            Rule::With(dates::date_in_words)
        }
        "as of" | "asof" | "as-of" => Rule::With(dates::as_of),
        "year" | "yearlink" | "scy" | "avoid wrap" | "ca" | "cal" | "om" => Rule::Show(1),
        // Notes, warnings, layout.
        "citation needed"
        | "cn"
        | "fact"
        | "reflist"
        | "r"
        | "rp"
        | "notelist"
        | "notefoot"
        | "clear"
        | "clarify"
        | "when"
        | "who"
        | "which"
        | "by whom"
        | "according to whom"
        | "where"
        | "why"
        | "how"
        | "quantify"
        | "specify"
        | "vague"
        | "dubious"
        | "disputed inline"
        | "failed verification"
        | "verify source"
        | "better source needed"
        | "dead link"
        | "page needed"
        | "full citation needed"
        | "original research inline"
        | "pov statement"
        | "update inline"
        | "update after"
        | "undue weight inline"
        | "unreliable source?"
        | "self-published inline"
        | "primary source inline"
        | "weasel inline"
        | "tone inline"
        | "peacock inline"
        | "inline"
        | "anchor"
        | "anchors"
        | "shy"
        | "wbr"
        | "toc"
        | "toclimit"
        | "toc limit"
        | "toc right"
        | "toc left"
        | "-nosp"
        | "flagicon"
        | "flagdeco"
        | "flag icon"
        | "icon"
        | "increase"
        | "decrease"
        | "steady"
        | "increasenegative"
        | "decreasepositive"
        | "profit"
        | "loss"
        | "gain"
        | "up"
        | "down"
        | "same position"
        | "multiple image"
        | "image frame"
        | "css image crop"
        | "gallery"
        | "wide image"
        | "isbn"
        | "issn"
        | "oclc"
        | "doi"
        | "pmid"
        | "lccn"
        | "bibcode"
        | "arxiv"
        | "jstor"
        | "refend"
        | "refbegin"
        | "main"
        | "see also"
        | "further"
        | "details"
        | "hatnote"
        | "for"
        | "about"
        | "distinguish"
        | "other uses"
        | "year nav"
        | "official website"
        | "official"
        | "imdb name"
        | "imdb title"
        | "find a grave"
        | "good article"
        | "featured article"
        | "italic title"
        | "displaytitle"
        | "lowercase title"
        | "coi"
        | "more citations needed"
        | "unreferenced"
        | "orphan"
        | "refn"
        | "#tag:ref"
        | "sfnp"
        | "sfnm"
        | "esoteric"
        | "campaignbox"
        | "succession box"
        | "s-start"
        | "s-end"
        | "s-bef"
        | "s-aft"
        | "s-ttl"
        | "end"
        | "bots"
        | "nobots"
        | "dmy"
        | "mdy"
        | "legend"
        | "legend0"
        | "chart"
        | "graph:chart"
        | "ahnentafel"
        | "family tree"
        | "columns"
        | "colbegin"
        | "colend"
        | "end div col"
        | "col-end"
        | "belegstellen"
        | "coord missing"
        | "lead too short"
        | "expand section"
        | "empty section"
        | "cleanup"
        | "tone"
        | "moresources"
        | "begriffsklärung"
        | "sic!"
        | "audio file"
        | "anchor|"
        | "élément"
        | "réf"
        | "référence nécessaire"
        | "references"
        | "références"
        | "multiple issues"
        | "listen|"
        | "sources"
        | "sp"
        | "void"
        | "null"
        | "zwnj"
        | "rh" => Rule::Drop,
        "track listing"
        | "tracklist"
        | "album ratings"
        | "music ratings"
        | "video game reviews"
        | "football box"
        | "footballbox"
        | "football box collapsible"
        | "weather box"
        | "historical populations"
        | "us census population"
        | "nfl predraft"
        | "chembox"
        | "drugbox"
        | "taxobox"
        | "speciesbox"
        | "automatic taxobox"
        | "geobox"
        | "bio"
        | "personendaten"
        | "divisione amministrativa" => match name {
            "personendaten" => Rule::Drop,
            _ => Rule::Record,
        },
        _ => return None,
    })
}
