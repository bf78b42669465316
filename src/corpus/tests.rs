//! Bad and odd input through the whole reader, by behaviour.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use super::*;

struct Run {
    documents: Vec<Document>,
    problems: Vec<ReadProblem>,
    summary: ReadSummary,
}

impl Run {
    fn ids(&self) -> Vec<&str> {
        self.documents.iter().map(|document| document.id.0.as_str()).collect()
    }

    fn codes(&self) -> Vec<&str> {
        self.problems.iter().map(ReadProblem::code).collect()
    }
}

fn run_with(paths: &[&Path], options: &ReadOptions) -> Run {
    let paths: Vec<PathBuf> = paths.iter().map(|path| path.to_path_buf()).collect();
    let mut reading = read_paths(&paths, options);
    let (mut documents, mut problems) = (Vec::new(), Vec::new());
    for item in reading.by_ref() {
        match item {
            Ok(document) => documents.push(document),
            Err(problem) => problems.push(problem),
        }
    }
    Run { documents, problems, summary: reading.summary() }
}

fn run(path: &Path) -> Run {
    run_with(&[path], &ReadOptions::default())
}

fn folder(files: &[(&str, &[u8])]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    folder
}

fn gzip(content: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn a_folder_is_read_in_sorted_order_with_relative_ids() {
    let zst = zstd::encode_all(&b"{\"id\":\"r\",\"text\":\"row\"}\n"[..], 1).unwrap();
    let folder = folder(&[
        ("b/deep/page.html", b"<title>Page</title><p>Seen."),
        ("a.md", b"# Title\n\nText."),
        ("b/rows.csv.gz", &gzip(b"id,text\nc1,cell\n")),
        ("b/records.jsonl.zst", &zst),
        ("c.txt", b"plain"),
        ("d.json", b"[{\"text\":\"item\"}]"),
        ("e.tsv", b"id\ttext\nt1\tcell, with comma\n"),
        (".hidden.md", b"hidden"),
        (".git/config.txt", b"hidden"),
        ("photo.PNG", b"\x89PNG"),
        ("Makefile", b"all:"),
    ]);
    let run = run(folder.path());
    assert_eq!(run.ids(), ["a.md", "b/deep/page.html", "r", "c1", "c.txt", "d.json#1", "t1"]);
    assert!(run.problems.is_empty(), "{:?}", run.problems);
    assert_eq!(run.documents[0].title.as_deref(), Some("Title"));
    assert_eq!(run.documents[0].markup, Markup::Markdown);
    assert_eq!(run.documents[1].text, "Seen.");
    assert_eq!(run.documents[3].provenance.place.as_deref(), Some("row 2"));
    assert!(run.documents[3].provenance.source.ends_with("rows.csv.gz"));
    assert_eq!(run.documents[6].text, "cell, with comma");
    assert_eq!((run.summary.documents, run.summary.files, run.summary.skipped.hidden), (7, 7, 2));
    let unknown: Vec<_> = run.summary.skipped.unknown_kinds.into_iter().collect();
    assert_eq!(unknown, [(String::new(), 1), ("png".to_owned(), 1)]);
}

#[test]
fn a_missing_file_is_named_and_the_others_are_read() {
    let folder = folder(&[("a.txt", b"text")]);
    let run = run_with(&[&folder.path().join("none.txt"), &folder.path().join("a.txt")], &ReadOptions::default());
    assert_eq!((run.codes(), run.ids()), (vec!["corpus_not_found"], vec!["a.txt"]));
    assert!(run.problems[0].path.ends_with("none.txt"));
    assert_eq!(run.problems[0].severity(), Severity::Error);
    assert_eq!(run.summary.errors, 1);
}

#[test]
fn an_empty_file_is_a_counted_warning() {
    let folder = folder(&[("a.txt", b""), ("b.md", b" \n\t\r\n"), ("c.jsonl", b"\n\n"), ("d.txt", b"text")]);
    let run = run(folder.path());
    assert_eq!((run.codes(), run.ids()), (vec!["corpus_empty", "corpus_empty"], vec!["d.txt"]));
    assert_eq!((run.summary.warnings, run.summary.problems["corpus_empty"]), (2, 2));
}

#[test]
fn a_file_that_is_not_utf_8_is_read_by_a_guess_with_a_warning() {
    let latin: Vec<u8> =
        "Der Turm in Köln ist 31 m hoch und wurde für Besucher geöffnet.".chars().map(|c| c as u8).collect();
    let folder = folder(&[("a.txt", &latin), ("b.txt", b"\xef\xbb\xbfWith a mark.")]);
    let found = run(folder.path());
    assert_eq!(found.codes(), ["corpus_encoding_guessed"]);
    assert_eq!(found.documents[0].text, "Der Turm in Köln ist 31 m hoch und wurde für Besucher geöffnet.");
    assert_eq!(found.documents[1].text, "With a mark.");
    let named = ReadOptions { encoding: Some("latin1".to_owned()), ..ReadOptions::default() };
    assert!(run_with(&[folder.path()], &named).problems.is_empty());
    let unknown = ReadOptions { encoding: Some("klingon".to_owned()), ..ReadOptions::default() };
    assert_eq!(run_with(&[folder.path()], &unknown).codes(), ["corpus_unknown_encoding"; 2]);
}

#[test]
fn utf_16_files_of_every_kind_are_read() {
    let wide = |text: &str| [b"\xff\xfe".to_vec(), text.encode_utf16().flat_map(u16::to_le_bytes).collect()].concat();
    let folder = folder(&[
        ("a.txt", &wide("Höhe 31 m")),
        ("b.csv", &wide("id;text\nx;Höhe\n")),
        ("c.jsonl", &wide("{\"id\":\"y\",\"text\":\"Höhe\"}\n")),
        ("d.json", &wide("[{\"id\":\"z\",\"text\":\"Höhe\"}]")),
    ]);
    let run = run(folder.path());
    assert_eq!((run.ids(), run.codes()), (vec!["a.txt", "x", "y", "z"], vec![]));
    assert!(run.documents.iter().all(|document| document.text.starts_with("Höhe")));
}

#[test]
fn what_means_nothing_in_a_named_encoding_is_counted_for_the_file() {
    let folder = folder(&[("a.jsonl", b"{\"id\":\"x\",\"text\":\"H\xf6he \xff 31 m\"}\n")]);
    let named = ReadOptions { encoding: Some("gb18030".to_owned()), ..ReadOptions::default() };
    let run = run_with(&[folder.path()], &named);
    assert_eq!((run.ids(), run.codes()), (vec!["x"], vec!["corpus_encoding_damaged"]));
    assert!(run.problems[0].to_string().contains("byte sequences that are no gb18030"), "{}", run.problems[0]);
}

#[test]
fn binary_files_are_refused_even_when_named_like_text() {
    let folder = folder(&[
        ("a.txt", b"MZ\0\0\x01"),
        ("b.md", b"%PDF-1.7 stream"),
        ("c.jsonl", b"{\"te\0xt\":1}"),
        ("d.html.gz", &gzip(b"\x7fELF\0")),
    ]);
    let run = run(folder.path());
    assert_eq!(run.codes(), ["corpus_binary"; 4]);
    assert!(run.problems.iter().all(|problem| problem.hint().is_some()));
}

#[test]
fn a_broken_jsonl_line_is_named_by_file_and_line_and_the_others_go_on() {
    let folder = folder(&[(
        "a.jsonl",
        b"{\"id\":\"1\",\"text\":\"one\"}\n{oops\n{\"id\":\"3\"}\n{\"id\":\"4\",\"text\":\"four\"}\n",
    )]);
    let run = run(folder.path());
    assert_eq!((run.ids(), run.codes()), (vec!["1", "4"], vec!["corpus_broken_json", "corpus_missing_text"]));
    assert_eq!(run.problems[0].place.as_deref(), Some("line 2"));
    assert!(run.problems[0].path.ends_with("a.jsonl"));
    assert!(run.problems.iter().all(|problem| problem.severity() == Severity::Error));
}

#[test]
fn strict_reading_ends_at_the_first_error_and_not_at_a_warning() {
    let folder = folder(&[
        ("a.txt", b""),
        ("b.jsonl", b"{\"id\":\"1\",\"text\":\"one\"}\n{oops\n{\"id\":\"3\",\"text\":\"three\"}\n"),
    ]);
    let run = run_with(&[folder.path()], &ReadOptions { strict: true, ..ReadOptions::default() });
    assert_eq!((run.ids(), run.codes()), (vec!["1"], vec!["corpus_empty", "corpus_broken_json"]));
}

#[test]
fn a_second_document_with_the_same_id_is_told_unless_it_is_the_same() {
    let folder = folder(&[(
        "a.jsonl",
        b"{\"id\":\"1\",\"text\":\"one\"}\n{\"id\":\"1\",\"text\":\"one\"}\n{\"id\":\"1\",\"text\":\"other\"}\n",
    )]);
    let run = run(folder.path());
    assert_eq!((run.ids(), run.codes(), run.summary.repeated), (vec!["1"], vec!["corpus_duplicate_id"], 1));
    assert_eq!(run.problems[0].place.as_deref(), Some("line 3"));
}

#[test]
fn a_file_over_the_limit_is_refused_before_it_is_read() {
    let folder = folder(&[("a.txt", b"eleven byte"), ("b.txt", b"ten bytes."), ("c.txt.gz", &gzip(&[b'x'; 5000]))]);
    let options = ReadOptions { max_document_bytes: 10, ..ReadOptions::default() };
    let run = run_with(&[folder.path()], &options);
    assert_eq!((run.ids(), run.codes()), (vec!["b.txt"], vec!["corpus_too_large", "corpus_too_large"]));
}

#[test]
fn overlapping_paths_read_each_file_once() {
    let folder = folder(&[("docs/a.md", b"# A\n"), ("docs/b.md", b"# B\n")]);
    let docs = folder.path().join("docs");
    let run = run_with(&[&docs, &docs.join("a.md"), &docs.join("../docs/b.md")], &ReadOptions::default());
    assert_eq!((run.ids(), run.codes()), (vec!["a.md", "b.md"], vec!["corpus_already_read", "corpus_already_read"]));
}

#[test]
fn a_file_of_unknown_kind_is_read_as_text_when_it_is_named() {
    let folder =
        folder(&[("NOTES", b"Plain notes."), ("data.log", b"{\"text\":\"a record\"}\n"), ("x.org", b"Org text")]);
    let named = run_with(&[&folder.path().join("NOTES"), &folder.path().join("data.log")], &ReadOptions::default());
    assert_eq!(
        named.documents.iter().map(|document| document.text.as_str()).collect::<Vec<_>>(),
        ["Plain notes.", "a record"]
    );
    let options = ReadOptions { text_extensions: vec!["org".to_owned()], ..ReadOptions::default() };
    assert_eq!(run_with(&[folder.path()], &options).ids(), ["x.org"]);
}

mod any_input {
    use proptest::prelude::*;

    use super::*;

    fn bytes() -> impl Strategy<Value = Vec<u8>> {
        let part = prop_oneof![
            "[ -~\n\t]{0,30}".prop_map(String::into_bytes),
            "\\PC{0,10}".prop_map(String::into_bytes),
            prop::collection::vec(1u8..=255, 0..20),
            prop::sample::select(vec![
                "{\"text\":\"a\"}",
                "[",
                "]",
                "{",
                "}",
                ",",
                "\"",
                "\\",
                "\n",
                "id,text\n",
                "a;b",
                "<p>",
                "<table><tr><td>",
                "<!--",
                "<script>",
                "</",
                "# ",
                "---\n",
                "\u{feff}",
                "| a |\n",
                "```\n",
            ])
            .prop_map(|text| text.as_bytes().to_vec()),
        ];
        prop::collection::vec(part, 0..25).prop_map(|parts| parts.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]
        #[test]
        fn every_kind_reads_any_bytes_to_documents_or_problems(content in bytes()) {
            for name in ["a.txt", "a.md", "a.html", "a.jsonl", "a.json", "a.csv", "a.tsv"] {
                let folder = folder(&[(name, &content)]);
                let run = run(folder.path());
                if content.iter().any(|byte| byte.is_ascii_alphanumeric()) && matches!(name, "a.txt" | "a.md") {
                    prop_assert_eq!(run.documents.len() + usize::from(run.summary.errors > 0), 1, "{}", name);
                }
                for document in &run.documents {
                    prop_assert!(!document.text.trim().is_empty());
                }
                prop_assert_eq!(run.summary.errors + run.summary.warnings, run.problems.len() as u64);
            }
        }
    }
}

#[cfg(unix)]
mod unix {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::process::Command;

    use super::*;

    #[test]
    fn loops_fifos_and_unreadable_files_end_in_warnings_and_each_real_file_is_read_once() {
        let folder = folder(&[("a.txt", b"real"), ("secret.txt", b"secret"), ("sub/b.txt", b"deep")]);
        let root = folder.path();
        symlink(".", root.join("loop")).unwrap();
        symlink("a.txt", root.join("again.txt")).unwrap();
        symlink("nowhere", root.join("dangling.txt")).unwrap();
        assert!(Command::new("mkfifo").arg(root.join("pipe.txt")).status().unwrap().success());
        fs::set_permissions(root.join("secret.txt"), fs::Permissions::from_mode(0o000)).unwrap();
        let unreadable = fs::File::open(root.join("secret.txt")).is_err();

        let expected: &[&str] =
            if unreadable { &["a.txt", "sub/b.txt"] } else { &["a.txt", "secret.txt", "sub/b.txt"] };
        let plain = run(root);
        assert_eq!(plain.ids(), expected);
        assert_eq!(plain.summary.problems["corpus_symlink_skipped"], 3);
        assert_eq!(plain.summary.problems["corpus_not_regular"], 1);
        assert_eq!(plain.summary.problems.get("corpus_permission_denied"), unreadable.then_some(&1));

        let following = run_with(&[root], &ReadOptions { follow_symlinks: true, ..ReadOptions::default() });
        assert_eq!(following.documents.len(), expected.len());
        assert_eq!(following.summary.problems["corpus_symlink_loop"], 1);
        assert_eq!(following.summary.problems["corpus_already_read"], 1);
        assert_eq!(following.summary.problems["corpus_not_found"], 1);
    }

    #[test]
    fn a_link_that_is_named_is_followed() {
        let folder = folder(&[("real/a.txt", b"text")]);
        symlink("real", folder.path().join("link")).unwrap();
        symlink("real/a.txt", folder.path().join("b.txt")).unwrap();
        assert_eq!(run(&folder.path().join("link")).ids(), ["a.txt"]);
        assert_eq!(run(&folder.path().join("b.txt")).ids(), ["b.txt"]);
    }

    #[test]
    fn names_with_line_ends_or_invalid_utf_8_are_read_and_told() {
        let folder = folder(&[("two\nlines.txt", b"one")]);
        fs::write(folder.path().join(OsStr::from_bytes(b"bad\xff.txt")), "two").unwrap();
        let run = run(folder.path());
        assert_eq!(run.ids(), ["bad%FF.txt", "two%0Alines.txt"]);
        assert_eq!(run.codes(), ["corpus_odd_name"; 2]);
        assert!(run.problems.iter().all(|problem| !problem.to_string().contains('\n')));
    }
}

#[test]
fn evidence_files_give_all_their_documents_or_say_why_not() {
    let folder = folder(&[
        ("a.jsonl", b"{\"text\":\"one\"}\nbroken\n{\"text\":\"two\"}\n"),
        ("empty.txt", b""),
        ("bad.jsonl", b"{\n"),
    ]);
    let read = |name: &str| read_document(&folder.path().join(name), &ReadOptions::default());
    let evidence = read("a.jsonl").unwrap();
    assert_eq!((evidence.documents.len(), evidence.problems.len()), (2, 1));
    assert_eq!(read("empty.txt").unwrap_err().code(), "corpus_empty");
    assert_eq!(read("bad.jsonl").unwrap_err().code(), "corpus_broken_json");
    assert_eq!(read("none").unwrap_err().code(), "corpus_not_found");
    assert_eq!(read("").unwrap_err().code(), "corpus_is_directory");
}

#[test]
fn an_answer_is_read_as_it_stands() {
    let folder = folder(&[("answer.json", b"{\"text\": 1}"), ("empty.md", b"")]);
    let read = |name: &str| read_text(&folder.path().join(name), &ReadOptions::default());
    assert_eq!(read("answer.json").unwrap().0, "{\"text\": 1}");
    assert_eq!(read("empty.md").unwrap().0, "");
    assert_eq!(read("").unwrap_err().code(), "corpus_is_directory");
    assert_eq!(read("none.md").unwrap_err().code(), "corpus_not_found");
}

#[test]
fn reading_can_move_to_another_thread() {
    fn is_send<T: Send>(_: &T) {}
    is_send(&read_paths(&[], &ReadOptions::default()));
}

/// The most memory that this process ever held, in MiB.
#[cfg(target_os = "linux")]
fn peak_memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() >> 10
}

