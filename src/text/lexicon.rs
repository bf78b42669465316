//! Number words, months and common words of five languages, in one table: a word is looked up once.
//!
//! Keys are lower-case. A word that means something else in another language ("once", "elf", "sept") carries the
//! language in which it counts.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::LazyLock;

use super::{hedges, nouns};

/// The languages whose number words and months are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tongue {
    English,
    Portuguese,
    German,
    Spanish,
    French,
}

/// All of [`Tongue`], in the order of [`Entry::common_in`]'s bits.
pub(super) const TONGUES: [Tongue; 5] =
    [Tongue::English, Tongue::Portuguese, Tongue::German, Tongue::Spanish, Tongue::French];

/// What a word does in a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NumberWord {
    /// None of these.
    No,
    /// "a", "um", "ein": one, but only before a word that makes it a number ("a dozen").
    Article,
    /// 0 to 29 in one word.
    Small(u8),
    /// 20, 30 … 90.
    Tens(u8),
    /// "hundred".
    Hundred,
    /// 200 … 900 in one word.
    Hundreds(u16),
    /// A power of ten: "thousand", "million", "crore".
    Scale(u8),
    /// "dozen".
    Dozen,
    /// "half".
    Half,
    /// "thirds", "quarter": a part, by its denominator.
    Part(u8),
    /// "third", "twentieth": a place, and in the singular also a part.
    Ordinal(u8),
    /// Joins parts of a number: "and", "e", "und".
    And,
}

/// What the table says of a word.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    pub number: NumberWord,
    /// The only language in which it is a number; `None`: in all.
    pub only: Option<Tongue>,
    /// 1 to 12, or 0.
    pub month: u8,
    /// One bit for each language in which it is among the commonest words.
    pub common_in: u8,
    /// It may begin a date or be a month; others need not be looked at as dates.
    pub opens_date: bool,
    /// What it multiplies by: 2 for "doubled", 0.5 for "halved"; 0 for all else.
    pub multiple: f32,
    /// It ends a phrase that hedges a number.
    pub ends_hedge: bool,
    /// A function word: it ends a noun phrase.
    pub stop: bool,
}

impl Entry {
    pub(super) const NOTHING: Self = Self {
        number: NumberWord::No,
        only: None,
        month: 0,
        common_in: 0,
        opens_date: false,
        multiple: 0.0,
        ends_hedge: false,
        stop: false,
    };
}

use NumberWord::{And, Article, Dozen, Half, Hundred, Hundreds, Ordinal, Part, Scale, Small, Tens};

