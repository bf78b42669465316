//! Published sets, read from a copy on this machine in the form in which their authors publish them.
//!
//! Nothing is bundled: several licences forbid it. What a row becomes is in the table at [`Published::about`].

use std::collections::HashMap;
use std::path::Path;

use serde_json::{Map, Value};

use super::pair_rows::{gather, set_name, some_rows};
use super::problem::RowProblemKind as Kind;
use super::{Class, EvalError, PairRow, PairRows, RowProblem};
use crate::corpus::{ReadOptions, read_text};

/// A set in a published form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Published {
    /// HaluEval, question answering.
    HaluEvalQa,
    /// HaluEval, dialogue.
    HaluEvalDialogue,
    /// HaluEval, summarization.
    HaluEvalSummarization,
    /// HaluEval, general user queries.
    HaluEvalGeneral,
    /// TruthfulQA.
    TruthfulQa,
    /// RAGTruth.
    RagTruth,
    /// VitaminC.
    VitaminC,
    /// Adversarial NLI.
    Anli,
    /// SNLI and MultiNLI.
    Snli,
    /// LLM-AggreFact.
    AggreFact,
}

impl Published {
    /// Every set.
    pub const ALL: [Self; 10] = [
        Self::HaluEvalQa,
        Self::HaluEvalDialogue,
        Self::HaluEvalSummarization,
        Self::HaluEvalGeneral,
        Self::TruthfulQa,
        Self::RagTruth,
        Self::VitaminC,
        Self::Anli,
        Self::Snli,
        Self::AggreFact,
    ];

