//! Dumps written for these tests, through the whole reader. All of it is our own; the towns are made up.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use proptest::prelude::*;

use super::site::Site;
use super::wikitext::page_of_wikitext;
use crate::corpus::{Document, MetadataValue, ReadOptions, ReadProblem, ReadSummary, read_paths};

const START: &str = r#"<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="en">
  <siteinfo>
    <sitename>Test Wiki</sitename>
    <dbname>testwiki</dbname>
    <base>https://en.test.example/wiki/Main_Page</base>
    <case>first-letter</case>
    <namespaces><namespace key="0" case="first-letter" /><namespace key="1" case="first-letter">Talk</namespace><namespace key="6" case="first-letter">Picture</namespace></namespaces>
  </siteinfo>
"#;

fn page(id: u32, namespace: i32, title: &str, more: &str, text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
    format!(
        "  <page>\n    <title>{title}</title>\n    <ns>{namespace}</ns>\n    <id>{id}</id>\n{more}    <revision>\n      <id>{}</id>\n      \
         <timestamp>2026-01-02T03:04:05Z</timestamp>\n      <contributor><username>Ana</username><id>9</id></contributor>\n      \
         <comment>first</comment>\n      <model>wikitext</model>\n      <format>text/x-wiki</format>\n      \
         <text bytes=\"{}\" xml:space=\"preserve\">{text}</text>\n      <sha1>x</sha1>\n    </revision>\n  </page>\n",
        id * 10,
        text.len()
    )
}

const ARDEN: &str = "{{Short description|A town}}\n{{Infobox settlement\n| name = Arden\n| image_skyline = Arden.jpg\n| population_total = {{formatnum:12000}}\n\
    | area_km2 = 31.5<ref>Census & maps</ref>\n| mayor = [[Ida Roe]]\n| established_date = {{start date|1931|5|3}}\n}}\n\
    '''Arden''' is a [[town (place)|town]] on the ''Ilva''.<!-- not this --> It lies {{convert|31|km|mi}} north of [[Brill]].<ref name=\"a\">A book.</ref>\n\n\
    == History ==\nThe bridge opened in 1931{{citation needed|date=May 2020}}.\n* It is 340&nbsp;m long.\n* It cost {{US$|5 million}}.\n\n\
    {| class=\"wikitable\"\n|+ People\n|-\n! Year !! People\n|-\n| 1931 || 9,000\n|-\n| style=\"text-align:right\" | 2021\n| 12,000\n|}\n\n\
    == References ==\n{{reflist}}\n\n[[Category:Towns]]\n";

fn dump(pages: &[String]) -> String {
    format!("{START}{}</mediawiki>\n", pages.concat())
}

struct Run {
    documents: Vec<Document>,
    problems: Vec<ReadProblem>,
    summary: ReadSummary,
}

fn run_with(name: &str, bytes: &[u8], options: &ReadOptions) -> Run {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, bytes).unwrap();
    let mut reading = read_paths(&[PathBuf::from(folder.path())], options);
    let (mut documents, mut problems) = (Vec::new(), Vec::new());
    for item in reading.by_ref() {
        match item {
            Ok(document) => documents.push(document),
            Err(problem) => problems.push(problem),
        }
    }
    Run { documents, problems, summary: reading.summary() }
}

fn run(name: &str, bytes: &[u8]) -> Run {
    run_with(name, bytes, &ReadOptions::default())
}

fn text_of(wikitext: &str) -> String {
    page_of_wikitext(wikitext, "Arden", &Site::default())
}

