//! English verb forms, enough to tell a clause from a list of nouns. Pure data and one lookup.
//!
//! A form that is as often a noun ("uses", "reports") says so, and callers then want a sign after it ("uses an LED").

use std::collections::HashMap;
use std::sync::LazyLock;

/// What a word form may be, as bits.
pub(crate) type Forms = u16;

/// "is", "was", "has", "will": finite whatever follows.
pub(crate) const AUXILIARY: Forms = 1;
/// A form of "be" that is finite.
pub(crate) const BE: Forms = 1 << 1;
/// "lasts"
pub(crate) const THIRD: Forms = 1 << 2;
/// "lasted", "won"
pub(crate) const PAST: Forms = 1 << 3;
/// "built", "founded"
pub(crate) const PARTICIPLE: Forms = 1 << 4;
/// "last", "win"
pub(crate) const BASE: Forms = 1 << 5;
/// The third-person form is as often a plural noun.
pub(crate) const NOUNISH: Forms = 1 << 6;

const REGULAR: &str = "accept achieve acquire add admit adopt affect agree aim allow announce answer appear apply appoint approve argue arrive \
ask attack attend attract award base belong benefit border boil burn call cancel capture carry cause celebrate change charge claim close \
collect combine commission compare compete complete compose comprise conclude conduct confirm connect consider consist construct contain \
continue contribute control convert count cover create cross declare decide decline decrease defeat define deliver demand deny depend \
describe design destroy determine develop die differ direct discover discuss dissolve divide donate double drop earn edit elect employ \
enable enact end enjoy enter equal establish estimate evolve exceed exist expand expect experience explain explode export express extend \
fail feature fill finish fire flow focus follow force form function gain generate govern graduate grant guide handle happen head help hire \
host house identify implement import improve include increase indicate influence inform inhabit inherit inspire install intend introduce \
invade invent invest invite involve issue join kill land last launch list live locate look lower maintain manage manufacture mark marry \
measure mention merge move name need note number observe obtain occupy occur offer open operate oppose order organize organise originate \
own participate pass perform permit place plan plant play possess power predict prefer prepare present preserve prevent process produce \
promote propose protect prove provide publish purchase pursue raise range rank reach receive recognize recognise record recover reduce \
refer reflect refuse regard reject relate release rely remain remove rename renovate reopen repair replace report represent request \
require resemble reserve resign resolve respond rest restore result retain retire return reveal review rule sail sanction save score seem \
separate serve settle shape share ship sign slow solve span specialize specialise specify star start state stay stop store stretch study \
succeed suffer suggest supply support surpass surrender surround survive suspend target test total tour train transfer transform translate \
transport travel treat trigger turn unite use value vary view visit vote wait walk want warn watch weigh welcome widen work yield \
abolish accompany adapt adjust administer advise amend annex arrest assassinate assemble assume attach average ban bear believe bomb \
broadcast calculate campaign cease cite claim climb coach coin collapse commemorate commit compile compute conquer consume cook cool cultivate \
damage date debut defend demolish deploy derive detect devote disband discontinue display distribute dominate draft educate emerge emigrate \
emit encourage engage enforce execute exhibit explore export face fix freeze fund grade heat illustrate immigrate imprison incorporate initiate \
invite isolate lack legislate license locate mine modify motivate negotiate nominate outlaw overlook oversee pioneer portray practise practice \
premiere privatize promise pump qualify ratify rebuild reign relocate repeal rescue reside restrict revise revive rotate sack sponsor strengthen \
summon supervise switch threaten trade traverse unveil update upgrade weaken honour honor";

const IRREGULAR: &str = "begin/began/begun become/became/become bring/brought/brought build/built/built buy/bought/bought catch/caught/caught \
choose/chose/chosen come/came/come cost/cost/cost cut/cut/cut deal/dealt/dealt draw/drew/drawn drive/drove/driven eat/ate/eaten \
fall/fell/fallen feel/felt/felt fight/fought/fought find/found/found fly/flew/flown get/got/got give/gave/given go/went/gone grow/grew/grown \
hear/heard/heard hit/hit/hit hold/held/held keep/kept/kept know/knew/known lay/laid/laid lead/led/led leave/left/left lend/lent/lent \
lie/lay/lain lose/lost/lost make/made/made mean/meant/meant meet/met/met overcome/overcame/overcome pay/paid/paid put/put/put read/read/read \
ride/rode/ridden rise/rose/risen run/ran/run say/said/said see/saw/seen seek/sought/sought sell/sold/sold send/sent/sent set/set/set \
shoot/shot/shot show/showed/shown shrink/shrank/shrunk sing/sang/sung sink/sank/sunk sit/sat/sat sleep/slept/slept speak/spoke/spoken \
spend/spent/spent split/split/split spread/spread/spread stand/stood/stood steal/stole/stolen strike/struck/struck swim/swam/swum sweep/swept/swept bind/bound/bound bleed/bled/bled breed/bred/bred feed/fed/fed flee/fled/fled hang/hung/hung hide/hid/hidden shake/shook/shaken slide/slid/slid spin/spun/spun swear/swore/sworn tear/tore/torn wake/woke/woken weave/wove/woven wind/wound/wound \
take/took/taken teach/taught/taught tell/told/told think/thought/thought throw/threw/thrown undergo/underwent/undergone \
understand/understood/understood wear/wore/worn win/won/won withdraw/withdrew/withdrawn write/wrote/written rebuild/rebuilt/rebuilt \
bear/bore/born oversee/oversaw/overseen freeze/froze/frozen break/broke/broken forbid/forbade/forbidden arise/arose/arisen beat/beat/beaten";

