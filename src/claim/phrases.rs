//! How people greet, refuse, say that they don't know and speak about their answer: pure data, over folded text.

/// Openings that say nothing, when little follows them.
pub(super) const GREETINGS: &[&str] = &[
    "hi",
    "hello",
    "hey",
    "hey there",
    "hi there",
    "hello there",
    "good morning",
    "good afternoon",
    "good evening",
    "greetings",
    "welcome",
    "thanks",
    "thank you",
    "you're welcome",
    "you are welcome",
    "sure",
    "sure thing",
    "of course",
    "certainly",
    "absolutely",
    "no problem",
    "great question",
    "good question",
    "that's a great question",
    "that's a good question",
    "excellent question",
    "happy to help",
    "glad to help",
    "i'm happy to help",
    "i am happy to help",
    "i'm glad to help",
    "i'd be happy to help",
    "my pleasure",
    "cheers",
    "bye",
    "goodbye",
    "see you",
    "have a nice day",
    "have a great day",
    "take care",
    "got it",
    "understood",
    "okay",
    "ok",
    "great",
    "dear user",
    "good luck",
    "ola",
    "oi",
    "bom dia",
    "boa tarde",
    "boa noite",
    "claro",
    "com certeza",
    "obrigado",
    "obrigada",
    "de nada",
    "fico feliz em ajudar",
    "com prazer",
    "hallo",
    "guten tag",
    "guten morgen",
    "guten abend",
    "gerne",
    "naturlich",
    "selbstverstandlich",
    "danke",
    "vielen dank",
    "bitte schon",
    "gern geschehen",
    "hola",
    "buenos dias",
    "buenas tardes",
    "buenas noches",
    "gracias",
    "muchas gracias",
    "por supuesto",
    "claro que si",
    "con gusto",
    "con mucho gusto",
    "bonjour",
    "bonsoir",
    "salut",
    "merci",
    "merci beaucoup",
    "bien sur",
    "avec plaisir",
    "de rien",
    "你好",
    "您好",
    "当然",
    "不客气",
    "谢谢",
    "こんにちは",
    "ありがとうございます",
    "もちろんです",
];

/// Beginnings of sentences that only close or open the talk, however they go on.
pub(super) const COURTESIES: &[&str] = &[
    "i hope this helps",
    "i hope that helps",
    "hope this helps",
    "hope that helps",
    "let me know if",
    "please let me know",
    "feel free to",
    "please feel free",
    "don't hesitate to",
    "do not hesitate to",
    "please don't hesitate",
    "if you have any other questions",
    "if you have any questions",
    "if you have any further questions",
    "if you have any more questions",
    "if you need any",
    "if you need more",
    "if you'd like",
    "if you would like",
    "i'd be happy to",
    "i would be happy to",
    "i'm happy to",
    "i am happy to",
    "i'm here to help",
    "thanks for asking",
    "thank you for",
    "thanks for",
    "would you like me to",
    "espero que isso ajude",
    "espero ter ajudado",
    "se tiver mais perguntas",
    "se tiver alguma duvida",
    "fico a disposicao",
    "posso ajudar",
    "ich hoffe, das hilft",
    "ich hoffe das hilft",
    "wenn sie weitere fragen haben",
    "falls sie weitere fragen",
    "lassen sie mich wissen",
    "ich helfe gerne",
    "espero que esto ayude",
    "espero que te sirva",
    "si tienes mas preguntas",
    "si tiene mas preguntas",
    "no dudes en",
    "no dude en",
    "j'espere que cela",
    "n'hesitez pas",
    "si vous avez d'autres questions",
    "je suis la pour vous aider",
    "希望这",
    "如果您有",
    "如果你有",
];

