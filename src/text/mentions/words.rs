//! Word lists for finding names: pure data and one lookup. A word may be of several classes.

use std::collections::HashMap;
use std::sync::LazyLock;

/// Classes of a word, as bits.
pub(super) type Classes = u32;

/// Never begins or ends a name: articles, pronouns, prepositions, conjunctions, auxiliaries.
pub(super) const FUNCTION: Classes = 1;
/// Not a name when its capital may owe to the start of a sentence.
pub(super) const OPENER: Classes = 1 << 1;
/// "Dr", "King", "President": stands before a person's name and is no part of it.
pub(super) const TITLE: Classes = 1 << 2;
/// "chemist", "cyclist": tells one bearer of a name from another.
pub(super) const OCCUPATION: Classes = 1 << 3;
/// "University", "Bank": heads the name of an organisation.
pub(super) const ORGANISATION_HEAD: Classes = 1 << 4;
/// "Ltd", "GmbH": legal form, no part of what is compared.
pub(super) const LEGAL_FORM: Classes = 1 << 5;
/// "River", "Street": heads the name of a place.
pub(super) const PLACE_HEAD: Classes = 1 << 6;
/// "de", "van", "of": lower-case words inside names.
pub(super) const PARTICLE: Classes = 1 << 7;
/// Names of months and days of the week.
pub(super) const CALENDAR: Classes = 1 << 8;
/// "Report", "Article", "Product": makes a name together with a letter, a number or a Greek letter.
pub(super) const DESIGNATOR: Classes = 1 << 9;
/// Abbreviations whose full stop ends no sentence.
pub(super) const ABBREVIATION: Classes = 1 << 10;
/// "New", "North", "San": what follows is not a surname.
pub(super) const PLACE_MODIFIER: Classes = 1 << 11;
/// Organisation heads before which "and" joins: "Food and Agriculture Organization".
pub(super) const JOINING_HEAD: Classes = 1 << 12;
/// Names that "of" continues even at the start of a sentence: "Bank of England", "Battle of Hastings".
pub(super) const OF_HEAD: Classes = 1 << 13;
/// Ordinals after a ruler's name: "the Fourth".
pub(super) const REGNAL: Classes = 1 << 14;
/// "Alpha", "Beta": the name of a numbered thing.
pub(super) const GREEK: Classes = 1 << 15;

/// Function words of Portuguese, German, Spanish, French, Italian and Dutch; in English some of them are names ("war", "los").
pub(super) const FOREIGN_FUNCTION: Classes = 1 << 16;
/// Units and the like, no names after a number: "5 Nm".
pub(super) const UNIT: Classes = 1 << 17;
/// Currency codes, eras and parts of the day: never names.
pub(super) const NO_NAME: Classes = 1 << 18;

/// What ministries and departments are for: "Department of Health and Human Services".
pub(super) const TOPIC: Classes = 1 << 19;

/// "the Great".
pub(super) const EPITHET: Classes = 1 << 20;

