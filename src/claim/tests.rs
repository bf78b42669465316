//! Answers and their claims.

use proptest::prelude::*;

use super::*;
use crate::text::{Language, TextSpan};

fn read(answer: &str) -> Vec<Claim> {
    extract(answer, &ClaimOptions::default())
}

fn asked(question: &str, answer: &str) -> Vec<Claim> {
    extract(answer, &ClaimOptions { question: Some(question.into()), language: None })
}

/// The texts of the claims that are to be checked.
fn texts(claims: &[Claim]) -> Vec<&str> {
    claims.iter().filter(|claim| claim.unchecked.is_none()).map(|claim| claim.text.as_str()).collect()
}

fn reasons(answer: &str) -> Vec<Option<Unchecked>> {
    read(answer).into_iter().map(|claim| claim.unchecked).collect()
}

fn reason(answer: &str) -> Option<Unchecked> {
    let claims = read(answer);
    assert_eq!(claims.len(), 1, "{claims:?}");
    claims[0].unchecked
}

#[test]
fn a_sentence_with_abbreviations_is_one_claim() {
    let text = "Dr. Vance, Ph.D., signed the lease with Brightmoor Ltd. in Sept. 2019 (see no. 5, e.g. p. 3).";
    assert_eq!(texts(&read(text)), [text]);
    let text = "Der SV Beispielstadt spielt seit dem 3. Mai 2021 in der 2. Liga.";
    assert_eq!(texts(&read(text)), [text]);
}

#[test]
fn chinese_sentences_are_claims_of_their_own() {
    assert_eq!(texts(&read("青石桥建于1958年。全长420米。")), ["青石桥建于1958年。", "全长420米。"]);
}

#[test]
fn list_items_carry_the_subject_of_the_line_before() {
    for answer in [
        "Norsel - key facts\n- Founded in 1994\n- Based in Tromvik\n- 320 staff",
        "Norsel \u{2013} key facts\n\u{2013} Founded in 1994\n\u{2013} Based in Tromvik\n\u{2013} 320 staff",
        "# Norsel\n\n- Founded in 1994\n- Based in Tromvik\n- 320 staff",
        "**Key facts about Norsel:**\n\n* Founded in 1994\n* Based in Tromvik\n* 320 staff",
    ] {
        let claims = read(answer);
        assert!(matches!(claims[0].unchecked, Some(Unchecked::Heading | Unchecked::Meta)), "{claims:?}");
        assert_eq!(
            texts(&claims),
            ["Norsel was founded in 1994", "Norsel is based in Tromvik", "Norsel: 320 staff"],
            "{answer}"
        );
        assert_eq!(claims[3].spans.iter().map(|span| span.of(answer)).collect::<Vec<_>>(), ["320 staff"]);
    }
}

#[test]
fn an_item_continues_the_sentence_that_leads_to_its_list() {
    let claims = read("Norsel has offices in:\n- Oslo\n- Bergen");
    assert_eq!(texts(&claims), ["Norsel has offices in Oslo", "Norsel has offices in Bergen"]);
    let claims = read("Norsel makes the following products:\n1. Lamps\n2. The Corvo lamp was released in 2011.");
    assert_eq!(texts(&claims), ["Norsel makes the following products: Lamps", "The Corvo lamp was released in 2011."]);
}

#[test]
fn numbers_of_items_belong_to_their_sentences() {
    let answer = "1. The pump holds 5 litres.\n2. The valve was replaced in 2019.";
    let claims = read(answer);
    assert_eq!(texts(&claims), ["The pump holds 5 litres.", "The valve was replaced in 2019."]);
    assert_eq!(claims[1].sentence.of(answer), "2. The valve was replaced in 2019.");
}

#[test]
fn markup_is_no_part_of_a_claim_but_its_places_lead_back() {
    let answer = "The reservoir holds **999** million litres.";
    let claims = read(answer);
    assert_eq!(texts(&claims), ["The reservoir holds 999 million litres."]);
    let number = claims[0].text.find("999").unwrap();
    assert_eq!(claims[0].raw_span(TextSpan::new(number, number + 3)).unwrap().of(answer), "999");
    let answer = "R&amp;D spend was &euro;5&nbsp;million.";
    let claims = read(answer);
    assert_eq!(texts(&claims), ["R&D spend was €5\u{a0}million."]);
    let five = claims[0].text.find('5').unwrap();
    assert_eq!(claims[0].raw_span(TextSpan::new(five, five + 1)).unwrap().of(answer), "5");
}