#[test]
fn an_article_reads_as_rows_sections_and_sentences() {
    let run = run("test.xml", dump(&[page(7, 0, "Arden", "", ARDEN)]).as_bytes());
    assert!(run.problems.is_empty(), "{:?}", run.problems);
    assert_eq!(
        run.documents[0].text,
        "Population total: 12,000\nArea: 31.5 km²\nMayor: Ida Roe\nEstablished date: 3 May 1931\n\n\
         Arden is a town on the Ilva. It lies 31 km north of Brill.\n\n## History\n\nThe bridge opened in 1931.\n\
         - It is 340 m long.\n- It cost US$5 million.\n\nPeople\n\n| Year | People |\n|---|---|\n| 1931 | 9,000 |\n| 2021 | 12,000 |"
            .replacen("Population", "Name: Arden\nPopulation", 1)
    );
}

#[test]
fn a_document_of_a_dump_knows_its_wiki_page_and_revision() {
    let run = run("test.xml", dump(&[page(7, 0, "Arden &amp; Brill", "", ARDEN)]).as_bytes());
    let document = &run.documents[0];
    assert_eq!((document.id.0.as_str(), document.title.as_deref()), ("testwiki:7", Some("Arden & Brill")));
    assert_eq!(document.provenance.url.as_deref(), Some("https://en.test.example/wiki/Arden_%26_Brill?oldid=70"));
    assert_eq!(document.provenance.place.as_deref(), Some("page 7"));
    let metadata: Vec<_> = document.metadata.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
    let text = |text: &str| MetadataValue::Text(text.to_owned());
    assert_eq!(
        metadata,
        [
            ("lang", text("en")),
            ("page_id", MetadataValue::Integer(7)),
            ("revision_id", MetadataValue::Integer(70)),
            ("timestamp", text("2026-01-02T03:04:05Z")),
            ("wiki", text("testwiki")),
        ]
    );
}

#[test]
fn redirects_other_namespaces_scripts_and_deleted_texts_are_passed_over_and_counted() {
    let script = page(5, 0, "Data", "", "{}").replace("<model>wikitext", "<model>json");
    let deleted = page(6, 0, "Gone", "", "")
        .replace("<text bytes=\"0\" xml:space=\"preserve\"></text>", "<text bytes=\"9\" deleted=\"deleted\" />");
    let pages = [
        page(1, 0, "Town", "    <redirect title=\"Arden\" />\n", "#REDIRECT [[Arden]]"),
        page(2, 0, "Old town", "", "#Weiterleitung [[Arden]]"),
        page(3, 1, "Talk:Arden", "", "A talk."),
        page(4, 10, "Template:Box", "", "A box."),
        script,
        deleted,
        page(7, 0, "Arden", "", "Arden is a town."),
    ];
    let found = run("test.xml", dump(&pages).as_bytes());
    assert_eq!((found.documents.len(), found.problems.len()), (1, 0), "{:?}", found.problems);
    let passed = found.summary.passed_over;
    assert_eq!((passed.redirects, passed.other_namespaces, passed.no_text, passed.deleted), (2, 2, 1, 1));
    let talk = ReadOptions { namespaces: vec![1], ..ReadOptions::default() };
    assert_eq!(run_with("test.xml", dump(&pages).as_bytes(), &talk).documents[0].id.0, "testwiki:3");
}

#[test]
fn of_several_revisions_the_latest_is_read_whatever_their_order() {
    let late = page(7, 0, "Arden", "", "Arden has 12,000 people.").replace("2026-01-02", "2026-05-02");
    let early = page(7, 0, "Arden", "", "Arden has 9,000 people.");
    let revision = &early[early.find("    <revision>").unwrap()..early.find("  </page>").unwrap()];
    let both = late.replace("  </page>", &format!("{revision}  </page>"));
    let run = run("test.xml", dump(&[both]).as_bytes());
    assert_eq!(run.documents.len(), 1);
    assert_eq!(run.documents[0].text, "Arden has 12,000 people.");
}

