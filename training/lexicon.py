"""Words that the pair maker swaps: antonyms (change the truth), synonyms (keep it), and closed classes.

Written by hand for this project. Each antonym pair works in both directions; each synonym may replace the other
in running text without changing what is claimed.
"""

ANTONYMS = [
    ("first", "last"), ("before", "after"), ("north", "south"), ("east", "west"), ("northern", "southern"),
    ("eastern", "western"), ("largest", "smallest"), ("larger", "smaller"), ("large", "small"), ("high", "low"),
    ("highest", "lowest"), ("higher", "lower"), ("older", "younger"), ("oldest", "youngest"), ("old", "new"),
    ("male", "female"), ("man", "woman"), ("men", "women"), ("father", "mother"), ("brother", "sister"),
    ("son", "daughter"), ("husband", "wife"), ("king", "queen"), ("increased", "decreased"), ("rose", "fell"),
    ("won", "lost"), ("win", "lose"), ("accepted", "rejected"), ("approved", "rejected"), ("opened", "closed"),
    ("began", "ended"), ("start", "end"), ("started", "ended"), ("joined", "left"), ("gained", "lost"), ("success", "failure"),
    ("successful", "unsuccessful"), ("supported", "opposed"), ("allowed", "banned"), ("included", "excluded"),
    ("major", "minor"), ("early", "late"), ("long", "short"), ("longest", "shortest"), ("public", "private"),
    ("rural", "urban"), ("professional", "amateur"), ("positive", "negative"), ("best", "worst"), ("better", "worse"),
    ("more", "fewer"), ("most", "few"), ("always", "never"), ("often", "rarely"), ("many", "few"),
    ("same", "different"), ("popular", "unpopular"), ("common", "rare"), ("alive", "dead"), ("upper", "lower"),
    ("inside", "outside"), ("above", "below"), ("strong", "weak"), ("heavy", "light"), ("fast", "slow"),
    ("built", "demolished"), ("created", "destroyed"), ("bought", "sold"), ("promoted", "relegated"),
    ("married", "divorced"), ("hired", "fired"), ("elected", "defeated"), ("victory", "defeat"), ("friend", "enemy"),
    ("majority", "minority"), ("maximum", "minimum"), ("permanent", "temporary"), ("rich", "poor"), ("left", "right"),
    ("winter", "summer"), ("north-east", "south-west"), ("northeast", "southwest"), ("northwest", "southeast"),
    ("domestic", "foreign"), ("single", "double"), ("modern", "ancient"), ("fiction", "non-fiction"), ("fictional", "real"),
    ("hot", "cold"), ("wet", "dry"), ("deep", "shallow"), ("wide", "narrow"), ("true", "false"), ("guilty", "innocent"),
    ("reduced", "increased"), ("improved", "worsened"), ("praised", "criticized"), ("positive", "negative"),
    ("teacher", "student"), ("employer", "employee"), ("senior", "junior"), ("attack", "defence"), ("peace", "war"),
]

