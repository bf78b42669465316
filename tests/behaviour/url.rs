//! `--url`: named web pages as evidence, from a small server on loopback.

use std::io::{Read, Write};
use std::net::TcpListener;

use crate::command::{Workplace, labels};

/// Answers each connection once by its path, and ends with the test.
fn serve() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming().take(30) {
            let Ok(mut stream) = stream else { continue };
            let mut request = [0u8; 2048];
            let read = stream.read(&mut request).unwrap_or(0);
            let request = String::from_utf8_lossy(&request[..read]).into_owned();
            let path = request.split_whitespace().nth(1).unwrap_or("/").to_owned();
            let page = "<html><head><title>Ilva</title></head><body><nav>Menu</nav><p>The Ilva bridge is 340 m long \
                        and opened in 1931.</p><script>document.write('430 m')</script></body></html>";
            let answer = match path.as_str() {
                "/bridge" => format!(
                    "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\n\r\n{page}",
                    page.len()
                ),
                "/robots.txt" => {
                    let rules = "User-agent: *\nDisallow: /hidden\n";
                    format!(
                        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: {}\r\n\r\n{rules}",
                        rules.len()
                    )
                }
                "/moved" => "HTTP/1.1 302 Found\r\nLocation: /bridge\r\nContent-Length: 0\r\n\r\n".to_owned(),
                "/loop" => "HTTP/1.1 302 Found\r\nLocation: /loop\r\nContent-Length: 0\r\n\r\n".to_owned(),
                "/escape" => {
                    "HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n\r\n".to_owned()
                }
                "/picture" => "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: 4\r\n\r\nPNG!".to_owned(),
                _ => "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n".to_owned(),
            };
            let _ = stream.write_all(answer.as_bytes());
        }
    });
    address
}

#[test]
fn a_page_is_evidence_also_behind_a_redirect() {
    let (place, server) = (Workplace::new(), serve());
    for path in ["bridge", "moved"] {
        let url = format!("{server}/{path}");
        let ran = place.run(&[
            "verify",
            "--url",
            &url,
            "--allow-private",
            "--format",
            "json",
            "--text",
            "The Ilva bridge is 340 m long. The Ilva bridge is 430 m long.",
        ]);
        let report = ran.json();
        assert_eq!(labels(&report), ["supported", "contradicted"], "{path}");
        assert_eq!(report["claims"][0]["evidence"][0]["source"], url);
        assert_eq!(report["claims"][0]["evidence"][0]["url"], format!("{server}/bridge"));
        assert_eq!(report["sources"][0], "url");
    }
}

#[test]
fn what_cannot_or_may_not_be_fetched_is_an_error_never_a_verdict() {
    let (place, server) = (Workplace::new(), serve());
    let run = |url: &str, more: &[&str]| {
        let mut arguments = vec!["verify", "--url", url, "--text", "The Ilva bridge is 340 m long."];
        arguments.extend(more);
        place.run(&arguments)
    };
    run(&format!("{server}/bridge"), &[]).failed_saying(&["private or loopback", "--allow-private"]);
    run(&format!("{server}/bridge"), &["--allow-private", "--offline"]).failed_saying(&["--offline"]);
    run(&format!("{server}/hidden"), &["--allow-private"]).failed_saying(&["robots.txt", "/hidden", "--context"]);
    run("file:///etc/passwd", &[]).failed_saying(&["http"]);
    for (path, said) in [("gone", "404"), ("loop", "redirects"), ("escape", "http"), ("picture", "image/png")] {
        run(&format!("{server}/{path}"), &["--allow-private"]).failed_saying(&[said]);
    }
}