#[test]
fn a_dump_reads_the_same_from_gzip_zstd_and_bzip2_of_several_streams() {
    let pages = [page(1, 0, "Arden", "", ARDEN), page(2, 0, "Brill", "", "Brill is a port.")];
    let plain = dump(&pages);
    let expected: Vec<String> = run("test.xml", plain.as_bytes()).documents.into_iter().map(|d| d.text).collect();
    let bzip2 = |bytes: &[u8]| {
        let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    };
    // As Wikipedia's multistream dumps are made: the head, pages and the end each in a stream of their own.
    let multistream: Vec<u8> =
        [START, &pages[0], &pages[1], "</mediawiki>\n"].iter().flat_map(|part| bzip2(part.as_bytes())).collect();
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(plain.as_bytes()).unwrap();
    let packed = [
        ("t.xml.bz2", bzip2(plain.as_bytes())),
        ("t-multistream.xml.bz2", multistream),
        ("t.xml.gz", gzip.finish().unwrap()),
        ("t.xml.zst", zstd::encode_all(plain.as_bytes(), 1).unwrap()),
    ];
    for (name, bytes) in packed {
        let found = run(name, &bytes);
        assert!(found.problems.is_empty(), "{name}: {:?}", found.problems);
        assert_eq!(found.documents.into_iter().map(|d| d.text).collect::<Vec<_>>(), expected, "{name}");
    }
}

#[test]
fn a_cut_off_dump_gives_the_pages_before_the_cut_and_an_error_that_names_the_page() {
    let whole = dump(&[page(1, 0, "Arden", "", "Arden is a town."), page(2, 0, "Brill", "", "Brill is a port.")]);
    let cut = &whole[..whole.find("Brill is").unwrap() + 4];
    let found = run("test.xml", cut.as_bytes());
    assert_eq!(found.documents.len(), 1);
    let problem = found.problems[0].to_string();
    assert!(
        problem.contains("page 2 (\"Brill\") at byte ") && problem.ends_with("the file ends inside a dump"),
        "{problem}"
    );
    let bytes = {
        let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
        encoder.write_all(whole.as_bytes()).unwrap();
        encoder.finish().unwrap()
    };
    let found = run("test.xml.bz2", &bytes[..bytes.len() - 20]);
    assert_eq!(found.problems.len(), 1, "{:?}", found.problems);
    assert_eq!(found.problems[0].code(), "corpus_io");
    let mut flipped = bytes.clone();
    let middle = flipped.len() / 2;
    flipped[middle] ^= 0x55;
    let found = run("test.xml.bz2", &flipped);
    assert_eq!(found.problems[0].code(), "corpus_io", "{:?}", found.problems);
}

#[test]
fn a_broken_page_is_told_and_the_next_one_is_read() {
    let broken = page(1, 0, "Arden", "", "Arden").replace("<comment>first</comment>", "<comment>first</coment>");
    let entity = page(2, 0, "Bombs", "", "LOL").replace(">LOL<", ">&lol9;&lol9;<");
    let endless = page(3, 0, "Endless", "", "No end.").replace("  </page>\n", "");
    let untitled = page(4, 0, "", "", "No title.");
    let pages = [broken, entity, endless, untitled, page(5, 0, "Brill", "", "Brill is a port.")];
    let doctype =
        "<?xml version=\"1.0\"?>\n<!DOCTYPE mediawiki [<!ENTITY lol \"lol\"><!ENTITY lol9 \"&lol;&lol;&lol;\">]>\n";
    let found = run("test.xml", format!("{doctype}{}", dump(&pages)).as_bytes());
    assert_eq!(found.documents.iter().map(|d| d.text.as_str()).collect::<Vec<_>>(), ["Brill is a port."]);
    let problems: Vec<String> = found.problems.iter().map(ToString::to_string).collect();
    assert_eq!(problems.len(), 4, "{problems:?}");
    assert!(problems[0].contains("page 1 (\"Arden\")") && problems[0].contains("broken XML"), "{problems:?}");
    assert!(problems[1].ends_with("broken XML: unknown entity `lol9`"), "{problems:?}");
    assert!(problems[2].ends_with("broken XML: the page does not end before the next one"), "{problems:?}");
    assert!(problems[3].ends_with("broken XML: a page without a title"), "{problems:?}");
    assert!(found.problems.iter().all(|problem| problem.code() == "corpus_broken_xml" && problem.hint().is_some()));
}