#[test]
fn offsets_hold_after_emoji() {
    let answer = "👩‍🚀🚀 The probe landed in 2031.";
    let claims = read(answer);
    let claim = claims.iter().find(|claim| claim.unchecked.is_none()).unwrap();
    let year = claim.text.find("2031").unwrap();
    let span = claim.raw_span(TextSpan::new(year, year + 4)).unwrap();
    assert_eq!(span.of(answer), "2031");
    let chars = span.to_chars(answer).unwrap();
    assert_eq!(answer.chars().skip(chars.start).take(4).collect::<String>(), "2031");
}

#[test]
fn an_answer_that_does_not_know_has_no_claim_to_check() {
    for answer in [
        "I don't know.",
        "idk",
        "I'm not sure.",
        "No idea.",
        "I do not have enough information to answer that.",
        "The provided context does not mention the fee.",
        "Não sei.",
        "Não tenho certeza.",
        "Ich weiß es nicht.",
        "Keine Ahnung.",
        "No lo sé.",
        "No tengo información.",
        "Je ne sais pas.",
        "我不知道。",
        "N/A",
    ] {
        assert_eq!(reason(answer), Some(Unchecked::Abstention), "{answer}");
    }
}

#[test]
fn greetings_refusals_and_talk_about_the_answer_are_not_checked() {
    use Unchecked::{Greeting, Instruction, Meta, Opinion, Question, Refusal};
    for (answer, expected) in [
        ("Hi!", Greeting),
        ("Hello there!", Greeting),
        ("Happy to help.", Greeting),
        ("Sure!", Greeting),
        ("I hope this helps!", Greeting),
        ("Let me know if you need anything else.", Greeting),
        ("Olá!", Greeting),
        ("Espero ter ajudado!", Greeting),
        ("Guten Tag!", Greeting),
        ("¡Hola!", Greeting),
        ("Bonjour !", Greeting),
        ("I can't help with that.", Refusal),
        ("I'm sorry, but I cannot provide medical advice.", Refusal),
        ("As an AI language model, I cannot make predictions.", Refusal),
        ("Desculpe, mas não posso ajudar com isso.", Refusal),
        ("Das kann ich leider nicht beantworten.", Refusal),
        ("Lo siento, no puedo ayudar con eso.", Refusal),
        ("Je suis désolé, mais je ne peux pas vous aider.", Refusal),
        ("Here is a summary:", Meta),
        ("Let me explain.", Meta),
        ("Aqui está um resumo:", Meta),
        ("Hier ist eine Zusammenfassung:", Meta),
        ("Voici un résumé :", Meta),
        ("Which city do you mean?", Question),
        ("¿Cuál es la capital?", Question),
        ("你是谁？", Question),
        ("Click the blue button.", Instruction),
        ("Please contact support.", Instruction),
        ("You should consult a doctor.", Instruction),
        ("Don't touch the valve.", Instruction),
        ("I love this city.", Opinion),
        ("In my opinion the tower is ugly.", Opinion),
        ("I think it is beautiful.", Opinion),
        ("That's a great idea!", Opinion),
    ] {
        assert_eq!(reason(answer), Some(expected), "{answer}");
    }
}