    /// Its name on the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::HaluEvalQa => "halueval-qa",
            Self::HaluEvalDialogue => "halueval-dialogue",
            Self::HaluEvalSummarization => "halueval-summarization",
            Self::HaluEvalGeneral => "halueval-general",
            Self::TruthfulQa => "truthfulqa",
            Self::RagTruth => "ragtruth",
            Self::VitaminC => "vitaminc",
            Self::Anli => "anli",
            Self::Snli => "snli",
            Self::AggreFact => "llm-aggrefact",
        }
    }

    /// What file is read, and what its rows become.
    pub const fn about(self) -> &'static str {
        match self {
            Self::HaluEvalQa => {
                "qa_data.json: knowledge, question, right_answer, hallucinated_answer; two answers a line"
            }
            Self::HaluEvalDialogue => {
                "dialogue_data.json: knowledge, dialogue_history, right_response, hallucinated_response; two answers a line"
            }
            Self::HaluEvalSummarization => {
                "summarization_data.json: document, right_summary, hallucinated_summary; two answers a line"
            }
            Self::HaluEvalGeneral => {
                "general_data.json: user_query, chatgpt_response, hallucination (yes or no); without context: needs --index"
            }
            Self::TruthfulQa => {
                "TruthfulQA.csv: Question, Correct Answers, Incorrect Answers; an answer for each; without context: needs --index"
            }
            Self::RagTruth => {
                "the folder with response.jsonl and source_info.jsonl; answers of the split test, unsupported if a span is marked"
            }
            Self::VitaminC => "test.jsonl: claim, evidence, label (SUPPORTS, REFUTES, NOT ENOUGH INFO); pairs",
            Self::Anli => "dev.jsonl of a round: context, hypothesis, label (e, n, c); pairs",
            Self::Snli => {
                "snli_1.0_dev.jsonl or multinli_1.0_dev_matched.jsonl: sentence1, sentence2, gold_label; pairs"
            }
            Self::AggreFact => "JSONL or CSV with doc, claim, label (1 supported, 0 not); pairs",
        }
    }

    /// The set of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|set| set.as_str() == name)
    }

    /// Whether its rows are whole answers, which are split into claims.
    pub const fn is_answers(self) -> bool {
        matches!(
            self,
            Self::HaluEvalQa
                | Self::HaluEvalDialogue
                | Self::HaluEvalSummarization
                | Self::HaluEvalGeneral
                | Self::TruthfulQa
                | Self::RagTruth
        )
    }

    /// Reads the set at `path`.
    ///
    /// # Errors
    /// [`EvalError::Read`] when a file is missing or unreadable, [`EvalError::NoRows`] when no row is usable.
    pub fn read(self, path: &Path) -> Result<PairRows, EvalError> {
        let options = ReadOptions { max_document_bytes: 4 << 30, ..ReadOptions::default() };
        let text = |path: &Path| read_text(path, &options).map(|(text, _)| text);
        let rows = if self == Self::RagTruth {
            self.parse_with_sources(
                &set_name(path),
                &text(&path.join("response.jsonl"))?,
                &text(&path.join("source_info.jsonl"))?,
            )
        } else {
            self.parse(&set_name(path), &text(path)?)
        };
        some_rows(rows, path)
    }

    /// Parses the set from its file's text.
    ///
    /// ```
    /// use evidex::eval::{Class, Published};
    ///
    /// let line = r#"{"knowledge": "It opened in 1931.", "question": "When?", "right_answer": "1931", "hallucinated_answer": "1941"}"#;
    /// let set = Published::HaluEvalQa.parse("qa_data", line);
    /// let rows: Vec<(&str, Class)> = set.rows.iter().map(|row| (row.claim.as_str(), row.gold)).collect();
    /// assert_eq!(rows, [("1931", Class::Supported), ("1941", Class::Unsupported)]);
    /// ```
    pub fn parse(self, name: &str, text: &str) -> PairRows {
        self.parse_with_sources(name, text, "")
    }

    fn parse_with_sources(self, name: &str, text: &str, sources: &str) -> PairRows {
        let is_csv = self == Self::TruthfulQa || self == Self::AggreFact && !text.trim_start().starts_with('{');
        let records = if is_csv { csv_records(text) } else { json_records(text) };
        let sources: HashMap<String, Map<String, Value>> = json_records(sources)
            .into_iter()
            .filter_map(|(_, record)| record.ok())
            .filter_map(|record| Some((plain(record.get("source_id")?), record)))
            .collect();
        let items = records.into_iter().flat_map(|(line, record)| match record {
            Ok(record) => self.rows(line, &record, &sources),
            Err(problem) => vec![Err(problem)],
        });
        gather(name, text, items)
    }

    fn rows(
        self,
        line: usize,
        record: &Map<String, Value>,
        sources: &HashMap<String, Map<String, Value>>,
    ) -> Vec<Result<PairRow, RowProblem>> {
        let missing = |field: &str| RowProblem::new(line, Kind::MissingField, format!("field `{field}` is missing"));
        let field = |name: &str| record.get(name).and_then(Value::as_str).ok_or_else(|| missing(name));
        let row = |id: String, context: &str, question: Option<&str>, claim: &str, gold: Class| PairRow {
            line,
            id,
            contexts: if context.trim().is_empty() { Vec::new() } else { vec![context.to_owned()] },
            title: record.get("page").and_then(Value::as_str).map(str::to_owned),
            claim: claim.to_owned(),
            question: question.map(str::to_owned),
            gold,
        };
        let two = |context: &str, question: Option<&str>, right: &str, wrong: &str| {
            let context = field(context);
            [(right, "right", Class::Supported), (wrong, "hallucinated", Class::Unsupported)]
                .map(|(name, suffix, gold)| {
                    let context = context.clone()?;
                    let question = question.and_then(|question| record.get(question)).and_then(Value::as_str);
                    Ok(row(format!("{line}-{suffix}"), context, question, field(name)?, gold))
                })
                .into()
        };
        let label = |name: &str| field(name).and_then(|label| label_named(line, label));
        let one = |build: &dyn Fn() -> Result<PairRow, RowProblem>| vec![build()];
        let id = |names: &[&str]| {
            names.iter().find_map(|name| record.get(*name)).map_or_else(|| format!("line {line}"), plain)
        };
        match self {
            Self::HaluEvalQa => two("knowledge", Some("question"), "right_answer", "hallucinated_answer"),
            Self::HaluEvalDialogue => two("knowledge", None, "right_response", "hallucinated_response"),
            Self::HaluEvalSummarization => two("document", None, "right_summary", "hallucinated_summary"),
            Self::HaluEvalGeneral => one(&|| {
                let question = record.get("user_query").and_then(Value::as_str);
                let gold = match field("hallucination")?.to_lowercase().as_str() {
                    "no" => Class::Supported,
                    "yes" => Class::Unsupported,
                    other => return Err(unknown(line, other)),
                };
                Ok(row(id(&["ID", "id"]), "", question, field("chatgpt_response")?, gold))
            }),
            Self::TruthfulQa => {
                let question = match field("Question") {
                    Ok(question) => question,
                    Err(problem) => return vec![Err(problem)],
                };
                let mut rows = Vec::new();
                for (name, gold) in [("Correct Answers", Class::Supported), ("Incorrect Answers", Class::Unsupported)] {
                    let answers = match field(name) {
                        Ok(answers) => answers,
                        Err(problem) => return vec![Err(problem)],
                    };
                    let answers = answers.split(';').map(str::trim).filter(|answer| !answer.is_empty());
                    rows.extend(answers.enumerate().map(|(at, answer)| {
                        Ok(row(format!("{line}-{gold}-{}", at + 1), "", Some(question), answer, gold))
                    }));
                }
                rows
            }
            Self::RagTruth => one(&|| {
                if record.get("split").and_then(Value::as_str).is_some_and(|split| split != "test") {
                    return Err(RowProblem::new(line, Kind::LeftOut, "is not of the split `test`"));
                }
                let source_id = record.get("source_id").map(plain).ok_or_else(|| missing("source_id"))?;
                let source = sources.get(&source_id).ok_or_else(|| {
                    RowProblem::new(
                        line,
                        Kind::MissingField,
                        format!("source `{source_id}` is not in source_info.jsonl"),
                    )
                })?;
                let info = source.get("source_info").ok_or_else(|| missing("source_info"))?;
                let question = info.get("question").and_then(Value::as_str);
                let context = match info.get("passages") {
                    Some(passages) => written_out(passages),
                    None => written_out(info),
                };
                let marked = record.get("labels").and_then(Value::as_array).ok_or_else(|| missing("labels"))?;
                let gold = if marked.is_empty() { Class::Supported } else { Class::Unsupported };
                Ok(row(id(&["id"]), &context, question, field("response")?, gold))
            }),
            Self::VitaminC => {
                one(&|| Ok(row(id(&["unique_id", "id"]), field("evidence")?, None, field("claim")?, label("label")?)))
            }
            Self::Anli => {
                one(&|| Ok(row(id(&["uid", "id"]), field("context")?, None, field("hypothesis")?, label("label")?)))
            }
            Self::Snli => one(&|| {
                Ok(row(id(&["pairID", "id"]), field("sentence1")?, None, field("sentence2")?, label("gold_label")?))
            }),
            Self::AggreFact => one(&|| {
                let gold = match record.get("label").map(plain).ok_or_else(|| missing("label"))?.as_str() {
                    "1" | "true" => Class::Supported,
                    "0" | "false" => Class::Unsupported,
                    other => return Err(unknown(line, other)),
                };
                Ok(row(format!("line {line}"), field("doc")?, None, field("claim")?, gold))
            }),
        }
    }
}