#[test]
fn a_page_over_the_limit_is_told_without_being_held_and_the_next_one_is_read() {
    let pages = [page(1, 0, "Long", "", &"word ".repeat(5_000)), page(2, 0, "Brill", "", "Brill is a port.")];
    let options = ReadOptions { max_document_bytes: 4_000, ..ReadOptions::default() };
    let found = run_with("test.xml", dump(&pages).as_bytes(), &options);
    assert_eq!(found.documents[0].title.as_deref(), Some("Brill"));
    assert_eq!(found.problems[0].code(), "corpus_too_large");
    assert!(found.problems[0].to_string().contains("page 1 (\"Long\")"), "{}", found.problems[0]);
}

#[test]
fn bytes_that_are_no_utf_8_are_replaced_and_told() {
    let mut bytes = dump(&[page(1, 0, "Łódź", "", "Łódź has 12,000 peopl\u{e9}. It is größer.")]).into_bytes();
    let at = bytes.windows(2).position(|pair| pair == "é".as_bytes()).unwrap();
    bytes[at] = 0xff;
    let found = run("test.xml", &bytes);
    assert_eq!(found.problems[0].code(), "corpus_encoding_damaged");
    assert!(found.documents[0].text.contains("has 12,000 peopl\u{fffd}"), "{}", found.documents[0].text);
}

#[test]
fn other_xml_in_a_folder_is_an_unknown_kind_and_an_error_where_it_is_named() {
    let found = run("pom.xml", b"<?xml version=\"1.0\"?><project/>");
    assert_eq!((found.documents.len(), found.problems.len()), (0, 0));
    assert_eq!(found.summary.skipped.unknown_kinds["xml"], 1);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pom.xml");
    fs::write(&path, "<project/>").unwrap();
    let problem = read_paths(&[path], &ReadOptions::default()).next().unwrap().unwrap_err();
    assert_eq!(problem.code(), "corpus_no_dump");
}

#[test]
fn what_wikiextractor_writes_is_read_in_both_of_its_forms() {
    let doc = "<doc id=\"12\" url=\"https://en.wikipedia.org/wiki?curid=12\" title=\"Arden &amp; Brill\">\nArden & Brill\n\nArden is a town.\n\nHistory.\nIt is &lt;old&gt;.\n\n</doc>\n\
               <doc id=\"13\" revid=\"99\" url=\"https://en.wikipedia.org/wiki?curid=13\" title=\"Coster\">\nCoster\n\nCoster is a port.\n</doc>\n";
    let found = run("AA/wiki_00", doc.as_bytes());
    assert!(found.problems.is_empty(), "{:?}", found.problems);
    let ids: Vec<_> = found.documents.iter().map(|document| document.id.0.as_str()).collect();
    assert_eq!(ids, ["enwiki:12", "enwiki:13"]);
    assert_eq!(found.documents[0].text, "Arden is a town.\n\nHistory.\nIt is <old>.");
    assert_eq!(found.documents[1].text, "Coster is a port.");
    assert_eq!(found.documents[1].provenance.url.as_deref(), Some("https://en.wikipedia.org/wiki/Coster?oldid=99"));
    let lines = b"{\"id\": \"12\", \"revid\": \"99\", \"url\": \"https://de.wikipedia.org/wiki?curid=12\", \"title\": \"Arden\", \"text\": \"Arden ist eine Stadt.\"}\n";
    let found = run("AB/wiki_01", lines);
    assert_eq!(found.documents[0].id.0, "dewiki:12");
    assert_eq!(found.documents[0].metadata["lang"], MetadataValue::Text("de".to_owned()));
    assert_eq!(found.documents[0].metadata["revision_id"], MetadataValue::Integer(99));
    let cut = run("AC/wiki_02", &doc.as_bytes()[..doc.len() - 10]);
    assert_eq!((cut.documents.len(), cut.problems[0].code()), (1, "corpus_unfinished_dump"));
}

