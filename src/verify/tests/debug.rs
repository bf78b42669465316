use super::support::*;
#[test]
fn debug_pairs() {
    for (c, q) in [
        ("Uniforme : 0,1320 Mixte : 1,8260 Gain : -12,3 %", "La valeur mixte est 1,8260."),
        ("| City | Pop |\n|---|---|\n| Arden | 12,000 |\n| Brill | 9,500 |", "Arden has 9,500 residents."),
        ("def fetch(url, timeout=30): ...", "fetch has a default timeout of 30."),
        ("Norsel, based in Tromvik, was founded in 1994 and employs 230 people.", "Norsel: 320 staff"),
        ("The rate rose from 4% to 6%.", "The rate rose by 2 percentage points."),
        ("12 of 18 seats were taken.", "Two-thirds of the seats were taken."),
        (
            "Chen joined the Communist Party of China (\"CPC\") in January 1961.",
            "Communist Party of China joined the Chen in January 1961.",
        ),
        ("Teal Ltd acquired Moss Ltd.", "Moss Ltd acquired Teal Ltd."),
        ("Daggering is a form of dance originating from Jamaica .", "Daggering originated in Australia ."),
    ] {
        let v = check(&[c], q);
        println!("== {q} | {c}\n{} {}", v.label, v.reason);
        for f in &v.findings {
            println!("   {:?} {} {} {:?} {:?}", f.stance, f.check, f.kind, f.claim_value, f.evidence_value);
        }
        for e in &v.evidence {
            println!("   quote {} {}", e.quote, e.coverage);
        }
        let r = crate::verify::ReadText::new(
            c,
            crate::verify::ReadOptions { language: crate::text::Language::English, ..Default::default() },
        );
        println!(
            "   {:?}",
            r.words
                .iter()
                .map(|w| format!("{}:{:?}:{}:{}", w.stem, w.kind, w.clause, w.negations))
                .collect::<Vec<_>>()
                .join(" ")
        );
        println!(
            "   Q {:?}",
            r.quantities
                .iter()
                .map(|q| (q.value.span.of(c), q.value.low, q.value.kind, q.value.counted.clone()))
                .collect::<Vec<_>>()
        );
        println!(
            "   M {:?}",
            r.mentions.iter().map(|q| (&q.value.text, q.value.kind, q.value.sentence_initial)).collect::<Vec<_>>()
        );
        let r = crate::verify::ReadText::new(
            q,
            crate::verify::ReadOptions { language: crate::text::Language::English, ..Default::default() },
        );
        println!(
            "   {:?}",
            r.words
                .iter()
                .map(|w| format!("{}:{:?}:{}:{}", w.stem, w.kind, w.clause, w.negations))
                .collect::<Vec<_>>()
                .join(" ")
        );
        println!(
            "   Q {:?}",
            r.quantities
                .iter()
                .map(|x| (x.value.span.of(q), x.value.low, x.value.kind, x.value.counted.clone()))
                .collect::<Vec<_>>()
        );
        println!(
            "   M {:?}",
            r.mentions.iter().map(|q| (&q.value.text, q.value.kind, q.value.sentence_initial)).collect::<Vec<_>>()
        );
    }
    for t in ["Spotify launched in the late 2000s.", "It opened in the early 1970 's and late 1960s."] {
        println!(
            "{:?}",
            crate::text::dates(t, crate::text::DateOrder::Unknown)
                .iter()
                .map(|d| (d.span.of(t), d.first, d.last, d.grain))
                .collect::<Vec<_>>()
        );
    }
}
