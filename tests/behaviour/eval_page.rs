//! The page of `evidex eval --html`, as a browser shows it: wide and narrow, light and dark.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::command::{Workplace, shared};

/// The browser; `None` where there is none and none is required.
fn chromium() -> Option<PathBuf> {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&folders)
        .flat_map(|folder| ["chromium", "chromium-browser", "google-chrome"].map(|name| folder.join(name)))
        .find(|path| path.is_file());
    assert!(
        found.is_some() || std::env::var("EVIDEX_REQUIRE_CHROMIUM").as_deref() != Ok("1"),
        "Chromium is missing and EVIDEX_REQUIRE_CHROMIUM=1"
    );
    if found.is_none() {
        eprintln!("skipped: Chromium is not installed");
    }
    found
}

/// A picture: width, height, and red, green and blue of every point.
struct Picture {
    width: usize,
    height: usize,
    points: Vec<[u8; 3]>,
}

impl Picture {
    /// Reads a PNG of 8-bit colours without interlacing, which is what Chromium writes. (A crate for it would build every
    /// crate that decompresses a second time, for this test alone.)
    fn read(path: &Path) -> Self {
        let bytes = std::fs::read(path).unwrap();
        assert_eq!(&bytes[..8], b"\x89PNG\r\n\x1a\n");
        let whole = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
        let (width, height) = (whole(16), whole(20));
        let step = match (bytes[24], bytes[25], bytes[28]) {
            (8, 2, 0) => 3,
            (8, 6, 0) => 4,
            kind => panic!("a PNG of another kind: {kind:?}"),
        };
        let (mut at, mut packed) = (8, Vec::new());
        while at < bytes.len() {
            if &bytes[at + 4..at + 8] == b"IDAT" {
                packed.extend_from_slice(&bytes[at + 8..at + 8 + whole(at)]);
            }
            at += 12 + whole(at);
        }
        let mut raw = Vec::new();
        flate2::read::ZlibDecoder::new(packed.as_slice()).read_to_end(&mut raw).unwrap();
        let mut above = vec![0_u8; width * step];
        let mut points = Vec::new();
        for line in raw.chunks_exact(1 + width * step) {
            let mut row = line[1..].to_vec();
            for x in 0..row.len() {
                let (left, corner) = if x >= step { (row[x - step], above[x - step]) } else { (0, 0) };
                row[x] = row[x].wrapping_add(match line[0] {
                    0 => 0,
                    1 => left,
                    2 => above[x],
                    3 => left.midpoint(above[x]),
                    4 => paeth(left, above[x], corner),
                    filter => panic!("unknown filter {filter}"),
                });
            }
            points.extend(row.chunks_exact(step).map(|p| [p[0], p[1], p[2]]));
            above = row;
        }
        assert_eq!(points.len(), width * height);
        Self { width, height, points }
    }

    /// How many points are about this colour.
    fn count(&self, colour: [u8; 3]) -> usize {
        let near = |point: &&[u8; 3]| point.iter().zip(colour).all(|(a, b)| a.abs_diff(b) < 24);
        self.points.iter().filter(near).count()
    }

    fn column(&self, x: usize) -> impl Iterator<Item = [u8; 3]> + '_ {
        (0..self.height).map(move |y| self.points[y * self.width + x])
    }
}

/// Of left, above and corner the one nearest to left + above − corner (PNG specification, filter 4).
fn paeth(left: u8, above: u8, corner: u8) -> u8 {
    let guess = i16::from(left) + i16::from(above) - i16::from(corner);
    [left, above, corner].into_iter().min_by_key(|value| (guess - i16::from(*value)).abs()).unwrap()
}

fn shoot(browser: &Path, place: &Workplace, page: &Path, width: u32, dark: bool) -> Picture {
    let name = format!("{width}-{dark}");
    let picture = place.path(&format!("{name}.png"));
    let scheme = if dark { 0 } else { 1 };
    let mut child = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars"])
        .args([
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--disable-dev-shm-usage",
        ])
        .arg(format!("--user-data-dir={}", place.path(&format!("profile-{name}")).display()))
        .arg(format!("--blink-settings=preferredColorScheme={scheme}"))
        .arg(format!("--window-size={width},2400"))
        .arg(format!("--screenshot={}", picture.display()))
        .arg(format!("file://{}", page.display()))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if start.elapsed() > Duration::from_secs(300) {
            child.kill().unwrap();
            panic!("the browser did not finish");
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    Picture::read(&picture)
}

#[test]
fn the_page_shows_its_charts_at_two_widths_in_light_and_dark() {
    let Some(browser) = chromium() else { return };
    let place = Workplace::new();
    let context = "The Ilva bridge is 340 m long and opened on 3 May 1931. Ana Brandt designed it.";
    let rows: Vec<String> = (0..40)
        .map(|n| {
            let (claim, label) = match n % 4 {
                0 => ("The Ilva bridge is 340 m long.", "supported"),
                1 => ("The Ilva bridge is 430 m long.", "contradicted"),
                2 => ("A castle stands in Arden.", "neutral"),
                // Wrong on purpose: an error for the page to show.
                _ => ("The Ilva bridge is 430 m long.", "supported"),
            };
            serde_json::json!({ "id": n, "context": context, "claim": claim, "label": label }).to_string()
        })
        .collect();
    place.write("made.jsonl", rows.join("\n"));
    let made = place.path("made.jsonl");
    // Beside a set made here, one of the development sets.
    for set in [Some(made), shared("data/dev/begin_wow_dev.jsonl.zst")].into_iter().flatten() {
        let set = set.to_str().unwrap();
        place.well(&["eval", "pairs", set, "--limit", "60", "--html", "page.html", "--baseline-embedder", "hashed"]);
        looks_right(&browser, &place, &place.path("page.html"));
    }
}

fn looks_right(browser: &Path, place: &Workplace, page: &Path) {
    for dark in [false, true] {
        let (paper, data) = if dark { ([22, 24, 27], [108, 180, 240]) } else { ([255, 255, 255], [31, 111, 178]) };
        for width in [1280, 500] {
            let picture = shoot(browser, place, page, width, dark);
            let all = picture.points.len();
            assert!(picture.count(paper) * 3 > all, "the paper is not {paper:?} at {width}, dark {dark}");
            // Bars, lines and points of the charts.
            assert!(picture.count(data) > 500, "{} points of data at {width}, dark {dark}", picture.count(data));
            // Nothing runs out of the page: its outermost columns are paper.
            for x in [1, picture.width - 2] {
                let paper_there =
                    picture.column(x).filter(|p| p.iter().zip(paper).all(|(a, b)| a.abs_diff(b) < 24)).count();
                assert!(
                    paper_there * 100 > picture.height * 98,
                    "something stands at column {x} of {width}, dark {dark}"
                );
            }
        }
    }
}
