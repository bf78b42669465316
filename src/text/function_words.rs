//! Function words of the languages that we know, folded: what a text's language is told by, and what carries no
//! content of its own.
//!
//! Negations and restrictions ("not", "without", "only") tell languages apart but are never stop words: dropping one
//! turns a statement around.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::language::Language;

/// The languages in the order of their bits in [`TABLE`].
const LANGUAGES: [Language; 7] = [
    Language::English,
    Language::Portuguese,
    Language::German,
    Language::Spanish,
    Language::French,
    Language::Italian,
    Language::Dutch,
];

const ENGLISH: &str = "a about above after again against all also am among an and any are as at be because been before \
    being below between both but by can could did do does doing down during each either even few for from further had \
    has have having he her here hers herself him himself his how i if in into is it its itself just may me might mine \
    more most much must my myself of off on once onto or other our ours ourselves out over own per quite rather same \
    shall she should since so some such than that the their theirs them themselves then there these they this those \
    through thus to too toward towards under until up upon very was we were what when where whether which while who \
    whom whose why will with within would yet you your yours yourself 's";
const PORTUGUESE: &str = "a agora ainda alem alguma algumas algum alguns ao antes aos apesar apos assim conforme contra \
    contudo durante embora enquanto entretanto hoje logo ontem outra outras outro outros perante portanto segundo tudo \
    cerca aquela aquelas aquele aqueles aquilo as ate cada com como cuja cujo da das de dela \
    delas dele deles depois desde dessa desse desta deste do dos e ela elas ele eles em entre era eram essa essas esse \
    esses esta estao estas estava este estes eu foi for foram ha isso isto ja lhe lhes mais mas me mesmo meu minha muito \
    na nas nele nela nessa nesse nesta neste no nos nossa nosso num numa o onde os ou para pela pelas pelo pelos por \
    porque pois qual quais quando quanto que quem sao se seja ser sera sendo seu seus sido sob sobre sua suas tambem \
    tao te tem tem tendo ter teve tinha toda todas todo todos tu um uma umas uns voce voces";
const GERMAN: &str = "aber alle allem allen aller alles als also am an auch auf aus bei beim bin bis bist da dabei damit \
    dann darauf das dass dazu dein dem den denn der deren des dessen die dies diese diesem diesen dieser dieses doch dort \
    du durch ein eine einem einen einer eines er es etwa fur gegen hat hatte hatten haben hier hinter ich ihm ihn ihnen \
    ihr ihre ihrem ihren ihrer im in indem ins ist ja jede jedem jeden jeder jedes jener kann konnen mehr mein mit nach \
    noch nun nur ob oder ohne schon sehr sein seine seinem seinen seiner seit sich sie sind so sowie um und uns unter vom \
    von vor war waren was weil weiter welche welcher wenn wer werde werden wie wieder wir wird wo wurde wurden zu zum zur \
    zwischen uber";
const SPANISH: &str = "a al algo ante antes aquel aquella asi aun aunque bajo cada casi como con contra cual cuales cuando \
    cuya cuyo de del desde donde dos durante e el ella ellas ellos en entre era eran es esa esas ese eso esos esta estaba \
    estan estas este esto estos fue fueron ha habia han hasta hay la las le les lo los mas me mi mientras mis muy ni nos \
    nuestra nuestro o otra otras otro otros para pero por porque pues que quien quienes se sea segun ser si sido siendo \
    sobre son su sus tambien tanto te tenia tiene tienen toda todas todo todos tras tu un una unas uno unos y ya yo";
const FRENCH: &str = "a afin ai ainsi apres au aucun aussi autre autres aux avant avec avait avaient avoir c car ce cela \
    celle celles celui ces cet cette ceux chez comme comment d dans de depuis des deux donc dont du durant elle elles en \
    encore entre est et etait etaient ete etre eu eux fut furent il ils j je jusqu l la laquelle le lequel les leur leurs \
    lors lorsque lui m ma mais me meme memes mes moi mon n nos notre nous on ont ou par parce pendant plus pour puis qu \
    quand que quel quelle quelles quels qui s sa se selon ses si soit son sont sous sur t ta te tes toi ton tous tout \
    toute toutes tres tu un une vers vos votre vous y";
