//! Wikis from files: a dump of our own through the command line, and a slice of Wikipedia as evidence.

use std::io::{BufRead, BufReader};

use crate::command::{Workplace, labels, shared};

const DUMP: &str = r#"<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="en">
<siteinfo><dbname>townswiki</dbname><base>https://towns.example/wiki/Main_Page</base></siteinfo>
<page><title>Arden</title><ns>0</ns><id>7</id><revision><id>70</id><timestamp>2026-01-02T03:04:05Z</timestamp><model>wikitext</model>
<text xml:space="preserve">{{Infobox settlement
| mayor = [[Ida Roe]]
| population_total = {{formatnum:12000}}
}}
'''Arden''' is a town on the [[Ilva]].&lt;ref&gt;A book.&lt;/ref&gt; Its bridge is {{convert|340|m|ft}} long.

== History ==
The bridge opened on 3 May 1931.

{| class="wikitable"
! Year !! Visitors
|-
| 2022 || 41,000
|-
| 2023 || 48,200
|}
</text></revision></page>
<page><title>Old Arden</title><ns>0</ns><id>8</id><redirect title="Arden" /><revision><id>80</id><text>#REDIRECT [[Arden]]</text></revision></page>
<page><title>Talk:Arden</title><ns>1</ns><id>9</id><revision><id>90</id><text>Arden has 13,000 people, I think.</text></revision></page>
</mediawiki>
"#;

#[test]
fn a_dump_is_indexed_and_answers_with_permalinks_to_the_revision() {
    let place = Workplace::new();
    place.write("towns.xml", DUMP);
    let ran = place.well(&["index", "towns.xml", "--into", "idx", "--embedder", "hashed", "--format", "json"]);
    assert_eq!(ran.json()["documents"]["added"], 1);
    assert_eq!(ran.json()["passed_over"]["redirects"], 1);
    assert_eq!(ran.json()["passed_over"]["other_namespaces"], 1);
    let answer = "Arden's population is 12,000. The bridge of Arden is 340 m long. The bridge opened on 3 May 1913.";
    let ran = place.run(&["verify", "--index", "idx", "--text", answer, "--format", "json"]);
    let report = ran.json();
    assert_eq!(labels(&report), ["supported", "supported", "contradicted"], "{report:#}");
    assert_eq!(report["claims"][0]["evidence"][0]["url"], "https://towns.example/wiki/Arden?oldid=70");
    assert_eq!(report["claims"][0]["evidence"][0]["quote"], "Population total: 12,000");
}

#[test]
fn indexing_a_dump_again_skips_what_has_not_changed_and_replaces_what_has() {
    let place = Workplace::new();
    place.write("towns.xml", DUMP);
    let index = ["index", "towns.xml", "--into", "idx", "--embedder", "hashed", "--format", "json"];
    place.well(&index);
    let again = place.well(&index).json();
    assert_eq!((again["documents"]["unchanged"].as_u64(), again["generation"].as_u64()), (Some(1), Some(1)));
    place.write("towns.xml", DUMP.replace("12000", "12500").replace("<id>70</id>", "<id>71</id>"));
    assert_eq!(place.well(&index).json()["documents"]["replaced"], 1);
    // Longer, so that the page lies at another byte: still the same page.
    place.write(
        "towns.xml",
        DUMP.replace("12000", "12500").replace("<id>70</id>", "<id>71</id>").replace("<siteinfo>", "<siteinfo>   "),
    );
    assert_eq!(place.well(&index).json()["documents"]["unchanged"], 1);
}

#[test]
fn a_cut_off_dump_keeps_what_came_before_the_cut_and_strictly_changes_nothing() {
    let place = Workplace::new();
    place.write("towns.xml", &DUMP[..DUMP.find("Old Arden").unwrap()]);
    let index = ["index", "towns.xml", "--into", "idx", "--embedder", "hashed"];
    let strict = place.run(&[&index[..], &["--strict"]].concat());
    strict.failed_saying(&["towns.xml", "page 2 at byte ", "ends inside a dump", "as it was before"]);
    let ran = place.well(&index);
    assert!(
        ran.stderr.contains("the file ends inside a dump") && ran.stdout.contains("1 added"),
        "{}{}",
        ran.stderr,
        ran.stdout
    );
}

/// Claims about articles among the first 3,000 of the sample, and what those say.
const CLAIMS: [(&str, &str); 10] = [
    ("Beata Falk was born on February 17, 1989.", "supported"),
    ("Andriy Kornyev was born on 1 November 1978.", "supported"),
    ("Lepsämä is a village in the municipality of Nurmijärvi.", "supported"),
    ("Chango Carmona won the WBC lightweight title in 1972.", "supported"),
    ("Walter Engelmann was born in Rußdorf.", "supported"),
    ("Londi has a population of 22.", "supported"),
    ("Wólka Biska has a population of 441.", "contradicted"),
    ("The Phare de l'Espiguette was built in 1896.", "contradicted"),
    ("The Village of Merrick Park opened in 2012.", "contradicted"),
    ("Amy Sol owns a sailing boat.", "not_enough_info"),
];

#[test]
fn ten_claims_about_three_thousand_articles_of_wikipedia_are_told_right_from_wrong() {
    let Some(path) = shared("data/wiki/wiki_en_2014_sample.jsonl.zst") else { return };
    let file = std::fs::File::open(path).unwrap();
    let lines = BufReader::new(zstd::Decoder::new(file).unwrap()).lines().take(3_000);
    let slice: String = lines.map(|line| line.unwrap() + "\n").collect();
    assert_eq!(slice.lines().count(), 3_000);
    let place = Workplace::new();
    place.write("wiki_00", slice);
    place.well(&["index", "wiki_00", "--into", "idx", "--embedder", "hashed"]);
    let mut wrong = Vec::new();
    for (claim, label) in CLAIMS {
        let report = place.run(&["verify", "--index", "idx", "--text", claim, "--format", "json"]).json();
        if labels(&report) != [label] {
            wrong.push(format!("{claim}: {:?}, {}", labels(&report), report["claims"][0]["reason"]));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
