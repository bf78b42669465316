//! `--nli hf:org/name@revision` on a hub of our own on loopback: the model is pulled once, recorded, and held to its record.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::thread;

use evidex::onnx::{AssetStore, PullRecord};

use crate::command::{Ran, Workplace, labels, models_installed};

const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";

/// A hub that gives our own model under another name, its weights behind a redirect, as hubs do with large files.
fn hub() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || listener.incoming().flatten().for_each(answer));
    address
}

fn answer(mut stream: TcpStream) {
    let mut lines = BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok);
    let first = lines.next().unwrap_or_default();
    lines.take_while(|line| !line.is_empty()).for_each(drop);
    let path = first.split(' ').nth(1).unwrap_or_default();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("models/evidex-nli-2");
    let file = |name: &str| std::fs::read(folder.join(name)).unwrap();
    let asked = path.strip_prefix("/org/copy/resolve/").and_then(|rest| rest.split_once('/'));
    let (status, location, body) = match (path, asked) {
        ("/cdn/weights", _) => (200, "", file("model.onnx")),
        (_, Some((_, "onnx/model.onnx"))) => (302, "location: /cdn/weights\r\n", Vec::new()),
        (_, Some((_, name @ ("tokenizer.json" | "config.json")))) => (200, "", file(name)),
        _ => (404, "", Vec::new()),
    };
    let length = body.len();
    let head = format!("connection: close\r\nx-repo-commit: {COMMIT}\r\n{location}content-length: {length}\r\n\r\n");
    // A client that went away is no fault of the hub.
    let _ = write!(stream, "HTTP/1.1 {status} X\r\n{head}").and_then(|()| stream.write_all(&body));
}

#[test]
fn a_model_of_the_hub_is_pulled_once_recorded_and_held_to() {
    if !models_installed() {
        return;
    }
    let place = Workplace::new();
    let context = place.write("office.txt", "The committee gathers in the town hall every Tuesday evening.");
    let runtime = AssetStore::from_environment().runtime_path().unwrap();
    let hub = hub();
    let verify = |more: &[&str]| {
        let claim = "The committee meets on Tuesdays.";
        let mut arguments = vec!["verify", "--text", claim, "--format", "json", "--nli", "hf:org/copy@v1", "--context"];
        arguments.push(context.to_str().unwrap());
        arguments.extend(more);
        let mut command = place.command(&arguments);
        command.env_remove("EVIDEX_NLI").env("EVIDEX_HOME", place.path("home"));
        Ran::of(command.env("EVIDEX_ONNXRUNTIME", &runtime).env("EVIDEX_HUB", &hub).output().unwrap())
    };
    verify(&["--offline"]).failed_saying(&["hf:org/copy@v1"]);
    let report = verify(&[]).json();
    assert_eq!(
        (labels(&report), report["models"]["nli"]["name"].as_str()),
        (vec!["supported".to_owned()], Some("hf:org/copy@v1"))
    );
    let folder = place.path("home/models/hf--org--copy--v1");
    let record = PullRecord::read(&folder).unwrap().unwrap();
    assert_eq!((record.commit.as_deref(), record.files.len()), (Some(COMMIT), 3));
    assert_eq!(labels(&verify(&["--offline"]).json()), ["supported"]);

    let weights = folder.join("onnx/model.onnx");
    let whole = std::fs::read(&weights).unwrap();
    let mut damaged = whole.clone();
    damaged[whole.len() / 2] ^= 1;
    std::fs::write(&weights, &damaged).unwrap();
    verify(&["--offline"]).failed_saying(&["damaged", "model.onnx"]);
    assert_eq!(labels(&verify(&[]).json()), ["supported"]);
    assert!(std::fs::read(&weights).unwrap() == whole);
}
