//! A detection for people: the verdicts, then what each method says of each claim, then all of them together.

use super::detection::{DetectionReport, MethodReport, OpinionReport};
use super::text::{Page, TextOptions, one_line, to_text};
use crate::judge::{Method, Mode, OpinionLabel};

impl DetectionReport {
    /// The report as text, with a final newline.
    pub fn to_text(&self, options: &TextOptions) -> String {
        let mut page = Page::new(options);
        page.push(&to_text(&self.report, options));
        page.push("\n");
        self.methods(&mut page);
        self.ensemble(&mut page);
        page.finish()
    }

    /// The methods side by side: a line for each claim, and whether they agree.
    pub fn comparison(&self, options: &TextOptions) -> String {
        let mut page = Page::new(options);
        let methods: Vec<&MethodReport> =
            self.detection.methods.iter().filter(|method| method.skipped.is_none()).collect();
        for claim in &self.report.claims {
            if claim.not_checked.is_some() {
                continue;
            }
            let said: Vec<(Method, Option<OpinionLabel>, String)> = methods
                .iter()
                .filter_map(|method| {
                    let opinion = method.claims.iter().find(|opinion| opinion.claim == claim.index)?;
                    Some((method.method, opinion.label, words(opinion)))
                })
                .collect();
            let labels: Vec<OpinionLabel> = said.iter().filter_map(|(_, label, _)| *label).collect();
            let mark = match labels.len() {
                0 | 1 => "\u{2013}",
                _ if labels.iter().all(|label| *label == labels[0]) => "=",
                _ => "\u{2260}",
            };
            page.wrapped(&format!("{mark} "), &one_line(&claim.text));
            for (method, _, words) in said {
                page.wrapped(&format!("    {:<12}", method.as_str()), &words);
            }
            page.wrapped(&format!("    {:<12}", "verdict"), claim.label.as_str());
        }
        page.push("\n= the methods agree, \u{2260} they do not, \u{2013} one or none spoke\n");
        self.ensemble(&mut page);
        page.finish()
    }

    fn methods(&self, page: &mut Page) {
        page.push("What each method says:\n");
        for method in &self.detection.methods {
            let risk = match (method.risk, &method.skipped, &method.error) {
                (_, Some(why), _) => format!("not run: {why}"),
                (None, _, Some(error)) => format!("failed: {error}"),
                (Some(risk), _, Some(error)) => format!("risk {risk:.2}; {error}"),
                (Some(risk), ..) => format!("risk {risk:.2}"),
                (None, ..) => "says nothing".to_owned(),
            };
            let model = method.usage.model.as_ref().map_or(String::new(), |model| format!(" ({model})"));
            page.wrapped(&format!("  {:<12}", method.method.as_str()), &one_line(&format!("{risk}{model}")));
            for opinion in &method.claims {
                let line = format!("{}. {}", opinion.claim + 1, words(opinion));
                page.wrapped("              ", &one_line(&line));
            }
            for warning in &method.warnings {
                page.wrapped("              warning: ", &one_line(&warning.message));
            }
        }
        if let Some(split) = &self.detection.decomposition {
            let line = if split.fell_back {
                "the model failed; the claims are those of the rules".to_owned()
            } else {
                format!(
                    "{} claims of the model, {} dropped, {} more by the rules",
                    split.found, split.dropped, split.kept_from_rules
                )
            };
            page.wrapped("  decompose   ", &line);
            for warning in &split.warnings {
                page.wrapped("              warning: ", &one_line(&warning.message));
            }
        }
    }

    fn ensemble(&self, page: &mut Page) {
        let ensemble = &self.detection.ensemble;
        let mut line = match (ensemble.risk, ensemble.level) {
            (Some(risk), Some(level)) => format!("All methods together: risk {risk:.2} ({})", level.as_str()),
            _ => "All methods together: nothing was judged".to_owned(),
        };
        if ensemble.any_contradiction {
            line.push_str(", and at least one claim is held contradicted");
        }
        if let Some(coverage) = ensemble.coverage.filter(|coverage| *coverage < 1.0) {
            line.push_str(&format!("; {:.0} % of what was to be judged was", coverage * 100.0));
        }
        line.push('.');
        if self.detection.mode == Mode::FactCheck {
            line.push_str(" No source was given: these are opinions of models, not verdicts.");
        }
        if let Some(cascade) = &self.detection.cascade {
            line.push_str(&format!(" Models were asked about {} of {} claims.", cascade.escalated, cascade.claims));
        }
        let usage = &self.detection.usage;
        if usage.calls > 0 {
            line.push_str(&format!(
                " {} requests, {} from the cache, {} tokens read, {} written.",
                usage.requests, usage.cached, usage.input_tokens, usage.output_tokens
            ));
        }
        page.wrapped("", &line);
    }
}

fn words(opinion: &OpinionReport) -> String {
    match (opinion.label, opinion.confidence, &opinion.skipped, &opinion.error) {
        (Some(label), confidence, ..) => {
            let confidence = confidence.map_or(String::new(), |confidence| format!(" {confidence:.2}"));
            let quote = opinion.evidence.first().filter(|_| label != OpinionLabel::Unknown);
            let quote = quote.map_or(String::new(), |evidence| format!(" \u{201c}{}\u{201d}", evidence.quote));
            format!("{label}{confidence}: {}{quote}", opinion.reason)
        }
        (None, _, Some(why), _) => format!("not asked: {why}"),
        (None, _, _, Some(error)) => format!("failed: {error}"),
        _ => "says nothing".to_owned(),
    }
}