fn unknown(line: usize, label: &str) -> RowProblem {
    RowProblem::new(line, Kind::UnknownLabel, format!("unknown label `{label}`"))
}

fn label_named(line: usize, label: &str) -> Result<Class, RowProblem> {
    match label.to_lowercase().as_str() {
        "supports" | "e" | "entailment" => Ok(Class::Supported),
        "refutes" | "c" | "contradiction" => Ok(Class::Contradicted),
        "not enough info" | "n" | "neutral" => Ok(Class::Neutral),
        "-" => Err(RowProblem::new(line, Kind::LeftOut, "its annotators did not agree on a label")),
        _ => Err(unknown(line, label)),
    }
}

/// A text or number without quotes.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// A structured source as lines of "key: value".
fn written_out(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(written_out).collect::<Vec<_>>().join("\n"),
        Value::Object(fields) => {
            let line = |(key, value): (&String, &Value)| match value {
                Value::Object(_) | Value::Array(_) => format!("{key}:\n{}", written_out(value)),
                value => format!("{key}: {}", plain(value)),
            };
            fields.iter().map(line).collect::<Vec<_>>().join("\n")
        }
        value => value.to_string(),
    }
}

type Record = (usize, Result<Map<String, Value>, RowProblem>);

fn json_records(text: &str) -> Vec<Record> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(at, line)| {
            let record = match serde_json::from_str(line) {
                Ok(Value::Object(record)) => Ok(record),
                Ok(_) => Err(RowProblem::new(at + 1, Kind::NotAnObject, "expected a JSON object")),
                Err(error) => Err(RowProblem::new(at + 1, Kind::NotAnObject, format!("is no JSON: {error}"))),
            };
            (at + 1, record)
        })
        .collect()
}

fn csv_records(text: &str) -> Vec<Record> {
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(text.as_bytes());
    let header: Vec<String> = match reader.headers() {
        Ok(header) => header.iter().map(|name| name.trim_start_matches('\u{feff}').to_owned()).collect(),
        Err(error) => return vec![(1, Err(RowProblem::new(1, Kind::NotAnObject, format!("is no CSV: {error}"))))],
    };
    let mut records = Vec::new();
    for record in reader.records() {
        match record {
            Ok(record) => {
                let line = record.position().map_or(0, |position| usize::try_from(position.line()).unwrap_or(0));
                let fields = header.iter().cloned().zip(record.iter().map(|field| Value::String(field.to_owned())));
                records.push((line, Ok(fields.collect())));
            }
            Err(error) => {
                let line = error.position().map_or(0, |position| usize::try_from(position.line()).unwrap_or(0));
                records.push((line, Err(RowProblem::new(line, Kind::NotAnObject, format!("is no CSV: {error}")))));
            }
        }
    }
    records
}

