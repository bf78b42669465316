//! Words that end in a point without ending a sentence, and how far each kind goes.

use std::collections::HashMap;
use std::sync::LazyLock;

/// What a point after a word means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Abbreviation {
    /// Stands before a name or a further word and never ends a sentence: "Dr.", "e.g.".
    Leading,
    /// Stands before a number: "no. 5", "p. 3". Without one it is a word like any other if `word`.
    BeforeNumber {
        /// Whether the letters are also a word that may end a sentence ("no").
        word: bool,
    },
    /// May end a sentence: only the next word tells ("Inc.", "U.S.").
    MayEnd,
    /// A unit: after a number, a capital begins a sentence.
    Unit,
    /// Mostly ends a sentence when a capital follows: "etc.", "p.m.".
    OftenEnds,
}

const LEADING: &str = "mr mrs ms mx dr drs prof rev hon gen col lt lieut sgt cpl capt cmdr maj adm brig gov sen rep pres amb \
    messrs mme mlle mgr msgr supt insp det ofc mt ft sr sra srta srs sras dra dña dn lic ing arq avv dott dott.ssa sig \
    sig.ra sig.na sigg rag geom spett egr gent exmo exma ilmo ilma sto sta eng adv vgl vs v cf viz e.g eg i.e ie f.e ex \
    z.b d.h u.a i.d.r o.ä u.ä bzw sog ggf evtl inkl exkl zzgl bspw ca approx circa incl excl resp hr fr frl dipl theol \
    jur phil habil kath evang geb gegr ausg übers aufl kgl skt p.ex p.e por.ex ex.ª p.ej ej cfr cit trad ad.es psicol \
    meteor idraul j.-c bijv o.a d.w.z m.n t.a.v i.v.m dhr mevr drs btw p.s ps n.b z ad st.d rs av cra \
    проф ул пгт кв г-н г-жа им т.е т.н св";
const BEFORE_NUMBER: &str = "nos nr nrs nº n° n.º num núm número n art arts artt p pp pg pgs pág págs fig figs sec secs sect \
    ch chap chaps vol vols cap caps cl par para paras ziff kap bd bde s op bk eq eqs ref refs tab tel tél ext apt ste rm \
    ver vers pos blz bl párr párrf lám tom app ann cod fasc f.f";
const BEFORE_NUMBER_WORDS: &str = "no item number version jan feb febr mar apr jun jul aug sep sept oct nov dec mon tue \
    tues wed thu thur thurs fri sat sun lun mié jue vie sáb dom ene abr ago set out dez fev okt mär dic gen giu lug ott";
const MAY_END: &str = "inc ltd co corp bros llc plc pty gmbh jr snr jnr esq ph.d m.d b.a m.a b.sc m.sc d.phil ll.d dept \
    univ assn bldg ave blvd rd hwy st sq pl ln est max avg temp al ind wash calif fla mass ill tex conn \
    ariz colo minn mich wis ala tenn okla kan neb nev n.y n.j n.c s.c d.c u.s u.s.a u.k u.n e.u ee uu \
    cia ltda s.a aprox admón dir amm str mio mrd tsd std pop jhdt jh jhd chr j.c med mag nat pol c b d f";
const UNITS: &str =
    "min sec sek km kg cm mm lb lbs oz hrs hr mins secs yr yrs wk wks yd gal mph bbl sq.km г гг тыс млн млрд руб";
const OFTEN_ENDS: &str = "etc usw usf a.m p.m am pm ecc enz u.s.w т.д т.п";
/// Abbreviations that are also words of some language: in small letters they end a sentence like any word.
const ALSO_WORDS: [&str; 38] = [
    "ad", "ala", "ann", "app", "by", "caps", "cod", "det", "dom", "est", "ex", "fin", "gal", "gen", "ill", "ind",
    "kan", "mai", "mar", "mass", "mag", "mon", "nat", "out", "par", "pl", "pol", "pop", "pos", "rag", "sat", "set",
    "sto", "sun", "tom", "wash", "wed", "z",
];