#[test]
fn facts_are_checked_however_short_hedged_or_reported() {
    for text in [
        "BASIC was created by NASA.",
        "Fish swim.",
        "Water boils at 50 °C.",
        "The drug might reduce fever.",
        "It is false that the valve was not replaced.",
        "The lease says the tenant \"is ... permitted to sublet\".",
        "I think the Eiffel tower was built in 1889.",
        "I'm not sure, but the Ilva is 88 km long.",
        "It is important to note that the battery lasts 4 hours.",
        "Note that the battery lasts 4 hours.",
        "Sure, the Ilva is 88 km long.",
        "Of course, Norway won.",
        "Nobody replaced the valve.",
        "In 2019-2020 Paris hosted 30 major events.",
        "Output rose by 20 percent in 1987.",
        "Use of the valve was banned in 1990.",
        "Open source software is common.",
        "Sao Bruno lies on the Lona.",
        "Osric the Fourth ruled for 9 years.",
        "The cyclist Alan Brook was born in 1920.",
        "A LGPD foi criada em 2015.",
        "Das Museum wurde 1997 eröffnet.",
        "There is no mention of a fee in the lease.",
        "Here is the length: the Ilva is 88 km long.",
        "Opening hours: 9-17.",
        "Read speeds reached 500 MB/s.",
        "Take That was formed in 1990.",
        "Listen, the lamp lasts 40,000 hours.",
        "Great Britain left the EU in 2020.",
        "Thanks to Norsel, the tower was built in 1990.",
        "In summary, Norsel was founded in 1994.",
        "Make is a build tool.",
        "Here lies Osric IV.",
    ] {
        let claims = read(text);
        assert_eq!(texts(&claims), [text], "{claims:?}");
    }
}

#[test]
fn greetings_beside_a_fact_leave_the_fact() {
    let claims = read("Hi! Happy to help. The Ilva is 88 km long.");
    assert_eq!(
        claims.iter().map(|claim| claim.unchecked).collect::<Vec<_>>(),
        [Some(Unchecked::Greeting), Some(Unchecked::Greeting), None]
    );
    assert_eq!(claims[2].text, "The Ilva is 88 km long.");
}

#[test]
fn coordinated_predicates_share_their_subject() {
    for (answer, parts) in [
        (
            "The Corvo lamp uses an LED and lasts 40,000 hours.",
            vec!["The Corvo lamp uses an LED", "The Corvo lamp lasts 40,000 hours."],
        ),
        (
            "BASIC was created in 1964 and it was designed for students.",
            vec!["BASIC was created in 1964", "BASIC was designed for students."],
        ),
        (
            "Norsel, based in Tromvik, was founded in 1994 and employs 230 people.",
            vec!["Norsel, based in Tromvik, was founded in 1994", "Norsel, based in Tromvik, employs 230 people."],
        ),
        (
            "The tower was built in 1889 and restored in 1990.",
            vec!["The tower was built in 1889", "The tower was restored in 1990."],
        ),
        ("Teal was sold in 1990; Moss was closed in 1992.", vec!["Teal was sold in 1990", "Moss was closed in 1992."]),
        (
            "Lake Oro is 40 m deep, while Lake Uma is 55 m deep.",
            vec!["Lake Oro is 40 m deep", "Lake Uma is 55 m deep."],
        ),
        (
            "Osric was elected in 2004 and led a party of 40.",
            vec!["Osric was elected in 2004", "Osric led a party of 40."],
        ),
        ("Kim quickly took Arden and won the war.", vec!["Kim quickly took Arden", "Kim won the war."]),
        ("She wrote the manual and became a professor.", vec!["She wrote the manual and became a professor."]),
    ] {
        assert_eq!(texts(&read(answer)), parts, "{answer}");
    }
    let answer = "The Corvo lamp uses an LED and lasts 40,000 hours.";
    let claims = read(answer);
    assert_eq!(
        claims[1].spans.iter().map(|span| span.of(answer)).collect::<Vec<_>>(),
        ["The Corvo lamp", "lasts 40,000 hours."]
    );
}