#[cfg(test)]
mod tests {
    use super::*;
    use Class::{Contradicted, Neutral, Supported, Unsupported};

    fn read(set: Published, text: &str) -> Vec<(String, Class)> {
        set.parse("x", text).rows.into_iter().map(|row| (row.claim, row.gold)).collect()
    }

    #[test]
    fn names_are_read_back_and_each_set_says_what_it_reads() {
        for set in Published::ALL {
            assert_eq!(Published::named(set.as_str()), Some(set));
            assert!(set.about().len() > 20);
        }
        assert_eq!(Published::named("halueval"), None);
    }

    #[test]
    fn inference_sets_give_pairs_of_three_classes() {
        let vitamin = r#"{"unique_id": "u", "claim": "C", "evidence": "E", "label": "NOT ENOUGH INFO", "page": "P"}"#;
        assert_eq!(read(Published::VitaminC, vitamin), [("C".to_owned(), Neutral)]);
        let anli = r#"{"uid": "u", "context": "E", "hypothesis": "C", "label": "c"}"#;
        assert_eq!(read(Published::Anli, anli), [("C".to_owned(), Contradicted)]);
        let snli = r#"{"pairID": "1", "sentence1": "E", "sentence2": "C", "gold_label": "entailment"}
{"pairID": "2", "sentence1": "E", "sentence2": "C", "gold_label": "-"}"#;
        let set = Published::Snli.parse("x", snli);
        assert_eq!((set.rows.len(), set.problems[0].kind), (1, Kind::LeftOut));
    }

    #[test]
    fn truthfulqa_gives_an_answer_for_each_part_of_its_lists() {
        let csv = "Type,Question,Correct Answers,Incorrect Answers\nA,\"What, then?\",Nothing; It passes,You die\n";
        let set = Published::TruthfulQa.parse("x", csv);
        let rows: Vec<(&str, Class)> = set.rows.iter().map(|row| (row.claim.as_str(), row.gold)).collect();
        assert_eq!(rows, [("Nothing", Supported), ("It passes", Supported), ("You die", Unsupported)]);
        assert!(set.rows.iter().all(|row| row.contexts.is_empty() && row.question.as_deref() == Some("What, then?")));
    }

    #[test]
    fn ragtruth_joins_answers_with_their_sources() {
        let responses = r#"{"id": "1", "source_id": "s", "response": "R", "labels": [], "split": "test"}
{"id": "2", "source_id": "s", "response": "Q", "labels": [{"start": 0}], "split": "test"}
{"id": "3", "source_id": "s", "response": "T", "labels": [], "split": "train"}
{"id": "4", "source_id": "?", "response": "T", "labels": [], "split": "test"}"#;
        let sources = r#"{"source_id": "s", "source_info": {"question": "Why?", "passages": "passage 1"}}"#;
        let set = Published::RagTruth.parse_with_sources("x", responses, sources);
        let rows: Vec<(&str, Class)> = set.rows.iter().map(|row| (row.claim.as_str(), row.gold)).collect();
        assert_eq!(rows, [("R", Supported), ("Q", Unsupported)]);
        assert_eq!(set.rows[0].contexts, ["passage 1"]);
        assert_eq!(set.rows[0].question.as_deref(), Some("Why?"));
        let kinds: Vec<Kind> = set.problems.iter().map(|problem| problem.kind).collect();
        assert_eq!(kinds, [Kind::LeftOut, Kind::MissingField]);
    }

    #[test]
    fn aggrefact_is_read_from_csv_and_from_json_lines() {
        let expected = [("C".to_owned(), Supported), ("D".to_owned(), Unsupported)];
        assert_eq!(read(Published::AggreFact, "doc,claim,label\nE,C,1\nE,D,0\n"), expected);
        let lines =
            "{\"doc\": \"E\", \"claim\": \"C\", \"label\": 1}\n{\"doc\": \"E\", \"claim\": \"D\", \"label\": 0}";
        assert_eq!(read(Published::AggreFact, lines), expected);
    }

    #[test]
    fn general_queries_are_answers_without_context() {
        let line = r#"{"ID": "7", "user_query": "Q?", "chatgpt_response": "R.", "hallucination": "yes"}"#;
        let set = Published::HaluEvalGeneral.parse("x", line);
        assert_eq!((set.rows[0].id.as_str(), set.rows[0].gold), ("7", Unsupported));
        let wrong = Published::HaluEvalGeneral.parse("x", &line.replace("yes", "maybe"));
        assert_eq!(wrong.problems[0].kind, Kind::UnknownLabel);
    }
}
