//! The fuzz bodies of `tests/fuzz`, with a seeded mutator in place of a coverage-guided one. `EVIDEX_FUZZ_SECONDS` runs each
//! for that long instead of a fixed number of rounds; `EVIDEX_FUZZ_SEED` starts elsewhere.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

#[path = "../fuzz/bodies.rs"]
mod bodies;

/// Texts that have much of what the parsers look for.
const SEEDS: &[&str] = &[
    "Dr. Vance signed on 3.5 acres at 5 p.m. “It’s done!” she said… (See fig. 3.) 3. Mai 1931 – U.S. troops left.",
    "Arden has 1,234,567 inhabitants, 12.5 % more than in 1990–95; 2.4 million km² at −3 °C, between 5 and 7 kg.",
    "It opened on 3 March 1987, closed in the 1990s, reopened 5/6/24, Q3 2019, FY2020/21 and the 19th century BC.",
    "# Title\n\n- one\n- two: `code`\n\n| City | Pop |\n|---|---|\n| Arden | 12,000 |\n\n> quoted *text* [link](https://example.org)",
    "東京は日本の首都です。人口は約1400万人。今日は！ Привет, мир. مرحبا 12٫5. 👩‍👩‍👧 é e\u{301} \u{202e}abc\u{202c}",
    "{{Infobox town|name=Arden\n|population={{formatnum:12000}}}}\n'''Arden''' is [[town|a town]].<ref>x</ref>\n{|\n! a !! b\n|-\n| 1 || 2\n|}\n== H ==\n",
    "<page><title>A &amp; B</title><ns>0</ns><id>7</id><revision><id>9</id><text xml:space=\"preserve\">T &lt;b&gt;</text></revision></page></mediawiki>",
    "\u{0}\u{1}\u{7}\u{8}\u{9}\u{5}\u{1}\u{8}\u{0}\u{20}\u{5}\u{3}\u{9}\u{0}",
];

/// Pieces that mutation puts in.
const PIECES: &[&str] = &[
    ".",
    "…",
    "\n",
    "\n\n",
    "\r\n",
    "| ",
    "- ",
    "1. ",
    "3.5",
    "1,234",
    "½",
    "%",
    " km",
    " and ",
    "–",
    "-",
    "\"",
    "“",
    "(",
    ")",
    "[",
    "]]",
    "{{",
    "}}",
    "<b>",
    "&amp;",
    "&#0;",
    "http://a.b/c?d=1",
    "May",
    "1931",
    "31/12/99",
    "BC",
    "twenty-one",
    " million",
    "$",
    "€",
    "\u{200b}",
    "\u{feff}",
    "\u{fffd}",
    "ß",
    "İ",
    "ŉ",
    "ﬃ",
    "漢",
    "🇳🇴",
    "\u{301}",
    "\t",
    " ",
    "Mr. ",
    "U.S.",
    "Arden, ",
    "#",
    "`",
    "```",
    "~~~",
    "\\",
    "%%",
    "</text>",
    "<page>",
    "]]>",
    "{|",
    "|}",
    "|-",
    "==",
];

struct Choices(u64);

impl Choices {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound.max(1) as u64) as usize
    }

    fn mutated(&mut self) -> Vec<u8> {
        let mut bytes = SEEDS[self.below(SEEDS.len())].as_bytes().to_vec();
        for _ in 0..=self.below(12) {
            let at = self.below(bytes.len() + 1);
            let end = (at + self.below(20)).min(bytes.len());
            match self.below(6) {
                0 => drop(bytes.splice(at..at, PIECES[self.below(PIECES.len())].bytes())),
                1 => drop(bytes.splice(at..end, std::iter::empty())),
                2 => {
                    let other = SEEDS[self.below(SEEDS.len())].as_bytes();
                    let from = self.below(other.len());
                    let to = (from + self.below(60)).min(other.len());
                    drop(bytes.splice(at..end, other[from..to].iter().copied()));
                }
                3 => {
                    let part: Vec<u8> = bytes[at..end].repeat(1 + self.below(30));
                    drop(bytes.splice(at..end, part));
                }
                4 if at < bytes.len() => bytes[at] = self.below(256) as u8,
                _ => {
                    let piece = PIECES[self.below(PIECES.len())].repeat(1 + self.below(40));
                    drop(bytes.splice(at..at, piece.bytes()));
                }
            }
            bytes.truncate(4096);
        }
        bytes
    }
}

fn search(name: &str, rounds: u64) {
    let body = bodies::BODIES.iter().find(|(known, _)| *known == name).unwrap().1;
    let variable = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let limit = variable("EVIDEX_FUZZ_SECONDS").map(Duration::from_secs);
    let mut choices = Choices(variable("EVIDEX_FUZZ_SEED").unwrap_or(0x9e37_79b9_7f4a_7c15));
    let begun = Instant::now();
    let mut round = 0;
    loop {
        match limit {
            Some(limit) if begun.elapsed() > limit => break,
            None if round == rounds => break,
            _ => round += 1,
        }
        let bytes = choices.mutated();
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| body(&bytes))) {
            eprintln!("{name}, round {round}: {:?}", String::from_utf8_lossy(&bytes));
            std::panic::resume_unwind(panic);
        }
    }
    println!("{name}: {round} rounds");
    assert!(round > 0);
}

#[test]
fn the_sentence_splitter_keeps_its_promises_on_mutated_texts() {
    search("sentences", 1_500);
}

#[test]
fn the_quantity_parser_keeps_its_promises_and_reads_what_a_printer_prints() {
    search("quantities", 1_500);
}

#[test]
fn the_date_parser_keeps_its_promises_and_reads_what_a_printer_prints() {
    search("dates", 1_500);
}

#[test]
fn claim_extraction_keeps_its_promises_on_mutated_texts() {
    search("claims", 800);
}

#[test]
fn dumps_of_mutated_text_and_mutated_dumps_give_documents_or_problems() {
    search("dump", 400);
}

#[test]
fn an_index_under_mutated_operations_holds_what_a_map_would() {
    search("operations", 30);
}
