//! From a filter's text to its tree.
//!
//! ```text
//! filter     = all { OR all }
//! all        = one { AND one }
//! one        = NOT one | "(" filter ")" | field operator value
//! operator   = "=" | "!=" | "<" | "<=" | ">" | ">=" | ":" | "~"
//! field      = word | quoted
//! value      = "*" | word | quoted
//! ```
//!
//! `AND`, `OR` and `NOT` are read in any case. A word ends at white space or a parenthesis, a field's also at an
//! operator; anything else is quoted with `"` or `'`, with `\` before a quote or a `\`. `*` means any value at all.

use super::compare::Literal;
use super::tree::{Field, Node, Operator};

/// Parentheses and NOTs deeper than this are refused.
const DEEPEST: usize = 100;

/// Why a filter cannot be read, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the filter cannot be read at column {column}: {reason}")]
pub struct FilterError {
    /// The filter.
    pub filter: String,
    /// The character that it cannot be read from, counted from 1; one more than there are where the end comes too soon.
    pub column: usize,
    /// What is expected there.
    pub reason: String,
}

/// A text as a filter quotes it.
pub(super) fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        if matches!(c, '"' | '\\') {
            quoted.push('\\');
        }
        quoted.push(c);
    }
    quoted.push('"');
    quoted
}

pub(super) fn parse(text: &str) -> Result<Node, FilterError> {
    let mut parser = Parser { text, at: 0, depth: 0 };
    let node = parser.any()?;
    match parser.peek() {
        None => Ok(node),
        Some(')') => Err(parser.error("there is no `(` for this `)`")),
        Some(_) => Err(parser.error("AND, OR or the end is expected; quote a value that holds spaces or parentheses")),
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
}

impl<'a> Parser<'a> {
    fn error(&self, reason: impl Into<String>) -> FilterError {
        self.error_at(self.at, reason)
    }

    fn error_at(&self, at: usize, reason: impl Into<String>) -> FilterError {
        let column = self.text[..at].chars().count() + 1;
        FilterError { filter: self.text.to_owned(), column, reason: reason.into() }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// The next character that is no white space.
    fn peek(&mut self) -> Option<char> {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
        self.rest().chars().next()
    }

    /// Takes `word` if it stands here as a word of its own.
    fn keyword(&mut self, word: &str) -> bool {
        self.peek();
        let rest = self.rest();
        let found = rest.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
        let ends = rest.get(word.len()..).is_some_and(|after| {
            after.is_empty() || after.starts_with(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | '"' | '\''))
        });
        // `not = 5` compares a field that is called so.
        let is_field = word == "NOT"
            && rest.get(word.len()..).is_some_and(|after| {
                let after = after.trim_start();
                Operator::ALL.iter().any(|(sign, _)| after.starts_with(sign))
            });
        let taken = found && ends && !is_field;
        if taken {
            self.at += word.len();
        }
        taken
    }

    fn any(&mut self) -> Result<Node, FilterError> {
        let mut parts = vec![self.all()?];
        while self.keyword("OR") {
            parts.push(self.all()?);
        }
        Ok(single(parts, Node::Any))
    }

    fn all(&mut self) -> Result<Node, FilterError> {
        let mut parts = vec![self.one()?];
        while self.keyword("AND") {
            parts.push(self.one()?);
        }
        Ok(single(parts, Node::All))
    }

    fn one(&mut self) -> Result<Node, FilterError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.error("the filter is nested too deeply"));
        }
        let node = if self.keyword("NOT") {
            Node::Not(Box::new(self.one()?))
        } else if self.peek() == Some('(') {
            let opened = self.at;
            self.at += 1;
            let inner = self.any()?;
            match self.peek() {
                Some(')') => self.at += 1,
                None => return Err(self.error_at(opened, "this `(` is not closed")),
                Some(_) => return Err(self.error("AND, OR or `)` is expected")),
            }
            inner
        } else {
            self.test()?
        };
        self.depth -= 1;
        Ok(node)
    }

    fn test(&mut self) -> Result<Node, FilterError> {
        const FIELD: &str = "a field is expected, as in `lang=en`";
        let field = match self.peek() {
            None => return Err(self.error(FIELD)),
            Some(quote @ ('"' | '\'')) => self.quoted(quote)?,
            Some(_) => self.word(|c| matches!(c, '=' | '!' | '<' | '>' | ':' | '~' | '"' | '\'')).to_owned(),
        };
        if field.is_empty() {
            return Err(self.error(FIELD));
        }
        self.peek();
        let Some(&(sign, operator)) = Operator::ALL.iter().find(|(sign, _)| self.rest().starts_with(sign)) else {
            return Err(self.error("one of = != < <= > >= : ~ is expected after the field"));
        };
        self.at += sign.len();
        let missing = format!("a value is expected after `{sign}`");
        let literal = match self.peek() {
            None => return Err(self.error(missing)),
            Some(quote @ ('"' | '\'')) => Literal::text(&self.quoted(quote)?),
            Some(_) => {
                let start = self.at;
                match self.word(|_| false) {
                    "" => return Err(self.error(missing)),
                    "*" if matches!(operator, Operator::Equal | Operator::NotEqual) => Literal::Anything,
                    word if word.starts_with(['=', '<', '>']) => {
                        return Err(self.error_at(start, format!("{missing}; quote one that starts with a sign")));
                    }
                    word => Literal::text(word),
                }
            }
        };
        Ok(Node::Test { field: Field::named(&field), operator, literal })
    }

    /// What stands here up to white space, a parenthesis or what else `ends` it.
    fn word(&mut self, ends: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c: char| c.is_whitespace() || matches!(c, '(' | ')') || ends(c)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    fn quoted(&mut self, quote: char) -> Result<String, FilterError> {
        let mut value = String::new();
        let mut chars = self.rest().char_indices().skip(1);
        while let Some((at, c)) = chars.next() {
            if c == quote {
                self.at += at + 1;
                return Ok(value);
            }
            match c {
                '\\' => match chars.next() {
                    Some((_, escaped @ ('\\' | '"' | '\''))) => value.push(escaped),
                    Some(_) => {
                        return Err(self.error_at(self.at + at, "`\\` stands only before a quote or another `\\`"));
                    }
                    None => break,
                },
                c => value.push(c),
            }
        }
        Err(self.error("this quote is not closed"))
    }
}

fn single(mut parts: Vec<Node>, join: impl FnOnce(Vec<Node>) -> Node) -> Node {
    match parts.pop() {
        Some(only) if parts.is_empty() => only,
        Some(last) => {
            parts.push(last);
            join(parts)
        }
        None => join(parts),
    }
}