/// Refusals, as regular expressions anchored at the start.
pub(super) const REFUSALS: &[&str] = &[
    r"^(?:(?:i'm|i am) (?:very |so |really |truly )?(?:sorry|afraid)|sorry|i apologi[sz]e|unfortunately|regrettably|as an ai\b[^.;:]{0,60}|as a (?:large )?language model)?[ ,.;:-]*(?:but |that |however,? )*i(?: am|'m)? ?(?:simply |just )?(?:can't|cannot|can not|could not|couldn't|unable to|not able to|won't|will not|won't be able to|not allowed to|not permitted to|must decline to|have to decline|must decline|decline to|don't feel comfortable|not comfortable)(?: be able to)?(?: (?:really|directly|actually))? ?(?:help|assist|provide|answer|comply|fulfil|fulfill|do (?:that|this|so)|share|discuss|generate|create|give|access|browse|confirm|verify|determine|tell|continue|support|engage|offer|write|produce|recommend|respond|make|predict|comment|with|$)",
    r"^(?:i must|i have to|i need to) decline\b",
    r"^(?:i'm sorry,? (?:but )?|unfortunately,? |sorry,? (?:but )?)?(?:i|we) (?:could not|couldn't|was unable to|were unable to|was not able to|am unable to|am not able to|can't|cannot|did not|didn't|do not|don't) (?:find|locate|see|identify|access|retrieve|verify|confirm|determine|browse)\b",
    r"^(?:unfortunately,? |i'm afraid )?(?:there (?:is|was) no|no) (?:relevant |specific |further |reliable |available )?(?:information|data|details|mention|results?) (?:is |was |were |are )?(?:available|found|provided|given|about|on|regarding|in the (?:provided|given|context|sources?|text|document|passage))\b",
    r"^(?:the )?(?:provided|given|supplied)? ?(?:context|sources?|documents?|text|passages?|article) (?:does not|do not|doesn't|don't) (?:contain|mention|provide|include|specify|say|state|give|discuss)\b",
    r"^(?:nao (?:encontrei|foi possivel|ha informac)|eu nao encontrei)",
    r"^(?:no (?:encontre|he encontrado|pude encontrar|se encontro))",
    r"^(?:ich konnte|ich habe) [^.]{0,60}(?:nicht|keine)[^.]{0,40} (?:finden|gefunden)",
    r"^je n'ai (?:pas )?(?:trouve|pu trouver)",
    r"^(?:desculpe|desculpa|lamento|sinto muito|infelizmente)?[ ,.;]*(?:mas )?(?:eu )?nao (?:posso|consigo) (?:ajudar|responder|fornecer|fazer|atender|auxiliar|dar|criar|gerar|confirmar)",
    r"^(?:es tut mir leid|tut mir leid|leider|entschuldigung)?[ ,.;]*(?:aber )?(?:das |dabei |damit )?(?:ich kann|kann ich)\b[^.]{0,60}\bnicht\b[^.]{0,30}(?:helfen|beantworten|geben|bereitstellen|sagen|erstellen|bestatigen|unterstutzen)?",
    r"^(?:lo siento|lamentablemente|perdon|disculpa|disculpe)?[ ,.;]*(?:pero )?(?:yo )?no puedo (?:ayudar|responder|proporcionar|hacer|dar|crear|generar|confirmar|asistir)",
    r"^(?:(?:je suis )?desolee?|malheureusement)?[ ,.;]*(?:mais )?je ne (?:peux|puis) pas (?:vous |t'|te |)?(?:aider|repondre|fournir|faire|donner|creer|confirmer)",
    r"^(?:抱歉|对不起|很遗憾)[^。]{0,12}(?:不能|无法)",
    r"^(?:申し訳|すみません)[^。]{0,20}(?:できません|お答えできません)",
];

/// Apologies that refuse nothing by themselves.
pub(super) const APOLOGIES: &[&str] = &[
    r"^(?:i'm|i am) (?:very |so |really )?sorry(?: for| about| to hear|[.!,]?$)",
    r"^(?:my )?apologies\b",
    r"^i apologi[sz]e (?:for|if)\b",
    r"^(?:sorry|desculpe|lamento|lo siento|tut mir leid|es tut mir leid|desole|je suis desolee?|entschuldigung)[ .!]*$",
    r"^as an ai\b|^as a (?:large )?language model\b",
];