const ITALIAN: &str = "a ad agli ai al alla alle allo anche ancora c che chi ci cioe co coi col come con contro cui d da \
    dagli dai dal dalla dalle dallo degli dei del dell della delle dello di dopo dove e ed era erano essere fra fu fino \
    furono gia gli ha hanno i il in infatti io la le lei li lo loro lui ma mentre mi mia mio molto ne negli nei nel nell \
    nella nelle nello noi nostra nostro o ogni oltre per perche piu poi presso prima quale quali quando quanto quella \
    quelle quelli quello questa queste questi questo se sei si sia sono sopra sotto stata stati stato su sua sue sugli sui \
    sul sull sulla sulle sullo suo suoi tra tutta tutte tutti tutto un una uno verso vi voi";
const DUTCH: &str = "aan al alle alleen als andere ben bij daar dan dat de deze die dit doch doen door dus een eens elke en \
    er ge geweest haar had hadden heb hebben heeft hem hen het hier hij hoe hun iets ik in is ja je kan kon kunnen maar me \
    meer men met mij mijn moet na naar nog nu of om omdat ondanks onder ons ook op over reeds sinds te tegen tijdens toch \
    toen tot tussen u uit uw van vanaf veel voor waar waren was wat we wel welke werd werden wie wij wil worden wordt zal \
    ze zei zelf zich zij zijn zo zonder zou zijn";
/// Words that turn or narrow a statement, by language in the order of [`LANGUAGES`].
const TURNING: [&str; 7] = [
    "not no never nor neither none nobody nothing nowhere without only except cannot",
    "nao nem nunca jamais nenhum nenhuma ninguem nada sem apenas somente so",
    "nicht kein keine keinem keinen keiner keines nie niemals niemand nichts ohne nur weder",
    "no ni nunca jamas ningun ninguna ninguno nadie nada sin solo solamente",
    "ne pas non ni jamais aucun aucune personne rien sans seulement n",
    "non mai ne nessun nessuna nessuno niente nulla senza solo soltanto",
    "niet geen nooit niemand niets noch zonder slechts alleen",
];
/// Words that nearly any text in another language in Latin script holds, none of them one of the seven languages': of
/// Indonesian, Tagalog, Swahili, Javanese, Shona, Zulu, Latin, Welsh, Basque, Somali and Irish; of the Scandinavian languages,
/// Hungarian, Finnish and Romanian; of Esperanto, Catalan, the South Slavic languages, Akan and Afrikaans.
const ELSEWHERE: &str = "yang dengan untuk dari dalam tidak ini itu pada oleh atau adalah \
    ang mga ng ay upang bawat kwa katika kila wa kama hii lan ing kang saben utawa sarta ingkang wong marang dening \
    uye kuti munhu wese kana pane dzose ukuthi futhi umuntu noma wonke kumele kanye lowo \
    quod atque sed aut cum omnes vel ut quae nec yn yr ac ar gan neu fel bod eta edo iyo oo ama waa agus \
    og af til har med som och att inte av hogy egy az oli joka ovat sau pentru care din \
    kaj amb els aquest aquesta dels pel za od koji ali kot ki pri onipa vir hierdie hulle";
/// Marks such a word in [`TABLE`].
const ELSEWHERE_BIT: u8 = 1 << LANGUAGES.len();

/// Folded word to the set of languages it belongs to, and to those where it is a stop word.
static TABLE: LazyLock<HashMap<&'static str, (u8, u8)>> = LazyLock::new(|| {
    let lists = [ENGLISH, PORTUGUESE, GERMAN, SPANISH, FRENCH, ITALIAN, DUTCH];
    let mut table: HashMap<&str, (u8, u8)> = HashMap::new();
    for (bit, (list, turning)) in lists.iter().zip(TURNING).enumerate() {
        for word in list.split_ascii_whitespace() {
            let entry = table.entry(word).or_default();
            entry.0 |= 1 << bit;
            entry.1 |= 1 << bit;
        }
        for word in turning.split_ascii_whitespace() {
            let entry = table.entry(word).or_default();
            entry.0 |= 1 << bit;
            entry.1 &= !(1 << bit);
        }
    }
    for word in ELSEWHERE.split_ascii_whitespace() {
        table.entry(word).or_default().0 |= ELSEWHERE_BIT;
    }
    table
});