#[test]
fn what_does_not_stand_alone_is_not_split() {
    for text in [
        "BASIC was designed by Kemeny and Kurtz.",
        "Kemeny and Kurtz developed BASIC at Dartmouth.",
        "The trail is between 5 and 7 km long.",
        "The tower was designed and built by Eiffel.",
        "He said that the tower was sold and the bridge was closed.",
        "The valve was not replaced and the pump was closed.",
        "If the valve is open and the pump is on, the tank fills.",
        "The drug may reduce fever and causes sleep.",
        "Teal and Moss were sold for 5 and 7 million respectively.",
        "The Food and Agriculture Organization was founded in 1945.",
        "Kemeny designed BASIC and it was used by students.",
        "The lease says \"the tenant pays and the landlord repairs the roof\".",
        "In 1964, Kemeny designed BASIC and Kurtz was the editor.",
        "The company that makes lamps and was founded in 1994 is Norsel.",
        "Ana founded a company based in Graz.",
        "Its exports are oil and gas.",
        "17 × 3 = 51 and 2 + 2 = 4.",
        "The school opened in 1990, and the mill was closed in 2005.",
        "Japan seized the islands in 1914 and was granted a mandate to administer them in 1920.",
        "In 1990, Iraq seized Kuwait but was expelled by coalition forces in 1991.",
        "A rainbow represents the spectrum of emotions and experiences that nature holds.",
        "There are more cases of Fever and Catheter - related infections here than there.",
        "The quiet of nature left me rejuvenated and inspired.",
        "The city was founded in 1994 and expanded in 2001.",
    ] {
        assert_eq!(texts(&read(text)), [text], "{:?}", read(text));
    }
}

#[test]
fn a_fragment_is_completed_from_the_sentence_before() {
    let answer = "Mira moved in 2021. To the IT department.";
    let claims = read(answer);
    assert_eq!(texts(&claims), ["Mira moved in 2021.", "Mira moved to the IT department."]);
    assert_eq!(claims[1].spans[0].of(answer), "To the IT department.");
    assert_eq!(claims[1].sentence.of(answer), "To the IT department.");
}

#[test]
fn a_pronoun_is_resolved_only_when_one_thing_can_be_meant() {
    for (answer, text) in [
        ("Norsel was founded in Tromvik in 1994. It employs 230 people.", "Norsel employs 230 people."),
        ("The reservoir holds 67 million litres. It was built in 1960.", "The reservoir was built in 1960."),
        ("Mira Olsen moved to Arden in 2021. She leads the IT department.", "Mira Olsen leads the IT department."),
        ("Norsel was founded in 1994. Its offices are in Tromvik.", "Norsel's offices are in Tromvik."),
        ("Norsel was founded in 1994. In 2001, it moved to Oslo.", "In 2001, Norsel moved to Oslo."),
        (
            "The Halden Tower was built in 1887. It was built by Gustav Ekdal. It is in Lyon.",
            "The Halden Tower is in Lyon.",
        ),
    ] {
        let claims = read(answer);
        let last = claims.last().unwrap();
        assert_eq!(last.text, text, "{claims:?}");
        assert_eq!(last.ambiguous, None);
    }
    for (answer, pronoun) in [
        ("Teal acquired Moss. It is based in Graz.", "It"),
        ("The mill was built by Moss Ltd. It is in Graz.", "It"),
        ("The mills were built by Ana Lund and Eva Berg. They lived in Graz.", "They"),
        ("Ana Lund met Eva Berg. She was born in 1950.", "She"),
        ("He won subsequent elections in 2004.", "He"),
        ("This was sold in 1990.", "This"),
    ] {
        let claims = read(answer);
        let last = claims.last().unwrap();
        assert_eq!(last.ambiguous.as_deref(), Some(pronoun), "{claims:?}");
        assert!(answer.ends_with(&last.text), "an ambiguous sentence stays verbatim");
    }
    for text in
        ["It is false that the valve was not replaced.", "It takes two hours to reach Oslo.", "There are 312 beds."]
    {
        assert_eq!(read(text)[0].ambiguous, None, "{text}");
    }
}