/// "I don't know", as regular expressions.
pub(super) const ABSTENTIONS: &[&str] = &[
    r"^(?:i'm afraid (?:that )?|sorry,? (?:but )?|honestly,? |unfortunately,? |i'm sorry,? (?:but )?)?(?:i (?:really |honestly )?(?:don't|do not) (?:really |actually )?(?:know|have (?:any |enough |sufficient |access to )?(?:information|data|knowledge|details|context|idea|an answer)|recall)\b|idk\b|dunno\b|i(?:'m| am) not (?:sure|certain|aware|familiar)\b|no idea\b|i have no (?:idea|information|data|knowledge|clue)\b|not sure\b|i (?:can't|cannot) (?:find|say|determine|tell)\b)",
    r"^(?:unknown|n/?a|none given|not specified|not mentioned|not stated|not provided|not available|no answer|no information|no data|unanswerable|insufficient information|not enough information)(?: (?:available|found|provided|given))?[ .!]*$",
    r"\b(?:the )?(?:provided|given|supplied|available|above|retrieved) (?:context|passages?|text|documents?|information|sources?|search results|articles?|excerpts?|materials?|data)\b[^.]{0,40}\b(?:does not|doesn't|do not|don't|did not|didn't) (?:explicitly |specifically |directly )?(?:mention|contain|provide|specify|say|state|include|give|indicate|address|discuss|answer|have)\b",
    r"^(?:the )?(?:context|passages?|search results|sources?)(?: provided| given)? (?:does not|doesn't|do not|don't) (?:explicitly |specifically |directly )?(?:mention|contain|provide|specify|say|state|include|give|indicate|address|discuss|answer|have)\b",
    r"^there (?:is|was) (?:no|not enough|insufficient) (?:information|mention|data|details?|evidence|context)\b[^.]{0,60}\b(?:context|passages?|provided|given|search results|sources?)\b",
    r"\b(?:is|are|was) (?:not|n't) (?:mentioned|specified|provided|stated|given|available|included|found|discussed) (?:in|by) (?:the )?(?:provided |given |supplied |above )?(?:context|passage|text|information|search results|sources?)\b",
    r"\b(?:cannot|can't|could not) be (?:determined|answered|inferred|found|verified) (?:from|based on|in|with) (?:the )?(?:provided |given |supplied |available )?(?:context|passage|text|information|documents?|search results|sources?)\b",
    r"^(?:eu )?nao (?:sei\b|tenho (?:certeza|informac|dados|ideia|conhecimento)|faco ideia|ha informac)|^(?:o|no) (?:contexto|texto fornecido|documento fornecido)\b[^.]{0,30}\bnao (?:menciona|contem|informa|especifica|diz|ha)",
    r"^(?:das )?(?:ich )?weiss (?:ich )?(?:es )?(?:leider )?nicht\b|^keine ahnung\b|^ich (?:bin (?:mir )?nicht sicher|habe keine (?:informationen|angaben|daten|ahnung))|^(?:der|im) (?:kontext|bereitgestellten? text)\b[^.]{0,40}\b(?:nicht|keine)\b",
    r"^(?:yo )?no (?:lo )?se(?:[ .!,]|$)|^no tengo (?:idea|informacion|certeza|datos)|^(?:el|en el) (?:contexto|texto proporcionado)\b[^.]{0,30}\bno (?:menciona|contiene|especifica|dice|hay)",
    r"^je ne sais pas\b|^je n'en sais rien|^aucune idee\b|^je n'ai (?:pas|aucune) (?:d'|de |idee|information)|^le (?:contexte|texte fourni)\b[^.]{0,30}\bne (?:mentionne|contient|precise|dit)",
    r"^(?:我)?(?:不知道|不清楚|不确定)|^(?:わかりません|分かりません|知りません)",
];