const NOUNS: &str = "uses costs holds runs offers supports measures covers houses works reports claims plans plays processes records results \
returns rules shows signs spans states stores studies supplies tests totals tours trains transfers transports travels turns values views \
visits votes walks watches needs names numbers notes marks lists lands leads looks increases decreases imports exports forms functions \
forces fires features focuses fills ends experiences estimates drops designs demands deals cuts crosses counts controls changes charges \
causes calls attacks answers awards benefits borders places plants powers presents purchases ranges ranks requests rests reviews sails \
sanctions scores shapes shares ships stars starts stays stops targets releases issues heads hosts helps influences guides grants gains \
flows declines defeats burns aims averages bans bombs campaigns coaches dates debuts displays drafts faces funds grades heats lacks mines \
practices promises pumps reigns switches trades updates upgrades wears wins finds falls draws drives buys catches breaks beats rides rises \
means sets splits spreads stands strikes thoughts reads fights hits shots commissions experiences fixes cools damages licenses";

static FORMS: LazyLock<HashMap<String, Forms>> = LazyLock::new(|| {
    let mut forms: HashMap<String, Forms> = HashMap::new();
    let mut add = |form: String, bits: Forms| *forms.entry(form).or_insert(0) |= bits;
    for base in REGULAR.split_ascii_whitespace() {
        add(base.to_owned(), BASE);
        add(third(base), THIRD);
        add(past(base), PAST | PARTICIPLE);
    }
    for verb in IRREGULAR.split_ascii_whitespace() {
        let mut parts = verb.split('/');
        let (Some(base), Some(past), Some(participle)) = (parts.next(), parts.next(), parts.next()) else { continue };
        add(base.to_owned(), BASE);
        add(third(base), THIRD);
        add(past.to_owned(), PAST);
        add(participle.to_owned(), PARTICIPLE);
    }
    for noun in NOUNS.split_ascii_whitespace() {
        add(noun.to_owned(), NOUNISH);
    }
    for auxiliary in [
        "has", "have", "had", "does", "do", "did", "will", "would", "shall", "should", "can", "could", "may", "might",
        "must", "cannot",
    ] {
        add(auxiliary.to_owned(), AUXILIARY);
    }
    for be in ["is", "are", "was", "were", "am"] {
        add(be.to_owned(), AUXILIARY | BE);
    }
    forms
});

fn third(base: &str) -> String {
    if base.ends_with(['s', 'x', 'z'])
        || base.ends_with("ch")
        || base.ends_with("sh")
        || base == "go"
        || base == "undergo"
    {
        return format!("{base}es");
    }
    match base.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{stem}ies"),
        _ => format!("{base}s"),
    }
}

fn past(base: &str) -> String {
    const DOUBLED: [&str; 12] =
        ["stop", "plan", "admit", "permit", "refer", "transfer", "drop", "ban", "ship", "star", "commit", "occur"];
    if base.ends_with('e') {
        return format!("{base}d");
    }
    if let Some(stem) = base.strip_suffix('y').filter(|stem| !stem.ends_with(['a', 'e', 'o', 'u'])) {
        return format!("{stem}ied");
    }
    match base.chars().next_back() {
        Some(last) if DOUBLED.contains(&base) => format!("{base}{last}ed"),
        _ => format!("{base}ed"),
    }
}

/// The forms that a folded word may be.
pub(crate) fn forms(folded: &str) -> Forms {
    if let Some(&known) = FORMS.get(folded) {
        return known;
    }
    let looks_past = folded.len() > 4
        && folded.ends_with("ed")
        && !folded.ends_with("eed")
        && ![
            "hundred",
            "united",
            "sacred",
            "hatred",
            "kindred",
            "naked",
            "wicked",
            "shred",
            "unmarried",
            "alleged",
            "limited",
        ]
        .contains(&folded);
    if looks_past && folded.bytes().all(|b| b.is_ascii_lowercase()) { PAST | PARTICIPLE } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_regular_and_irregular_verbs_are_known() {
        assert_eq!(forms("lasts"), THIRD);
        assert_eq!(forms("supplies"), THIRD | NOUNISH);
        assert_eq!(forms("stopped"), PAST | PARTICIPLE);
        assert_eq!(forms("wrote"), PAST);
        assert_eq!(forms("written"), PARTICIPLE);
        assert_eq!(forms("was"), AUXILIARY | BE);
        assert_eq!(forms("zoned"), PAST | PARTICIPLE);
        assert_eq!(forms("hundred"), 0);
        assert_eq!(forms("table"), 0);
    }
}