#[test]
fn a_short_answer_becomes_a_statement_with_its_question() {
    for (question, answer, text) in [
        (
            "Which city hosts the head office of the Oberoi Group?",
            "Delhi",
            "Delhi hosts the head office of the Oberoi Group",
        ),
        (
            "The Oberoi family is part of a hotel company that has a head office in what city?",
            "Delhi",
            "The Oberoi family is part of a hotel company that has a head office in what city? Delhi",
        ),
        ("What is the capital of India?", "Delhi.", "The capital of India is Delhi"),
        ("Which city is the capital of India?", "Delhi", "Delhi is the capital of India"),
        ("Who invented the lamp?", "Ana Corvo.", "Ana Corvo invented the lamp"),
        ("When was Norsel founded?", "1994", "Norsel was founded in 1994"),
        ("When was Norsel founded?", "In 1994.", "Norsel was founded In 1994"),
        ("How many people does Norsel employ?", "320", "How many people does Norsel employ? 320"),
        ("Is Delhi the capital of India?", "Yes.", "Delhi is the capital of India"),
        ("Was the valve replaced?", "No", "The valve was not replaced"),
        ("What is the capital of India?", "Answer: Delhi", "The capital of India is Delhi"),
        ("Qual é a capital da Índia?", "Délhi", "Qual é a capital da Índia? Délhi"),
    ] {
        let claims = asked(question, answer);
        assert_eq!(texts(&claims), [text], "{question} {answer}: {claims:?}");
        assert_eq!(claims[0].sentence.of(answer), answer);
    }
}

#[test]
fn an_answer_may_put_its_question_itself() {
    let claims = read("Where are the offices? In Oslo. Was the valve replaced? No.");
    assert_eq!(texts(&claims), ["Where are the offices? In Oslo.", "The valve was not replaced"]);
}

#[test]
fn a_pronoun_may_mean_what_the_question_names() {
    for (question, answer, text) in [
        ("When was Norsel founded?", "It was founded in 1994.", "Norsel was founded in 1994."),
        ("Where was Ana Lund born?", "She was born in Oslo.", "Ana Lund was born in Oslo."),
    ] {
        let claims = asked(question, answer);
        assert_eq!(texts(&claims), [text]);
        assert_eq!(claims[0].ambiguous, None);
    }
    let claims = asked("Did Teal or Moss buy the mill?", "It bought the mill in 1994.");
    assert_eq!(claims[0].ambiguous.as_deref(), Some("It"));
}

#[test]
fn a_whole_sentence_is_no_short_answer() {
    for (question, answer) in [
        ("When was Norsel founded?", "Norsel was founded in 1994."),
        ("Quando foi criada a LGPD?", "A LGPD foi criada em 2015."),
        ("Wann wurde das Museum eröffnet?", "Das Museum wurde 1997 eröffnet."),
        ("青石桥建于何时？", "青石桥建于1958年。"),
    ] {
        assert_eq!(texts(&asked(question, answer)), [answer]);
    }
}

#[test]
fn an_answer_to_another_question_is_not_checked() {
    for (question, answer) in
        [("How long does the battery last?", "Blue heron"), ("When was Norsel founded?", "Blue heron")]
    {
        assert_eq!(asked(question, answer)[0].unchecked, Some(Unchecked::NoContent), "{question}");
    }
    assert_eq!(reason("42"), Some(Unchecked::NoContent));
    assert_eq!(reason("Blue heron"), Some(Unchecked::NoContent));
    assert_eq!(asked("Which city?", "idk")[0].unchecked, Some(Unchecked::Abstention));
}

#[test]
fn headings_code_and_empty_answers_hold_no_claim() {
    assert_eq!(reasons("# History"), [Some(Unchecked::Heading)]);
    assert_eq!(reasons("```\nlet x = 1;\n```"), [Some(Unchecked::NoContent)]);
    assert_eq!(reasons("🚀🚀"), [Some(Unchecked::NoContent)]);
    assert_eq!(reasons("***"), [Some(Unchecked::NoContent)]);
    assert_eq!(reasons("https://example.com/page"), [Some(Unchecked::NoContent)]);
    assert!(read("").is_empty());
    assert!(read(" \n\t ").is_empty());
    assert_eq!(reasons("## Revenue rose by 20 % in 2023\n"), [None]);
}

#[test]
fn table_rows_are_claims_with_their_header() {
    let answer = "| City | Pop |\n|---|---|\n| Arden | 12,000 |\n| Brill | 9,500 |";
    let claims = read(answer);
    assert_eq!(texts(&claims), ["City: Arden; Pop: 12,000", "City: Brill; Pop: 9,500"]);
    let number = claims[2].text.find("9,500").unwrap();
    assert_eq!(claims[2].raw_span(TextSpan::new(number, number + 5)).unwrap().of(answer), "9,500");
}