/// Talk about the answer itself.
pub(super) const META: &[&str] = &[
    r"^(?:(?:sure|certainly|of course|okay|ok|absolutely|great)[,!. ]+)?(?:here(?:'s| is| are| goes)|below (?:is|are|you)|the following (?:is|are)|let me (?:explain|summari[sz]e|break|start|walk|give|know|help)|let's (?:break|look|start|begin|go|dive|explore|see)|i(?:'ll| will|'ve| have| am going to|'m going to|'d like to| would like to| can) (?:explain|summari[sz]e|provided?|list|listed|describe|outlined?|walk|give|cover|try|start|answer|share|do my best|help)\b)",
    r"^(?:to (?:summari[sz]e|answer (?:your|the) question|sum up|recap|conclude)|in (?:summary|conclusion|short|this (?:answer|response|summary|article|section))|as (?:mentioned|noted|discussed|stated|described|explained) (?:above|earlier|before|previously)|based on the (?:provided |given |above )?(?:context|information|documents?|sources?|search results|passages?))[ :.,]*$",
    r"^(?:key facts?|sources?|references?|bibliography|citations?|further reading|see also|notes?|disclaimer|summary|tl;?dr|answer|final answer|conclusion|overview|explanation|reasoning|context|question|output|result)s? ?:?$",
    r"^(?:sources?|references?|adapted from|retrieved from|see also|image credit|photo credit)\b ?:? ?(?:https?://|www\.|\[|adapted)",
    r"^adapted from\b",
    r"^(?:please )?(?:see|visit|refer to|check(?: out)?|read more(?: at| on)?|more (?:information|details|info)(?: (?:is|are) available)?(?: at| on|:)?|for (?:more|further) (?:information|details|info)[^.]{0,40}|available at|full (?:text|report|article)(?: at|:)?|via|link|url|website)\b ?:? ?(?:\[[^\]]{0,80}\]\()?(?:https?://|www\.)",
    r"^(?:source|sources|quelle|quellen|fonte|fontes|fuente|fuentes|reference|references) ?: ",
    r"^(?:aqui (?:esta|estao|vai|vao)|segue(?:m)?\b|abaixo (?:esta|estao)|a seguir)",
    r"^(?:hier (?:ist|sind|finden|kommt)|im folgenden|nachfolgend|unten (?:finden|sind))\b",
    r"^(?:aqui (?:tienes|tiene|estan)|a continuacion)\b",
    r"^(?:voici|ci-dessous)\b",
    r"^(?:以下是|下面是|以下は)",
];

/// "In my opinion", and first-person liking.
pub(super) const OPINIONS: &[&str] = &[
    r"^(?:in my (?:humble |personal )?(?:opinion|view|experience)|personally|imo\b|imho\b|if you ask me|to me,)",
    r"^i (?:really |personally |absolutely |truly |also |would |'d )*(?:love|like|prefer|enjoy|hate|dislike|adore|recommend|suggest|wish|hope|admire|appreciate|agree|disagree)\b",
    r"^(?:it|this|that)(?:'s| is| was| sounds| seems| looks)(?: (?:really|very|so|such|truly|quite|a|an|pretty|absolutely|just|always))* (?:great|good|interesting|fascinating|wonderful|amazing|nice|sad|lovely|beautiful|awesome|fantastic|terrible|awful|excellent|exciting|fun|cool|inspiring|impressive|incredible|remarkable|worthwhile|helpful|thoughtful|unfortunate|tragic)\b(?: (?:question|idea|choice|topic|point|place|thing|story|way|example|news|one|work|job|place to visit))*[.! ]*$",
    r"^(?:na minha opiniao|em minha opiniao|a meu ver|eu (?:gosto|adoro|prefiro|amo|odeio)|meiner meinung nach|ich (?:mag|liebe|hasse|bevorzuge)|en mi opinion|(?:a mi )?me (?:gusta|encanta)|prefiero|a mon avis|selon moi|j'(?:aime|adore|prefere))\b",
];

/// "I think that …" before something that may be a fact.
pub(super) const BELIEFS: &str = r"^(?:i (?:really |personally |do |also |honestly )*(?:think|believe|feel|guess|suppose|reckon|would say|'d say)|(?:eu )?(?:acho|acredito|penso)|ich (?:denke|glaube|finde)|(?:yo )?(?:creo|pienso)|je (?:pense|crois|trouve))\b(?: that| que|, dass)?";

