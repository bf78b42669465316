//! What the report says when a wiki cannot be asked: never that a claim is wrong.

use std::time::{Duration, Instant};

use super::proxy::{Fault, Proxy};
use super::wiki::{command, verify, verify_with, wiki};
use crate::command::{Ran, Workplace, labels};

const TEXT: &str = "The Ilva Bridge is 340 m long. The Ilva Bridge is 999 m long. Arden was founded in 1284.";

/// Every fault, and what the report must say of it.
const FAULTS: &[(Fault, &str)] = &[
    (Fault::TooMany(None), "429"),
    (Fault::TooMany(Some(0)), "429"),
    (Fault::TooMany(Some(7200)), "asks to wait 7200 s"),
    (Fault::MaxLag, "maxlag"),
    (Fault::Unavailable, "503"),
    (Fault::Forbidden, "403"),
    (Fault::Html, "not JSON"),
    (Fault::Portal, "redirects to another host"),
    (Fault::Truncated, "broke off"),
    (Fault::Drip, "no whole answer"),
    (Fault::OtherJson, "not of a MediaWiki"),
    (Fault::HangUp, "error sending request"),
    (Fault::ApiError, "readapidenied"),
];

/// Expects that nothing was checked, and that the report says why.
fn unavailable(ran: &Ran, why: &str) -> String {
    ran.failed_saying(&["nothing_checked", why]);
    let report = ran.json();
    assert_eq!(labels(&report), ["not_checked"; 3], "{report:#}");
    assert_eq!(report["coverage"]["not_checked_reasons"]["evidence_unavailable"], 3);
    assert_eq!((&report["score"], &report["risk"]["any_contradiction"]), (&serde_json::Value::Null, &false.into()));
    report["claims"][0]["failures"][0]["message"].as_str().unwrap().to_owned()
}

#[test]
fn a_fault_that_stays_leaves_claims_unchecked_and_says_why() {
    let Some(wiki) = wiki() else { return };
    let mut table = String::from("fault → what the report said, exit code 2 each\n");
    for &(fault, why) in FAULTS {
        let place = Workplace::new();
        let proxy = Proxy::before(&wiki, move |_, _| Some(fault));
        // Long enough that a busy machine does not make every fault look slow.
        let settings = [("WIKIPEDIA_TIMEOUT", "20"), ("WIKIPEDIA_RETRIES", "1")];
        let ran = verify_with(&place, &proxy.address, TEXT, &[], &settings);
        let said = unavailable(&ran, why);
        let asked = proxy.asked().len();
        assert!(asked <= 4, "{fault:?}: asked {asked} times, two of them would do at each place where the API may be");
        table.push_str(&format!("{fault:?} → {} ({} requests)\n", said.replace(&proxy.address, "WIKI"), proxy.reset()));
    }
    let place = Workplace::new();
    let closed = {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        format!("http://{}", listener.local_addr().unwrap())
    };
    let said = unavailable(&verify(&place, &closed, TEXT, &[]), "error sending request");
    table.push_str(&format!("no server → {said}\n"));
    println!("{table}");
}

#[test]
fn a_fault_that_passes_only_takes_time() {
    let Some(wiki) = wiki() else { return };
    for fault in [Fault::TooMany(Some(1)), Fault::MaxLag, Fault::Unavailable, Fault::Truncated, Fault::HangUp] {
        let place = Workplace::new();
        let proxy = Proxy::before(&wiki, move |number, _| (number % 3 == 0).then_some(fault));
        let start = Instant::now();
        let report = verify(&place, &proxy.address, TEXT, &[]).json();
        assert_eq!(labels(&report), ["supported", "contradicted", "supported"], "{fault:?}");
        if fault == Fault::TooMany(Some(1)) {
            assert!(start.elapsed() >= Duration::from_secs(1), "it did not wait as it was asked to");
        }
    }
}

#[test]
fn a_page_that_cannot_be_had_concerns_only_its_claims() {
    let Some(wiki) = wiki() else { return };
    let place = Workplace::new();
    // The text of one page: the second that is asked for.
    let proxy = Proxy::before(&wiki, {
        let seen = std::sync::atomic::AtomicUsize::new(0);
        move |_, target| {
            let text = target.contains("action=parse");
            let late = text && seen.fetch_add(1, std::sync::atomic::Ordering::SeqCst) >= 1;
            (late || target.contains("gsrsearch")).then_some(Fault::Forbidden)
        }
    });
    let ran = verify(&place, &proxy.address, TEXT, &[]);
    let report = ran.json();
    assert_eq!(labels(&report), ["supported", "contradicted", "not_checked"], "{report:#}");
    assert_eq!(report["claims"][2]["not_checked"], "evidence_unavailable");
    assert!(report["claims"][2]["failures"][0]["message"].as_str().unwrap().contains("Arden"), "{report:#}");
}

#[test]
fn the_budget_of_requests_is_kept() {
    let Some(wiki) = wiki() else { return };
    let place = Workplace::new();
    let proxy = Proxy::before(&wiki, |_, _| None);
    let ran = verify_with(&place, &proxy.address, TEXT, &[], &[("WIKIPEDIA_REQUESTS", "2")]);
    assert_eq!(proxy.reset(), 2);
    let report = ran.json();
    assert_eq!(labels(&report)[2], "not_checked", "{report:#}");
    assert!(ran.stdout.contains("budget of 2 requests"), "{report:#}");
}

#[cfg(unix)]
#[test]
fn a_stopped_run_reports_what_is_done() {
    let Some(wiki) = wiki() else { return };
    let place = Workplace::new();
    // The second page never comes.
    let proxy = Proxy::before(&wiki, {
        let seen = std::sync::atomic::AtomicUsize::new(0);
        move |_, target| {
            let text = target.contains("action=parse");
            (text && seen.fetch_add(1, std::sync::atomic::Ordering::SeqCst) >= 1).then_some(Fault::Drip)
        }
    });
    let settings = [("WIKIPEDIA_TIMEOUT", "60")];
    let mut command = command(&place, &proxy.address, TEXT, &[], &settings);
    command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    let child = command.spawn().unwrap();
    let waited = Instant::now();
    while proxy.asked().iter().filter(|request| request.contains("action=parse")).count() < 2 {
        assert!(waited.elapsed() < Duration::from_secs(60), "the second page was not asked for");
        std::thread::sleep(Duration::from_millis(20));
    }
    std::thread::sleep(Duration::from_millis(100));
    let interrupted = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(interrupted.success());
    let ran = Ran::of(child.wait_with_output().unwrap());
    ran.failed_saying(&["stopped: 2 of 3 statements are checked"]);
    let report = ran.json();
    assert_eq!(labels(&report), ["supported", "contradicted", "not_checked"], "{report:#}");
}