const LISTS: &[(Classes, &str)] = &[
    (
        FUNCTION,
        "a an the this that these those some any each every either neither both all no none not such what which who whom whose \
         where when why how i you he she it we they me him her us them my your his its our their mine yours hers ours theirs \
         myself himself herself itself themselves one someone anyone everyone nobody nothing something everything there here \
         and or but nor so yet for as if then than because since while whereas although though unless until till after before \
         once whether when whenever wherever of in on at by to from with without within into onto upon over under above below \
         between among amongst through throughout during against about around across along behind beside besides beyond despite \
         except inside outside near off out up down per via toward towards like unlike plus minus versus \
         is are was were be been being am do does did done has have had having will would shall should can could may might must \
         ought isn't aren't wasn't weren't don't doesn't didn't hasn't haven't hadn't won't wouldn't can't cannot couldn't \
         shouldn't it's he's she's that's there's i'm i've i'd i'll you're we're they're",
    ),
    (
        FOREIGN_FUNCTION,
        "o os um uma uns umas esse essa este esta isso isto aquele aquela ele ela eles elas eu nos voce voces \
         em no na nos nas num numa para por pelo pela pelos pelas com sem sob sobre entre ate apos desde contra \
         que quem qual quais quando onde como porque pois mas ou se nao foi foram era eram ser sao esta estao ha tem tinha seu sua seus suas ao aos \
         der das dem ein eine einer eines einem einen kein keine im am zum zur beim vom ins auf aus bei mit nach seit von zu fur durch \
         gegen ohne um uber unter vor hinter neben zwischen und oder aber denn weil dass wenn als ob wahrend er sie es wir ihr ich man \
         sein seine seiner ihre ihrer ihren ihrem ist sind war waren wird wurde wurden hat haben hatte kann nicht auch noch nur sehr \
         el la los las lo un unos unas ese esos esas estos estas aquel aquella yo tu nosotros ellos ellas usted en con sin segun hasta \
         hacia tras y e ni sino pero porque cuando donde quien fue fueron es son era eran esta estan hay su sus al no \
         le les une des ce cet cette ces je il elle nous vous ils elles on dans par pour avec sans sous sur entre vers chez depuis \
         et ou ni mais donc car si lorsque qui que quoi dont est sont etait etaient fut furent ont avait son sa ses leur leurs au aux ne pas \
         il lo gli uno della dello dei degli nel nella con per tra fra che chi non sono suo sua questo questa \
         het een van met voor bij uit naar zijn haar werd is was niet ook maar dat deze dit",
    ),
    (
        OPENER,
        "however therefore moreover furthermore meanwhile additionally also finally firstly secondly thirdly lastly similarly instead indeed \
         thus hence otherwise nevertheless nonetheless overall generally usually typically often sometimes always never rarely currently recently \
         today yesterday tomorrow now later earlier soon originally initially eventually ultimately subsequently consequently accordingly \
         according based located founded established built born known called named created developed designed given following including \
         many most more much several few fewer less least other others another same different various numerous certain first second third fourth \
         last next previous former current early late modern ancient old young big large small high low long short good better best bad worse \
         only just even still already again almost about nearly roughly approximately exactly perhaps maybe probably possibly clearly obviously \
         yes no ok okay sure thanks thank hello hi dear please sorry unfortunately fortunately interestingly importantly specifically notably \
         two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty hundred thousand million half dozens hundreds thousands \
         people men women children students members workers users customers players scientists researchers experts critics officials police \
         water air food money time work life world country countries city cities state states government governments company companies \
         part parts number numbers area areas population capital language languages religion economy history geography climate people \
         example examples note notes summary conclusion introduction overview background answer question step steps result results \
         data research studies study evidence analysis report reports figure table source sources information details facts fact \
         profit profits revenue revenues sales income costs cost price prices production output exports imports returns items shares stock \
         total average net gross annual monthly daily weekly maximum minimum public private local national international global foreign \
         items things something nothing everything everyone everybody nobody anyone anybody someone somebody \
         make makes made use uses used using see try click open go run add take get keep let consider remember check choose select visit \
         when where why how what which who whose whom while although though because since if unless until after before once whereas despite \
         opened closed moved completed finished started ended began won lost died lived worked served joined left returned led \
         new-found due together apart alongside instead rather regarding concerning considering assuming provided depending owing thanks \
         construction development education health energy security trade travel traffic weather temperature temperatures rainfall \
         animals plants trees fish birds dogs cats books films music art sport sports games teams schools hospitals roads bridges \
         alem assim portanto entretanto porem contudo alguns algumas muitos muitas outros outras todos todas primeiro segundo hoje ontem depois antes \
         ademas sin embargo tambien algunos muchas otros primero despues ayer hoy cependant aussi ainsi apres avant aujourd'hui plusieurs certains \
         jedoch daher deshalb ausserdem zudem heute gestern spater fruher viele einige mehrere andere alle insgesamt",
    ),
    (
        TITLE,
        "mr mrs ms miss mx dr doctor prof professor sir dame lord lady baron baroness count countess duke duchess earl viscount prince princess \
         king queen emperor empress tsar sultan shah emir sheikh pope cardinal archbishop bishop reverend rev father sister brother rabbi imam \
         president vice-president chancellor premier minister prime senator congressman congresswoman representative governor mayor ambassador \
         secretary judge justice chief general colonel major captain lieutenant sergeant admiral commander marshal chairman chairwoman chairperson \
         ceo cto cfo director coach former acting deputy vice herr frau bundeskanzler bundeskanzlerin kanzler kanzlerin prasident prasidentin \
         konig konigin kaiser kaiserin papst minister ministerin burgermeister burgermeisterin senhor senhora dom dona presidente rei rainha papa \
         ministro ministra senor senora don dona rey reina president presidente premier ministre roi reine monsieur madame mme mlle gov sen rep gen col capt lt sgt hon",
    ),
    (
        OCCUPATION,
        "chemist physicist biologist mathematician scientist engineer inventor astronomer astronaut geologist botanist zoologist economist historian \
         philosopher psychologist sociologist anthropologist archaeologist linguist statistician programmer developer designer architect \
         cyclist footballer golfer boxer swimmer runner sprinter athlete gymnast skier skater wrestler cricketer rower sailor driver jockey \
         racer goalkeeper striker midfielder defender quarterback pitcher referee umpire manager trainer player mountaineer climber \
         actor actress singer songwriter musician composer conductor pianist violinist guitarist drummer bassist rapper dancer choreographer \
         comedian painter sculptor artist illustrator photographer cartoonist writer author novelist poet playwright screenwriter \
         journalist editor publisher critic blogger filmmaker producer director broadcaster presenter model \
         politician lawyer solicitor barrister attorney diplomat activist revolutionary soldier officer general admiral pilot aviator spy \
         businessman businesswoman entrepreneur banker merchant industrialist investor philanthropist founder executive \
         teacher professor lecturer educator academic scholar researcher theologian priest monk nun missionary saint bishop \
         surgeon physician doctor nurse dentist pharmacist psychiatrist veterinarian farmer gardener chef cook baker carpenter blacksmith \
         explorer navigator adventurer criminal murderer gangster king queen prince princess emperor ruler monarch nobleman \
         planet element river lake mountain city town village film novel album song band ship aircraft company moon asteroid programming-language \
         quimico fisico ciclista futebolista cantor cantora ator atriz escritor escritora poeta pintor politico \
         chemiker physiker radfahrer sanger schauspieler schriftsteller maler politiker",
    ),
    (
        ORGANISATION_HEAD,
        "university college school academy institute institution hospital clinic museum library laboratory laboratories observatory \
         bank company corporation group holdings industries enterprises partners systems technologies motors airlines airways railways railway \
         ministry department agency administration commission authority bureau office board council committee parliament senate congress \
         court assembly party union league association society federation foundation fund organization organisation alliance trust club \
         church orchestra band team army navy force police guard press times post journal news network studios records \
         universidade instituto hospital banco ministerio partido universitat institut ministerium partei verein universite banque ministere parti \
         services service center centre program programme project initiative front movement bloc coalition",
    ),
    (
        JOINING_HEAD,
        "organization organisation agency administration commission department services authority association council committee office \
         bureau board fund foundation programme program federation union society ministry industries holdings partners sons company laboratory center centre",
    ),
    (
        LEGAL_FORM,
        "ltd limited inc incorporated corp corporation co llc llp plc gmbh ag kg kgaa ohg ug ev sa s.a sas sarl srl spa bv b.v nv n.v oy oyj ab as asa aps \
         a/s ltda eireli pty pvt se kk",
    ),
    (
        PLACE_HEAD,
        "river lake mount mt mountain mountains hill hills valley island islands isle sea ocean bay gulf strait peninsula cape desert forest park \
         street road avenue square bridge tunnel castle palace tower airport station harbour harbor port canal dam beach city town village county province region \
         district prefecture republic kingdom empire state states territory federation rio lago monte ilha cidade \
         montagne fleuve ile ville isla ciudad sierra creek falls glacier volcano plateau coast",
    ),
    (
        PARTICLE,
        "of de da do dos das del della di du des d' l' la le van von der den ten ter zu zur zum af av bin ibn al el abu ben bat y e und et & the for von und",
    ),
    (
        CALENDAR,
        "january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec \
         monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun \
         janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro segunda terca quarta quinta sexta sabado domingo \
         januar februar marz mai juni juli oktober dezember montag dienstag mittwoch donnerstag freitag samstag sonntag \
         enero febrero mayo junio julio septiembre octubre noviembre diciembre lunes martes miercoles jueves viernes \
         janvier fevrier mars avril juin juillet aout septembre octobre novembre decembre lundi mardi mercredi jeudi vendredi samedi dimanche",
    ),
    (
        DESIGNATOR,
        "report article section chapter route highway flight phase level unit room gate building block type class model version form line \
         platform terminal zone sector pier product item lot batch case step figure table appendix annex schedule protocol project operation \
         plan option group team division series mark grade act part volume book episode season apollo gemini voyager sample site stage channel \
         relatorio artigo secao produto bericht artikel abschnitt produkt rapport informe articulo",
    ),
    (
        ABBREVIATION,
        "mr mrs ms dr prof st mt ft sr jr rev hon gen col capt lt sgt gov sen rep pres vs etc no nos vol p pp fig eq ca c approx e.g i.e cf al ed eds \
         inc ltd corp co jan feb mar apr jun jul aug sep sept oct nov dec dept univ est sra sto sta av art ph.d b.sc m.sc m.d b.a m.a bzw z.b u.a d.h nr str mme",
    ),
    (
        PLACE_MODIFIER,
        "new north south east west northern southern eastern western central upper lower great greater little saint st san santa santo sao los las el la le \
         lake mount mt port fort cape rio lago monte costa puerto porto nova novo ost west sud nord bad old united royal",
    ),
    (
        OF_HEAD,
        "bank university college school institute academy museum house church court council ministry department bureau office board republic kingdom duchy \
         principality emirate sultanate union commonwealth state city province county district isle gulf bay strait cape lake port battle siege treaty \
         peace congress declaration statue tower bridge order league federation society association chamber league board army bill act archdiocese diocese lord tale game house",
    ),
    (
        REGNAL,
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth",
    ),
    (
        TOPIC,
        "human social welfare culture cultural sport sports agriculture agricultural food environment environmental technology science sciences \
         scientific transport transportation finance industry commerce labour labor justice home internal external economic affairs rural urban \
         fisheries forestry trade education health energy security housing defence defense communications information research development",
    ),
    (
        UNIT,
        "nm hz ghz mhz khz mb gb tb kb kwh mwh gwh twh kw mw gw pa kpa mpa hpa db mbps gbps kj mj ev kev mev c f k j v kv w n a ah mah l ml btu psi rpm mph kph mio mrd",
    ),
    (
        NO_NAME,
        "usd eur gbp chf brl jpy cny inr aud cad sek nok dkk am pm bc ad bce ce utc gmt cet est pst ok faq n/a tba tbd ph.d ph.d. phd m.d m.d. b.sc b.sc. m.sc m.sc. mba b.a m.a",
    ),
    (
        EPITHET,
        "great conqueror elder younger magnificent terrible bald bold wise good pious lionheart confessor fair fat simple cruel just brave strong",
    ),
    (GREEK, "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda sigma tau omega"),
];