/// Words that judge.
pub(super) const JUDGING: &[&str] = &[
    "good",
    "bad",
    "great",
    "best",
    "worst",
    "better",
    "worse",
    "beautiful",
    "ugly",
    "nice",
    "interesting",
    "boring",
    "wonderful",
    "amazing",
    "awful",
    "terrible",
    "fantastic",
    "excellent",
    "lovely",
    "fun",
    "cool",
    "overrated",
    "underrated",
    "worth",
    "should",
    "deserve",
    "deserves",
    "wonderfully",
    "delicious",
    "impressive",
    "inspiring",
    "fascinating",
    "pretty",
    "melhor",
    "pior",
    "bonito",
    "bonita",
    "schon",
    "gut",
    "schlecht",
    "toll",
    "mejor",
    "peor",
    "meilleur",
    "beau",
    "belle",
];

/// Verbs that begin an order.
pub(super) const IMPERATIVES: &str = "click open close shut lock unlock enable disable attach connect disconnect insert tighten loosen go use make add try please consider check see ensure visit contact call run install press select choose keep \
take put set turn avoid follow read write type enter save download wait mix stir bake heat pour cook cut place remove ask tell give bring send get find look watch \
listen start stop begin continue submit sign log scroll tap drag drop copy paste replace combine preheat season serve repeat return refer consult review verify \
create build define compare think imagine remember note don't do never always be let talk speak reach head navigate switch update upgrade configure apply book buy \
wear bring store wash clean rinse dry hold pull push fill cover drink eat sleep exercise practice stay learn explore share subscribe join donate report provide \
describe list explain summarize summarise translate rewrite answer";

/// What follows an order's verb where it is an order.
pub(super) const ORDER_OBJECTS: &str = "the a an your my this that these those it them him her any all each both every some sure no not only at into from over about \
on in up down out off for with yourself more less careful aware if whether here there one two three enough plenty as me us";

/// Advice to the reader.
pub(super) const ADVICE: &str = r"^(?:first,? |then,? |next,? |finally,? |also,? |if [^,]{0,80}, )?(?:you (?:should|must|need to|ought to|will want to|'ll want to|might want to|may want to|may wish to|can try)|we recommend|it(?:'s| is) (?:recommended|advisable|best|a good idea|important|essential|crucial) (?:that you|to|for you to)|make sure (?:to|that|you)|be sure to|(?:voce|voces) (?:deve|devem|precisa)|sie (?:sollten|mussen)|(?:usted )?debe(?:s|ria|rias)?\b|vous (?:devez|devriez))\b";

/// Orders in other languages.
pub(super) const FOREIGN_ORDERS: &str = r"^(?:clique|abra|acesse|verifique|certifique-se|lembre-se|consulte|por favor|klicken sie|offnen sie|bitte |prufen sie|stellen sie|beachten sie|haga clic|abra|consulte|asegurese|recuerda|por favor|cliquez|ouvrez|veuillez|assurez-vous|consultez|verifiez|n'oubliez pas|请|てください)";

/// "Note that": what follows is a fact.
pub(super) const FACT_AHEAD: &str = r"^(?:please )?(?:(?:note|remember|keep in mind|bear in mind|be aware|recall|notice|observe|consider|imagine|know)(?: also)? that\b|it(?:'s| is) (?:also )?(?:important|worth|crucial|essential|interesting) (?:to (?:note|remember|mention|keep in mind|understand|recogni[sz]e|point out|know)|noting|mentioning)\b)";

/// Heading words that name no subject.
pub(super) const GENERIC_HEADINGS: &str = "key facts fact overview profile summary details detail information info about history background introduction quick main \
highlights statistics stats data general basic basics notes note conclusion results result discussion methods references sources source features specifications specs \
timeline early life career legacy death personal education awards geography economy population demographics culture climate government politics description \
location name names other further more additional important points point at a glance the and of in on for company people place places products product services \
service financials finances contact team leadership answer question questions faq steps step example examples list section part chapter pros cons advantages \
disadvantages benefits risks usage use installation setup requirements explanation explanations output input code solution solutions algorithm \
function functions method approach answers key takeaways tips ingredients instructions directions materials tools resources links ai";