static TABLE: LazyLock<HashMap<&'static str, Abbreviation>> = LazyLock::new(|| {
    let mut table = HashMap::new();
    for (words, kind) in [
        (LEADING, Abbreviation::Leading),
        (BEFORE_NUMBER, Abbreviation::BeforeNumber { word: false }),
        (BEFORE_NUMBER_WORDS, Abbreviation::BeforeNumber { word: true }),
        (MAY_END, Abbreviation::MayEnd),
        (UNITS, Abbreviation::Unit),
        (OFTEN_ENDS, Abbreviation::OftenEnds),
    ] {
        for word in words.split_ascii_whitespace() {
            table.entry(word.trim_end_matches('.')).or_insert(kind);
        }
    }
    // "St. Michael's" and "on 5th st.".
    table.insert("st", Abbreviation::MayEnd);
    table
});

/// Bytes of the longest abbreviation in the table.
pub(super) const LONGEST: usize = 12;

/// What a point after `word` (without it, as written) means, if the word is a known abbreviation.
pub(super) fn abbreviation(word: &str) -> Option<Abbreviation> {
    if word.len() > LONGEST {
        return None;
    }
    let lower = word.to_lowercase();
    if ALSO_WORDS.contains(&word) {
        return None;
    }
    TABLE.get(lower.as_str()).copied()
}

/// Words other than function words that mostly begin a sentence when they have a capital.
const STARTERS: [&str; 40] = [
    "however",
    "moreover",
    "later",
    "today",
    "many",
    "several",
    "another",
    "first",
    "second",
    "finally",
    "although",
    "though",
    "please",
    "thanks",
    "let",
    "last",
    "next",
    "now",
    "here",
    "meanwhile",
    "since",
    "according",
    "one",
    "two",
    "three",
    "yesterday",
    "tomorrow",
    "people",
    "millions",
    "thousands",
    "therefore",
    "nevertheless",
    "hence",
    "instead",
    "besides",
    "also",
    "still",
    "hvad",
    "det",
    "dette",
];

/// Whether a folded word with a capital is likely to begin a sentence rather than to be part of a name.
pub(super) fn is_starter(folded: &str) -> bool {
    super::function_words::is_function_word_anywhere(folded) || STARTERS.contains(&folded)
}

/// Words after which a number with a point is an ordinal: "am 3. Mai", "in der 2. Liga", "på 5. gade".
pub(super) fn precedes_ordinal(folded: &str) -> bool {
    matches!(
        folded,
        "der"
            | "die"
            | "das"
            | "dem"
            | "den"
            | "des"
            | "am"
            | "im"
            | "vom"
            | "zum"
            | "zur"
            | "ab"
            | "bis"
            | "seit"
            | "ins"
            | "jeder"
            | "jede"
            | "jeden"
            | "ihrem"
            | "seinem"
            | "ihren"
            | "seinen"
            | "ihr"
            | "sein"
            | "beim"
            | "fur"
            | "und"
            | "nach"
            | "vor"
            | "pa"
            | "ved"
            | "mandag"
            | "tirsdag"
            | "onsdag"
            | "torsdag"
            | "fredag"
            | "montag"
            | "dienstag"
            | "mittwoch"
            | "donnerstag"
            | "freitag"
            | "samstag"
            | "sonntag"
            | "i"
    )
}

/// Months as they follow an ordinal day: "3. Mai", "12. Juni".
pub(super) fn is_month_after_ordinal(folded: &str) -> bool {
    matches!(
        folded,
        "januar"
            | "janner"
            | "februar"
            | "marz"
            | "april"
            | "mai"
            | "juni"
            | "juli"
            | "august"
            | "september"
            | "oktober"
            | "november"
            | "dezember"
            | "december"
            | "maj"
            | "marts"
            | "jahrhundert"
            | "jahrhunderts"
    )
}
