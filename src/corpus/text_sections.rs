//! Sections of a page in Markdown lines.

/// Leaves out headings with nothing under them: what stood there was references or navigation.
pub(super) fn without_empty_sections(text: &str) -> String {
    let level = |line: &str| {
        let marks = line.bytes().take_while(|byte| *byte == b'#').count();
        (marks > 0 && marks <= 6 && line[marks..].starts_with(' ')).then_some(marks)
    };
    let mut kept = String::with_capacity(text.len());
    // Headings that wait for a text under them.
    let mut waiting: Vec<(usize, &str)> = Vec::new();
    for line in text.lines() {
        match level(line) {
            Some(level) => {
                while waiting.pop_if(|(above, _)| *above >= level).is_some() {}
                waiting.push((level, line));
            }
            None if line.trim().is_empty() => {
                if waiting.is_empty() && !kept.is_empty() && !kept.ends_with("\n\n") {
                    kept.push('\n');
                }
            }
            None => {
                for (_, heading) in waiting.drain(..) {
                    if !kept.is_empty() && !kept.ends_with("\n\n") {
                        kept.push('\n');
                    }
                    kept.push_str(heading);
                    kept.push_str("\n\n");
                }
                kept.push_str(line);
                kept.push('\n');
            }
        }
    }
    kept.truncate(kept.trim_end().len());
    kept
}