SYNONYMS = [
    ("film", "movie"), ("founded", "established"), ("founded", "set up"), ("located", "situated"), ("began", "started"),
    ("started", "commenced"), ("finished", "completed"), ("released", "issued"), ("approximately", "roughly"), ("nearly", "almost"),
    ("received", "was given"), ("also known as", "also called"), ("died", "passed away"), ("town", "municipality"),
    ("bought", "purchased"), ("acquired", "bought"), ("built", "constructed"), ("erected", "built"), ("created", "made"),
    ("helped", "assisted"), ("attempted", "tried"), ("big", "large"), ("famous", "well known"), ("renowned", "famous"),
    ("several", "a number of"), ("numerous", "many"), ("children", "kids"), ("physician", "doctor"), ("lawyer", "attorney"),
    ("wrote", "authored"), ("novel", "book"), ("song", "track"), ("band", "group"), ("singer", "vocalist"), ("footballer", "football player"),
    ("soccer", "football"), ("politician", "political figure"), ("appointed", "named"), ("chosen", "selected"), ("quit", "left"),
    ("resides", "lives"), ("lived", "resided"), ("moved", "relocated"), ("attended", "went to"), ("taught", "was a teacher"),
    ("consists of", "is made up of"), ("contains", "has"), ("because of", "due to"), ("however", "but"), ("primarily", "mainly"),
    ("mostly", "mainly"), ("annually", "every year"), ("annual", "yearly"), ("currently", "now"), ("formerly", "previously"),
    ("subsequently", "later"), ("prior to", "before"), ("following", "after"), ("shows", "displays"),
    ("won", "was victorious in"), ("defeated", "beat"), ("killed", "slain"), ("injured", "hurt"), ("wealthy", "rich"),
    ("car", "automobile"), ("aircraft", "plane"), ("ship", "vessel"), ("company", "firm"), ("manufactured", "produced"),
    ("designed", "devised"), ("needs", "requires"), ("required", "needed"), ("allowed", "permitted"),
    ("ended", "came to an end"), ("starred in", "played a role in"), ("appeared in", "was featured in"), ("directed by", "made by director"),
    ("is home to", "houses"), ("performed", "played"), ("debuted", "made its debut"), ("retired", "stopped working"), ("served as", "was"),
    ("worked as", "was"), ("named after", "called after"), ("part of", "a component of"), ("nearly", "almost"),
    ("at least", "no fewer than"), ("destroyed", "ruined"), ("discovered", "found"), ("captured", "seized"),
    ("returned to", "went back to"), ("remained", "stayed"), ("nation", "country"), ("inhabitants", "residents"), ("population", "number of residents"),
]

MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"]

SMALL_NUMBERS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]

NATIONALITIES = [
    "American", "British", "English", "French", "German", "Italian", "Spanish", "Portuguese", "Dutch", "Belgian", "Swiss",
    "Austrian", "Polish", "Russian", "Ukrainian", "Swedish", "Norwegian", "Danish", "Finnish", "Greek", "Turkish", "Iranian",
    "Indian", "Pakistani", "Chinese", "Japanese", "Korean", "Australian", "Canadian", "Mexican", "Brazilian", "Argentine",
    "Irish", "Scottish", "Welsh", "Hungarian", "Czech", "Romanian", "Bulgarian", "Serbian", "Croatian", "Israeli", "Egyptian",
    "Nigerian", "Kenyan", "South African", "Indonesian", "Filipino", "Vietnamese", "Thai",
]

OCCUPATIONS = [
    "actor", "actress", "singer", "songwriter", "politician", "lawyer", "writer", "novelist", "poet", "journalist", "painter",
    "sculptor", "composer", "conductor", "pianist", "guitarist", "footballer", "cricketer", "swimmer", "cyclist", "boxer",
    "director", "producer", "screenwriter", "architect", "engineer", "physicist", "chemist", "biologist", "mathematician",
    "philosopher", "historian", "economist", "physician", "bishop", "general", "admiral", "businessman", "racing driver", "model",
]

KINDS = [
    "film", "novel", "album", "song", "village", "town", "city", "river", "mountain", "lake", "company", "band", "school",
    "university", "museum", "newspaper", "magazine", "television series", "video game", "railway station", "church", "bridge",
    "species", "genus", "football club", "political party", "airline", "ship", "play", "island",
]

UNITS = {  # unit: (other unit, factor, decimals)
    "km": ("miles", 0.621371, 0), "kilometres": ("miles", 0.621371, 0), "kilometers": ("miles", 0.621371, 0),
    "miles": ("kilometres", 1.609344, 0), "metres": ("feet", 3.28084, 0), "meters": ("feet", 3.28084, 0),
    "feet": ("metres", 0.3048, 1), "kg": ("pounds", 2.204623, 0), "pounds": ("kilograms", 0.453592, 0),
    "acres": ("hectares", 0.404686, 0), "hectares": ("acres", 2.471054, 0),
}

NEUTRAL_TAILS = [
    "with the help of a local charity", "for the second time", "together with an old friend", "after a long dispute",
    "against the advice of the critics", "with great public interest", "at the request of the government", "for financial reasons",
    "in front of a large crowd", "because of the weather", "which surprised many observers", "at the expense of the state",
    "and was later honoured for it", "to the delight of the local people", "as had been planned for years", "without any outside help",
    "under a new contract", "on the recommendation of a teacher", "during a visit to the capital", "and won an award for it",
]