#[test]
fn common_templates_read_as_a_reader_sees_them() {
    for (wikitext, expected) in [
        ("It is {{convert|5|to|7|km2|sqmi}} large.", "It is 5 to 7 km² large."),
        ("He is {{convert|6|ft|2|in|m}} tall.", "He is 6 ft 2 in tall."),
        ("a {{convert|31|m|adj=on}} tower", "a 31-m tower"),
        ("Born {{birth date and age|1931|5|3|df=y}}.", "Born 3 May 1931."),
        ("Died {{death date and age|2001|2|1|1931|5|3}}.", "Died 1 February 2001 (aged 69)."),
        ("x {{lang|fr|Bonjour}} {{lang-de|Tag}} {{nowrap|5 km}}", "x Bonjour Tag 5 km"),
        ("x {{circa|1850}} and {{frac|2|1|3}}", "x c. 1850 and 2 1/3"),
        ("x {{val|1234567|u=kg}} {{formatnum:1234567.5}}", "x 1,234,567 kg 1,234,567.5"),
        ("x {{ubl|steel|[[ship]]s}} y", "x steel, ships y"),
        ("x {{#if:a|yes|no}} {{#if: |yes|no}} {{#ifeq:a|a|same|other}} {{#switch:b|a=1|b=2|3}}", "x yes no same 2"),
        ("{{PAGENAME}} is {{uc:here}}", "Arden is HERE"),
        ("x {{coord|50|5|N|14|25|E|display=title}} y", "x 50°5′N 14°25′E y"),
        ("x {{coord|-33.9|151.2}} y", "x 33.9°S 151.2°E y"),
        ("It is {{unheard of|31}} m high.", "It is … m high."),
        ("It is high{{unheard note|reason=none}}.", "It is high."),
        ("a {{USD|1200}} and {{percentage|1|4}}", "a US$1,200 and 25%"),
        ("{{quote|To be.|Ida}}", "To be. — Ida"),
        ("As said {{as of|2020|5|lc=y}}, yes", "As said as of May 2020, yes"),
        ("{{{1|default}}} and {{{none}}}", "default and"),
        ("x {{flag|Norway}} {{flagicon|Norway}} {{marriage|Ida|1990|2000}}", "x Norway Ida (married 1990, until 2000)"),
    ] {
        assert_eq!(text_of(wikitext), expected, "{wikitext}");
    }
}

#[test]
fn markup_of_lines_links_and_tags_reads_as_a_reader_sees_it() {
    for (wikitext, expected) in [
        ("'''''Bold''''' and ''slanted'' and l'eau", "Bold and slanted and l'eau"),
        (
            "[[Arden]]s, [[Brill|the port]], [[Coster (town)|]], [[:Category:Towns]]",
            "Ardens, the port, Coster, Category:Towns",
        ),
        ("See [https://example.org the page] and [https://example.org].", "See the page and ."),
        ("[[File:A.jpg|thumb|The [[bridge]] in 1931]]\nText.", "The bridge in 1931\n\nText."),
        ("Text [[File:A.jpg|20px]] more [[Category:Towns]].", "Text more ."),
        ("a < b and x <b>bold</b> <unknown>y</unknown>", "a < b and x bold <unknown>y</unknown>"),
        ("<nowiki>[[not a link]] '''x'''</nowiki>", "[[not a link]] '''x'''"),
        ("5 km<sup>2</sup>, H<sub>2</sub>O, <math>x^2</math>", "5 km², H2O, x^2"),
        ("one<br>two\n\nthree<ref>no</ref><ref name=\"x\" />\n__NOTOC__", "one\ntwo\n\nthree"),
        ("; Term : what it is\n: more\n* a\n** b\n# c", "Term: what it is\n\nmore\n\n- a\n- b\n- c"),
        ("=== Deep ===\ntext\n== Empty ==\n", "### Deep\n\ntext"),
        ("a [[broken link\nb {{broken|c", "a [[broken link b {{broken|c"),
        ("[[de:Arden]]\nText", "Text"),
        ("a__b and A__TOC__B", "a__b and AB"),
    ] {
        assert_eq!(text_of(wikitext), expected, "{wikitext}");
    }
}