/// Number words that mean the same wherever they stand.
const NUMBERS: &[(NumberWord, &str)] = &[
    (Article, "a an um uma un une una ein eine einen einem einer"),
    (Small(0), "zero null cero zéro"),
    (Small(1), "one eins uno"),
    (Small(2), "two dois duas zwei deux"),
    (Small(3), "three três drei trois tres"),
    (Small(4), "four quatro cuatro vier quatre"),
    (Small(5), "five cinco fünf fuenf cinq"),
    (Small(6), "six seis sechs"),
    (Small(7), "seven sete siete sieben"),
    (Small(8), "eight oito ocho acht huit"),
    (Small(9), "nine nove nueve neun neuf"),
    (Small(10), "ten dez diez zehn dix"),
    (Small(11), "eleven onze"),
    (Small(12), "twelve doce zwölf zwoelf douze"),
    (Small(13), "thirteen treze trece dreizehn treize"),
    (Small(14), "fourteen catorze quatorze vierzehn catorce"),
    (Small(15), "fifteen quinze fünfzehn fuenfzehn"),
    (Small(16), "sixteen dezesseis dezasseis dieciséis dieciseis sechzehn"),
    (Small(17), "seventeen dezessete dezassete diecisiete siebzehn"),
    (Small(18), "eighteen dezoito dieciocho achtzehn"),
    (Small(19), "nineteen dezenove dezanove diecinueve neunzehn"),
    (Small(21), "veintiuno veintiún veintiuna"),
    (Small(22), "veintidós veintidos"),
    (Small(23), "veintitrés veintitres"),
    (Small(24), "veinticuatro"),
    (Small(25), "veinticinco"),
    (Small(26), "veintiséis veintiseis"),
    (Small(27), "veintisiete"),
    (Small(28), "veintiocho"),
    (Small(29), "veintinueve"),
    (Tens(20), "twenty vinte veinte zwanzig vingt vingts"),
    (Tens(30), "thirty trinta treinta dreißig dreissig trente"),
    (Tens(40), "forty quarenta cuarenta vierzig quarante"),
    (Tens(50), "fifty cinquenta cincuenta fünfzig fuenfzig cinquante"),
    (Tens(60), "sixty sessenta sesenta sechzig soixante"),
    (Tens(70), "seventy setenta siebzig septante"),
    (Tens(80), "eighty oitenta ochenta achtzig huitante"),
    (Tens(90), "ninety noventa neunzig nonante"),
    (Hundred, "hundred cem cento ciento cien hundert"),
    (Hundreds(200), "duzentos duzentas doscientos doscientas"),
    (Hundreds(300), "trezentos trezentas trescientos trescientas"),
    (Hundreds(400), "quatrocentos quatrocentas cuatrocientos cuatrocientas"),
    (Hundreds(500), "quinhentos quinhentas quinientos quinientas"),
    (Hundreds(600), "seiscentos seiscentas seiscientos seiscientas"),
    (Hundreds(700), "setecentos setecentas setecientos setecientas"),
    (Hundreds(800), "oitocentos oitocentas ochocientos ochocientas"),
    (Hundreds(900), "novecentos novecentas novecientos novecientas"),
    (Scale(3), "thousand tausend"),
    (Scale(5), "lakh lakhs lac lacs"),
    (Scale(6), "million millions milhão milhões milhao milhoes millón millones millionen"),
    (Scale(7), "crore crores"),
    (Scale(9), "billion billions bilhão bilhões bilhao bilhoes milliarde milliarden milliard milliards"),
    (Scale(12), "trillion trillions trilhão trilhões trilhao trilhoes billón billones billionen"),
    (Dozen, "dozen dúzia dutzend docena douzaine"),
    (Half, "half metade hälfte mitad moitié"),
    (Part(3), "thirds terços drittel tercios"),
    (Part(4), "quarter quarters viertel"),
    (Part(5), "fifths quintos fünftel"),
    (Part(6), "sixths sechstel"),
    (Part(7), "sevenths"),
    (Part(8), "eighths achtel"),
    (Part(9), "ninths"),
    (Part(10), "tenths zehntel"),
    (Part(100), "hundredths"),
    (Ordinal(1), "first"),
    (Ordinal(2), "second"),
    (Ordinal(3), "third"),
    (Ordinal(4), "fourth"),
    (Ordinal(5), "fifth"),
    (Ordinal(6), "sixth"),
    (Ordinal(7), "seventh"),
    (Ordinal(8), "eighth"),
    (Ordinal(9), "ninth"),
    (Ordinal(10), "tenth"),
    (Ordinal(11), "eleventh"),
    (Ordinal(12), "twelfth"),
    (Ordinal(13), "thirteenth"),
    (Ordinal(14), "fourteenth"),
    (Ordinal(15), "fifteenth"),
    (Ordinal(16), "sixteenth"),
    (Ordinal(17), "seventeenth"),
    (Ordinal(18), "eighteenth"),
    (Ordinal(19), "nineteenth"),
    (Ordinal(20), "twentieth"),
    (Ordinal(30), "thirtieth"),
    (Ordinal(40), "fortieth"),
    (Ordinal(50), "fiftieth"),
    (Ordinal(60), "sixtieth"),
    (Ordinal(70), "seventieth"),
    (Ordinal(80), "eightieth"),
    (Ordinal(90), "ninetieth"),
    (Ordinal(100), "hundredth"),
    (And, "and e y et und"),
];

/// Number words of one language that are other words elsewhere.
const NUMBERS_OF_ONE: &[(NumberWord, Tongue, &str)] = &[
    (Small(2), Tongue::Spanish, "dos"),
    (Small(7), Tongue::French, "sept"),
    (Small(11), Tongue::German, "elf"),
    (Small(11), Tongue::Spanish, "once"),
    (Small(12), Tongue::Portuguese, "doze"),
    (Small(15), Tongue::Spanish, "quince"),
    (Small(16), Tongue::French, "seize"),
    (Hundred, Tongue::French, "cent cents"),
    (Scale(3), Tongue::French, "mille"),
    (Part(3), Tongue::French, "tiers"),
    (Part(3), Tongue::Portuguese, "terço"),
    (Part(3), Tongue::Spanish, "tercio"),
    (Part(4), Tongue::French, "quart quarts"),
    (Half, Tongue::Spanish, "medio media"),
    (Half, Tongue::Portuguese, "meio meia"),
    (Half, Tongue::French, "demi demie"),
    (Half, Tongue::German, "halb halbe halben"),
];