#[test]
#[cfg(target_os = "linux")]
#[ignore = "writes 200 MB; run by itself for the figures: cargo test --lib corpus::tests::a_line_of -- --ignored --nocapture"]
fn a_line_of_200_megabytes_is_read_in_memory_bounded_by_the_line() {
    let folder = folder(&[("line.txt", "word ".repeat(40 << 20).as_bytes())]);
    let before = peak_memory();
    let started = std::time::Instant::now();
    let mut reading = read_paths(&[folder.path().to_path_buf()], &ReadOptions::default());
    let document = reading.next().unwrap().unwrap();
    assert_eq!(document.text.len(), 5 * (40 << 20));
    println!("before {before} MiB, peak {} MiB, {:?}", peak_memory(), started.elapsed());
    assert!(peak_memory() < before + 900);
}

#[test]
#[cfg(target_os = "linux")]
#[ignore = "writes 200 MB; run by itself for the figures: cargo test --lib corpus::tests::a_jsonl_file_of -- --ignored --nocapture"]
fn a_jsonl_file_of_200_megabytes_is_read_in_memory_bounded_by_its_lines() {
    let folder = folder(&[]);
    let mut file = std::io::BufWriter::new(fs::File::create(folder.path().join("many.jsonl")).unwrap());
    let text = "The tower is 31 m high and was built in 1884. ".repeat(20);
    for number in 0..210_000 {
        writeln!(file, "{{\"id\":\"{number}\",\"text\":\"{text}\"}}").unwrap();
    }
    file.into_inner().unwrap();
    let before = peak_memory();
    let started = std::time::Instant::now();
    let reading = read_paths(&[folder.path().to_path_buf()], &ReadOptions::default());
    assert_eq!(reading.filter(Result::is_ok).count(), 210_000);
    println!("before {before} MiB, peak {} MiB, {:?}", peak_memory(), started.elapsed());
    assert!(peak_memory() < before + 50);
}

#[test]
#[cfg(target_os = "linux")]
#[ignore = "writes 100,000 files; run by itself for the figures: cargo test --lib corpus::tests::a_hundred_thousand -- --ignored --nocapture"]
fn a_hundred_thousand_small_files_are_read_in_little_memory() {
    let folder = folder(&[]);
    for number in 0..100_000 {
        let path = folder.path().join(format!("{:02}", number % 100));
        if number < 100 {
            fs::create_dir(&path).unwrap();
        }
        fs::write(path.join(format!("{number}.txt")), format!("Tower {number} is 31 m high.")).unwrap();
    }
    let before = peak_memory();
    let started = std::time::Instant::now();
    assert_eq!(
        read_paths(&[folder.path().to_path_buf()], &ReadOptions::default()).filter(Result::is_ok).count(),
        100_000
    );
    println!("before {before} MiB, peak {} MiB, {:?}", peak_memory(), started.elapsed());
    assert!(peak_memory() < before + 60);
}