#[test]
fn computations_are_arithmetic_claims() {
    for text in ["17 × 3 = 51", "20 % of 450 is 90.", "2+2=5"] {
        let claims = read(text);
        assert_eq!((claims[0].kind, claims[0].unchecked), (ClaimKind::Arithmetic, None), "{text}");
    }
    assert_eq!(read("In 2019-2020 Paris hosted 30 major events.")[0].kind, ClaimKind::Factual);
}

#[test]
fn a_language_given_by_the_caller_is_used() {
    let options = ClaimOptions { language: Some(Language::German), question: None };
    assert_eq!(extract("Sie wurde 1950 geboren.", &options)[0].ambiguous, None);
}

#[test]
fn time_grows_with_length_only() {
    // Inputs that would be slow if anything looked at the rest of the text at each place.
    for unit in [
        "Norsel was founded in 1994 and ",
        "and it was ",
        "(",
        "\"A ",
        "- a\n",
        "# A\n",
        "A (BC) ",
        "x**y** ",
        "Teal is sold; ",
        "the Bank of ",
        "of the ",
    ] {
        let short = unit.repeat(1_000);
        let long = unit.repeat(8_000);
        let time = |text: &str| {
            let start = std::time::Instant::now();
            let _ = read(text);
            start.elapsed().as_secs_f64()
        };
        let few = time(&short).max(time(&short)).max(0.004);
        let many = time(&long).min(time(&long));
        assert!(many < few * 40.0, "{unit:?}: {few} s for 1,000 and {many} s for 8,000");
    }
}

fn check_invariants(answer: &str, claims: &[Claim]) {
    let mut covered = vec![false; answer.len()];
    let mut start = 0;
    for (place, claim) in claims.iter().enumerate() {
        assert_eq!(claim.index, place);
        let sentence = claim.sentence;
        assert!(sentence.get(answer).is_some_and(|text| !text.is_empty()), "{claim:?}");
        assert!(sentence.start >= start, "sentences are in order: {claims:?}");
        start = sentence.start;
        covered[sentence.start..sentence.end].fill(true);
        assert!(!claim.text.is_empty());
        for span in &claim.spans {
            assert!(span.get(answer).is_some() && sentence.contains(*span), "{claim:?}");
        }
        let mut end = 0;
        for piece in &claim.pieces {
            assert!(
                piece.text.start >= end && piece.text.get(&claim.text).is_some() && piece.raw.get(answer).is_some(),
                "{claim:?}"
            );
            end = piece.text.end;
            let (mine, theirs) = (piece.text.of(&claim.text), piece.raw.of(answer));
            // A soft line break reads as a space, a carried first letter may lose its capital; else pieces are verbatim.
            let plain = |text: &str| text.replace(['\n', '\r'], " ").to_lowercase();
            assert!(
                mine.len() != theirs.len() || mine.len() <= 4 || plain(mine) == plain(theirs),
                "{mine:?} is not {theirs:?}"
            );
        }
    }
    for (at, c) in answer.char_indices() {
        assert!(covered[at] || c.is_whitespace(), "{c:?} at {at} of {answer:?} is in no claim: {claims:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]
    #[test]
    fn every_character_of_any_answer_belongs_to_a_claim(answer in any::<String>()) {
        check_invariants(&answer, &read(&answer));
    }

    #[test]
    fn every_character_of_any_marked_up_answer_belongs_to_a_claim(
        answer in "(\n|\n\n|- |# |\\*\\*|`|```\n|\\| |> |[0-9]\\. |&amp;|<b>|Norsel |It |and |was |founded |in |1994|\\. |, |; |: |lasts |40 |\"|\\(|\\)|é|🚀|。|青石桥|To |the |\\?|yes ){0,40}",
        question in prop::option::of("(When |Which |was |city |Norsel |founded|is |the |\\?|é){0,8}"),
    ) {
        let claims = extract(&answer, &ClaimOptions { question, language: None });
        check_invariants(&answer, &claims);
    }
}