#[test]
fn a_cell_over_several_rows_or_columns_is_read_in_each() {
    let wikitext = "{|\n! Town !! Year !! People\n|-\n| rowspan=2 | Arden || 1931 || 9,000\n|-\n| 2021 || 12,000\n|-\n| Brill || colspan=2 | unknown\n|}";
    assert_eq!(
        text_of(wikitext),
        "| Town | Year | People |\n|---|---|---|\n| Arden | 1931 | 9,000 |\n| Arden | 2021 | 12,000 |\n| Brill | unknown | unknown |"
    );
}

#[test]
fn an_unknown_record_is_read_as_rows_and_a_banner_is_not() {
    let wikitext = "{{Use dmy dates|date=May 2020}}\n{{Bridge data\n| length_m = 340\n| designer = [[Ana Brandt]]\n| image = x.jpg\n| opened = {{date|3|May|1931}}\n| material = {{plainlist|\n* steel\n* stone\n}}\n}}\nText.";
    assert_eq!(
        text_of(wikitext),
        "Length: 340 m\nDesigner: Ana Brandt\nOpened: 3 May 1931\nMaterial: steel, stone\n\nText."
    );
}

/// Work is counted by what is written, not by the clock: no text grows by more than a constant times its input.
#[test]
fn deep_and_long_nesting_grows_no_text_and_no_stack() {
    for (open, close) in [
        ("{{a|", "}}"),
        ("[[a|", "]]"),
        ("{{", ""),
        ("[[", ""),
        ("{|\n|", "\n|}"),
        ("<div>", "</div>"),
        ("'''", ""),
        ("<ref>", ""),
        ("<!--", ""),
        ("{{{", "}}}"),
        ("*", ""),
        ("=", "="),
        ("[http://a ", ""),
    ] {
        for times in [1_000_usize, 100_000] {
            let wikitext = format!("{}x{}", open.repeat(times), close.repeat(times));
            let text = text_of(&wikitext);
            assert!(text.len() <= wikitext.len() * 2 + 100, "{open} {times}: {} from {}", text.len(), wikitext.len());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_mixture_of_markup_is_read_without_panic(
        wikitext in "(\\{\\{|\\}\\}|\\{\\{\\{|\\}\\}\\}|\\[\\[|\\]\\]|\\||=|\n|\n==|\n\\{\\||\n\\|\\}|\n\\|-|\n!|\n\\*|''|<ref>|</ref>|<!--|-->|<nowiki>|</nowiki>|convert|word|é|漢| 31 |#if:|:|\\||File:|__|&lt;|<br>){0,80}"
    ) {
        let text = text_of(&wikitext);
        prop_assert!(text.len() <= wikitext.len() * 20 + 200);
    }

    #[test]
    fn plain_sentences_are_kept_word_by_word(words in prop::collection::vec("[a-z]{1,8}", 1..30)) {
        let sentence = words.join(" ");
        prop_assert_eq!(text_of(&sentence), sentence);
    }

    #[test]
    fn a_dump_cut_at_any_byte_gives_pages_and_problems_but_no_panic(cut in 0usize..3_000) {
        let whole = dump(&[page(1, 0, "Arden", "", "Arden is a town."), page(2, 0, "Brill", "", ARDEN)]);
        let cut = &whole.as_bytes()[..cut.min(whole.len())];
        let found = run("test.xml", cut);
        let complete = String::from_utf8_lossy(cut).matches("</page>").count();
        prop_assert_eq!(found.documents.len(), complete);
    }
}