static CLASSES: LazyLock<HashMap<&'static str, Classes>> = LazyLock::new(|| {
    let mut map = HashMap::new();
    for (class, words) in LISTS {
        for word in words.split_ascii_whitespace() {
            *map.entry(word).or_insert(0) |= class;
        }
    }
    map
});

/// The classes of a folded word.
pub(super) fn classes(folded: &str) -> Classes {
    CLASSES.get(folded).copied().unwrap_or(0)
}

/// Pairs that "and" joins into one name, folded.
const JOINED: &[(&str, &str)] = &[
    ("bosnia", "herzegovina"),
    ("trinidad", "tobago"),
    ("antigua", "barbuda"),
    ("kitts", "nevis"),
    ("vincent", "grenadines"),
    ("tome", "principe"),
    ("turks", "caicos"),
    ("procter", "gamble"),
    ("barnes", "noble"),
    ("johnson", "johnson"),
    ("marks", "spencer"),
    ("newfoundland", "labrador"),
    ("standard", "poor"),
];

/// Whether "and" (or its like) between these two folded words makes one name.
pub(super) fn is_joined_pair(left: &str, right: &str) -> bool {
    JOINED.iter().any(|&(l, r)| l == left && r == right)
}

/// The place of a regnal ordinal ("fourth" is 4).
pub(super) fn regnal_number(folded: &str) -> Option<u32> {
    const ORDER: [&str; 18] = [
        "first",
        "second",
        "third",
        "fourth",
        "fifth",
        "sixth",
        "seventh",
        "eighth",
        "ninth",
        "tenth",
        "eleventh",
        "twelfth",
        "thirteenth",
        "fourteenth",
        "fifteenth",
        "sixteenth",
        "seventeenth",
        "eighteenth",
    ];
    ORDER.iter().position(|&word| word == folded).and_then(|place| u32::try_from(place + 1).ok())
}