/// Whether a folded word carries no content in `language`. For a language without a list, the English one counts.
pub(super) fn is_function_word(folded: &str, language: Language) -> bool {
    let bit = LANGUAGES.iter().position(|known| *known == language).unwrap_or(0);
    TABLE.get(folded).is_some_and(|(_, stop)| stop & (1 << bit) != 0)
}

/// Whether a folded word is a function word, negation or restriction of any of the languages.
pub(crate) fn is_function_word_anywhere(folded: &str) -> bool {
    TABLE.get(folded).is_some_and(|(languages, _)| *languages != ELSEWHERE_BIT)
}

/// How the function words of a text vote for its language.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Votes {
    /// The language with the most votes; unknown if there is none or a tie.
    pub language: Language,
    /// Its votes; a word of several languages counts as a fraction for each.
    pub best: f32,
    /// How far it leads the next.
    pub lead: f32,
    /// Its different words.
    pub distinct: u32,
    /// Words of languages other than the seven.
    pub elsewhere: usize,
    /// Words in all.
    pub words: usize,
}

/// Counts the votes in a folded text.
pub(crate) fn votes(folded: &str) -> Votes {
    let mut counts = [0.0_f32; LANGUAGES.len()];
    let mut seen: [Vec<&str>; LANGUAGES.len()] = Default::default();
    let (mut elsewhere, mut words) = (0, 0);
    let mut rest = folded;
    while let Some(offset) = rest.find(char::is_alphabetic) {
        rest = &rest[offset..];
        let length = rest.find(|c: char| !c.is_alphabetic()).unwrap_or(rest.len());
        let (word, after) = rest.split_at(length);
        rest = after;
        words += 1;
        // A lone consonant is a unit unless it is elided ("l'eau"), a short word with a point an abbreviation ("est.").
        let lone = length == 1 && !matches!(word, "a" | "e" | "i" | "o" | "y") && !after.starts_with('\'');
        let shortened = length <= 3 && after.starts_with('.') && after.len() > 1;
        if lone || shortened {
            continue;
        }
        let Some((languages, _)) = TABLE.get(word) else { continue };
        elsewhere += usize::from(*languages == ELSEWHERE_BIT);
        let weight = 1.0 / languages.count_ones() as f32;
        for (bit, count) in counts.iter_mut().enumerate() {
            if languages & (1 << bit) != 0 {
                *count += weight;
                if seen[bit].len() < 4 && !seen[bit].contains(&word) {
                    seen[bit].push(word);
                }
            }
        }
    }
    let mut order: Vec<usize> = (0..counts.len()).collect();
    order.sort_by(|a, b| counts[*b].total_cmp(&counts[*a]));
    let (best, second) = (counts[order[0]], counts[order[1]]);
    let language = if best > second { LANGUAGES[order[0]] } else { Language::Unknown };
    Votes { language, best, lead: best - second, distinct: seen[order[0]].len() as u32, elsewhere, words }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn negations_are_never_stop_words() {
        for (language, words) in LANGUAGES.iter().zip(TURNING) {
            for word in words.split_ascii_whitespace() {
                assert!(!is_function_word(word, *language), "{word} in {language}");
            }
        }
    }

    #[test]
    fn words_of_other_languages_belong_to_none_of_the_seven_and_vote_for_none() {
        for word in ELSEWHERE.split_ascii_whitespace() {
            assert_eq!(TABLE.get(word), Some(&(ELSEWHERE_BIT, 0)), "{word}");
            assert!(!is_function_word_anywhere(word), "{word}");
        }
        let votes = votes("hogy az egy the");
        assert_eq!((votes.language, votes.best, votes.elsewhere, votes.words), (Language::English, 1.0, 3, 4));
    }

    #[test]
    fn function_words_are_folded() {
        for word in TABLE.keys() {
            assert_eq!(super::super::fold(word), **word);
        }
    }
}