/// Months by number.
const MONTHS: &[(u8, &str)] = &[
    (1, "january jan janeiro januar jänner enero janvier"),
    (2, "february feb fevereiro fev februar febrero février"),
    (3, "march mar março märz maerz mrz marzo mars"),
    (4, "april apr abril abr avril"),
    (5, "may maio mai mayo"),
    (6, "june jun junho juni junio juin"),
    (7, "july jul julho juli julio juillet"),
    (8, "august aug agosto ago août aout"),
    (9, "september sep sept setembro set septiembre setiembre septembre"),
    (10, "october oct outubro out oktober okt octubre octobre"),
    (11, "november nov novembro noviembre novembre"),
    (12, "december dec dezembro dez dezember diciembre dic décembre déc"),
];

/// The commonest words that tell the languages apart, in the order of [`TONGUES`].
const COMMON: [&str; 5] = [
    "the of and is was in to with by for that are were has have from at on it its a an as be he his she her not or this but no do i you they",
    "o os as a da do das que não uma em com para foi é tem por no na ao são um mais seu sua",
    "der die das und ist wurde mit von im den dem des nicht auf für zu sind in wird eine einen",
    "el los las del que con para fue una por y en se su al más un la de",
    "le les des du et une dans pour par que la sur aux il elle un de qui sont",
];

/// Words other than months and numbers with which a form of a date begins.
const DATE_OPENERS: &str = "fiscal financial budget fy q h ano año anos años années ad século siglo séc sec \
    spring frühjahr frühling primavera printemps summer sommer verão verano été \
    autumn fall herbst outono otoño automne winter inverno invierno hiver";

/// Words that multiply.
const MULTIPLES: &[(f32, &str)] = &[
    (2.0, "twice doubled doubling dobrou duplicou doppelt duplicó"),
    (3.0, "thrice tripled trebled tripling triplicou triplicó"),
    (4.0, "quadrupled quadrupling"),
    (0.5, "halved halving"),
];

type Table = HashMap<&'static str, Entry, BuildHasherDefault<Fnv>>;

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let mut table = Table::with_capacity_and_hasher(1024, BuildHasherDefault::default());
    let mut put = |words: &'static str, change: &dyn Fn(&mut Entry)| {
        for word in words.split_ascii_whitespace() {
            change(table.entry(word).or_insert(Entry::NOTHING));
        }
    };
    for (number, words) in NUMBERS {
        put(words, &|entry| {
            entry.number = *number;
            entry.opens_date = matches!(number, Tens(_) | Ordinal(_));
        });
    }
    for (number, tongue, words) in NUMBERS_OF_ONE {
        put(words, &|entry| {
            entry.number = *number;
            entry.only = Some(*tongue);
        });
    }
    put("mil", &|entry| entry.number = Scale(3));
    for (month, words) in MONTHS {
        put(words, &|entry| {
            entry.month = *month;
            entry.opens_date = true;
        });
    }
    put(DATE_OPENERS, &|entry| entry.opens_date = true);
    for (multiple, words) in MULTIPLES {
        put(words, &|entry| entry.multiple = *multiple);
    }
    for (bit, words) in COMMON.iter().enumerate() {
        put(words, &|entry| entry.common_in |= 1 << bit);
    }
    for (phrase, _) in hedges::PHRASES {
        put(phrase.rsplit(' ').next().unwrap_or(phrase), &|entry| entry.ends_hedge = true);
    }
    for word in nouns::STOPS {
        put(word, &|entry| entry.stop = true);
    }
    table
});

/// The FNV-1a hash: the keys are short and fixed, so a hash without secret serves.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for Fnv {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

/// The longest key in bytes; longer words are not looked up.
const LONGEST: usize = 20;

/// Looks a word up, whatever its case.
pub(super) fn look_up(word: &str) -> Entry {
    if word.len() > LONGEST {
        return Entry::NOTHING;
    }
    if word.is_ascii() {
        let mut buffer = [0_u8; LONGEST];
        let lower = &mut buffer[..word.len()];
        lower.copy_from_slice(word.as_bytes());
        lower.make_ascii_lowercase();
        return std::str::from_utf8(lower).ok().and_then(|key| TABLE.get(key)).copied().unwrap_or(Entry::NOTHING);
    }
    TABLE.get(word.to_lowercase().as_str()).copied().unwrap_or(Entry::NOTHING)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_found_whatever_its_case() {
        assert_eq!(look_up("MARCH").month, 3);
        assert_eq!(look_up("Fünf").number, Small(5));
        assert_eq!(look_up("gazebo").number, NumberWord::No);
    }

    #[test]
    fn a_spanish_eleven_is_no_number_in_other_languages() {
        assert_eq!(look_up("once").only, Some(Tongue::Spanish));
    }
}
