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
    /// Mostly ends a sentence when a capital follows: "etc.", "p.m.".
    OftenEnds,
}

const LEADING: &str = "mr mrs ms mx dr drs prof rev hon gen col lt sgt cpl capt cmdr maj adm brig gov sen rep pres amb \
    messrs mme mlle mgr msgr supt insp det ofc mt ft sr sra srta srs sras dra dña dn lic ing arq avv dott dott.ssa sig \
    sig.ra sig.na sigg rag geom on spett egr gent exmo exma ilmo ilma d.ª sto sta eng adv des dep ver vgl vs v cf viz e.g \
    eg i.e ie f.e ex z.b d.h u.a i.d.r o.ä u.ä bzw sog ggf evtl inkl exkl zzgl bspw ca approx circa incl excl resp \
    hr fr frl dipl mag med theol jur phil nat pol habil kath evang geb gest gegr ausg übers aufl kgl st skt \
    p.ex p.e por ex.ª av r. pça p.ej ej cfr cit trad ad es psicol meteor idraul j.-c bijv o.a d.w.z m.n t.a.v i.v.m dhr \
    mevr ir ds jl ph mus btw";
const BEFORE_NUMBER: &str = "nos nr nrs nº num núm número n art arts artt p pp pg pgs pág págs fig figs sec secs sect \
    ch chap chaps vol vols cap caps cl par para paras § abs ziff kap bd bde hrsg s op bk eq eqs ref refs tab tel tél ext \
    apt ste rm v. ver vers version pos blz rs bl al. inc. párr párrf lám págª";
const BEFORE_NUMBER_WORDS: &str = "no item number";
const MAY_END: &str = "inc ltd co corp bros llc plc pty gmbh jr snr jnr esq ph.d m.d b.a m.a b.sc m.sc d.phil ll.d dept \
    univ assn bldg ave blvd rd hwy st sq pl ln jan feb febr mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu \
    thur thurs fri sat sun lun mié jue vie sáb dom ene abr ago set out dez fev mai okt mär dic gen feb giu lug ott est min \
    max avg temp approx. al ind wash calif fla mass pa ill tex va conn ariz colo minn mich wis ala ga ky tenn md del ore \
    okla kan neb nev n.y n.j n.c s.c d.c u.s u.s.a u.k u.n e.u ee uu cia ltda s.a aprox admón dir amm str nr. mio mrd tsd \
    std sek km kg cm mm lb lbs oz ft. hrs hr. mins secs yr yrs mo wk wks yd gal pop c b d f jhdt jh jhd chr j.c";
const OFTEN_ENDS: &str = "etc usw usf a.m p.m am pm ecc enz u.s.w p.s n.b approx..";

static TABLE: LazyLock<HashMap<&'static str, Abbreviation>> = LazyLock::new(|| {
    let mut table = HashMap::new();
    for (words, kind) in [
        (LEADING, Abbreviation::Leading),
        (BEFORE_NUMBER, Abbreviation::BeforeNumber { word: false }),
        (BEFORE_NUMBER_WORDS, Abbreviation::BeforeNumber { word: true }),
        (MAY_END, Abbreviation::MayEnd),
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
    // "am." and "no." as words in full; "A.M", "No" as abbreviations are caught by the table's dotted forms.
    if matches!(lower.as_str(), "am" | "pm" | "a" | "i" | "on" | "out" | "set" | "est" | "max" | "ill" | "mass" | "pop" | "gal" | "es" | "ad" | "by" | "sun" | "sat" | "mar" | "dom" | "del" | "temp" | "por" | "ex" | "par" | "cap" | "phil" | "bl" | "min" | "ind" | "wash" | "ref" | "tab" | "item" | "version" | "al" | "mag" | "ch" | "set." | "ext" | "mo" | "set" | "pa" | "va" | "ga" | "mai" | "gest" | "nat" | "pol" | "mus" | "det" | "des" | "dep" | "ver")
        && word.chars().all(char::is_lowercase)
    {
        return match lower.as_str() {
            "am" | "pm" => Some(Abbreviation::OftenEnds),
            "al" | "min" | "max" => Some(Abbreviation::MayEnd),
            "ex" | "ref" | "tab" | "cap" | "par" | "item" => Some(Abbreviation::BeforeNumber { word: true }),
            _ => None,
        };
    }
    TABLE.get(lower.as_str()).copied()
}

/// Words other than function words that mostly begin a sentence when they have a capital.
const STARTERS: [&str; 40] = [
    "however", "moreover", "later", "today", "many", "several", "another", "first", "second", "finally", "although",
    "though", "please", "thanks", "let", "last", "next", "now", "here", "meanwhile", "since", "according", "one", "two",
    "three", "yesterday", "tomorrow", "people", "millions", "thousands", "therefore", "nevertheless", "hence", "instead",
    "besides", "also", "still", "hvad", "det", "dette",
];

/// Whether a folded word with a capital is likely to begin a sentence rather than to be part of a name.
pub(super) fn is_starter(folded: &str) -> bool {
    super::function_words::is_function_word_anywhere(folded) || STARTERS.contains(&folded)
}

/// Words after which a number with a point is an ordinal: "am 3. Mai", "in der 2. Liga", "på 5. gade".
pub(super) fn precedes_ordinal(folded: &str) -> bool {
    matches!(
        folded,
        "der" | "die" | "das" | "dem" | "den" | "des" | "am" | "im" | "vom" | "zum" | "zur" | "ab" | "bis" | "seit"
            | "ins" | "jeder" | "jede" | "jeden" | "ihrem" | "seinem" | "ihren" | "seinen" | "ihr" | "sein" | "beim"
            | "fur" | "und" | "nach" | "vor" | "pa" | "ved" | "mandag" | "tirsdag" | "onsdag" | "torsdag" | "fredag"
            | "montag" | "dienstag" | "mittwoch" | "donnerstag" | "freitag" | "samstag" | "sonntag" | "i"
    )
}

/// Months as they follow an ordinal day: "3. Mai", "12. Juni".
pub(super) fn is_month_after_ordinal(folded: &str) -> bool {
    matches!(
        folded,
        "januar" | "janner" | "februar" | "marz" | "april" | "mai" | "juni" | "juli" | "august" | "september" | "oktober"
            | "november" | "dezember" | "december" | "maj" | "marts" | "jahrhundert" | "jahrhunderts"
    )
}
