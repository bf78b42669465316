//! A filter as it was understood, and asking it.

use std::fmt;
use std::str::FromStr;

use super::FilterError;
use super::compare::{FieldValue, Literal};
use super::parse::parse;
use crate::corpus::{Document, MetadataValue};

/// Which documents: a condition on their headers.
///
/// ```
/// use evidex::corpus::{Document, MetadataValue};
/// use evidex::index::Filter;
///
/// let mut report = Document::inline("reports/2023.md", "Sales rose.");
/// report.metadata.insert("year".into(), MetadataValue::Integer(2023));
/// report.metadata.insert("lang".into(), MetadataValue::Text("en".into()));
///
/// assert!("lang=en AND year>=2020".parse::<Filter>()?.matches(&report));
/// assert!(!"NOT (source:reports OR year<2000)".parse::<Filter>()?.matches(&report));
/// let error = "lang=en AND year>=".parse::<Filter>().unwrap_err();
/// assert_eq!(error.column, 19);
/// # Ok::<(), evidex::index::FilterError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Filter {
    pub(super) root: Node,
}

/// A part of a filter.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Node {
    /// Every part holds; at least two.
    All(Vec<Node>),
    /// One part holds at least; at least two.
    Any(Vec<Node>),
    /// The part does not hold.
    Not(Box<Node>),
    /// A field compared with a value.
    Test { field: Field, operator: Operator, literal: Literal },
}

/// What is compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::index) enum Field {
    Id,
    Title,
    Source,
    Place,
    Url,
    Metadata(String),
}

/// How it is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    /// The folded text of the field holds the folded text of the value.
    Contains,
}

/// Stands before the name of a metadata field that is called like one of a document's own.
const METADATA: &str = "metadata.";

impl Field {
    pub(super) fn named(name: &str) -> Self {
        match name {
            "id" => Self::Id,
            "title" => Self::Title,
            "source" => Self::Source,
            "place" => Self::Place,
            "url" => Self::Url,
            other => Self::Metadata(other.strip_prefix(METADATA).unwrap_or(other).to_owned()),
        }
    }
}

impl Operator {
    /// All of them; those that others start with come last.
    pub(super) const ALL: [(&'static str, Self); 9] = [
        ("==", Self::Equal),
        ("!=", Self::NotEqual),
        ("<=", Self::LessOrEqual),
        (">=", Self::GreaterOrEqual),
        ("=", Self::Equal),
        ("<", Self::Less),
        (">", Self::Greater),
        (":", Self::Contains),
        ("~", Self::Contains),
    ];
}

impl Filter {
    /// Whether the document is one of those that the filter means.
    pub fn matches(&self, document: &Document) -> bool {
        self.matches_fields(&|field| match field {
            Field::Id => Some(FieldValue::Text(&document.id.0)),
            Field::Title => document.title.as_deref().map(FieldValue::Text),
            Field::Source => Some(FieldValue::Text(&document.provenance.source)),
            Field::Place => document.provenance.place.as_deref().map(FieldValue::Text),
            Field::Url => document.provenance.url.as_deref().map(FieldValue::Text),
            Field::Metadata(name) => document.metadata.get(name).map(|value| match value {
                MetadataValue::Bool(value) => FieldValue::Bool(*value),
                MetadataValue::Integer(value) => FieldValue::Integer(*value),
                MetadataValue::Number(value) => FieldValue::Number(*value),
                MetadataValue::Text(value) => FieldValue::Text(value),
            }),
        })
    }

    /// Whether a document with these fields is.
    pub(in crate::index) fn matches_fields<'v>(&self, value: &dyn Fn(&Field) -> Option<FieldValue<'v>>) -> bool {
        self.root.holds(value)
    }

    /// Documents whose source is one of `sources`, word for word.
    pub fn of_sources<S: AsRef<str>>(sources: &[S]) -> Self {
        let test = |source: &S| Node::Test {
            field: Field::Source,
            operator: Operator::Equal,
            literal: Literal::text(source.as_ref()),
        };
        Self { root: Node::Any(sources.iter().map(test).collect()) }
    }

    /// Documents that both filters mean.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self { root: Node::All(vec![self.root, other.root]) }
    }
}

impl Node {
    fn holds<'v>(&self, value: &dyn Fn(&Field) -> Option<FieldValue<'v>>) -> bool {
        match self {
            Self::All(parts) => parts.iter().all(|part| part.holds(value)),
            Self::Any(parts) => parts.iter().any(|part| part.holds(value)),
            Self::Not(part) => !part.holds(value),
            Self::Test { field, operator, literal } => {
                let found = value(field);
                match operator {
                    Operator::NotEqual => !literal.equals(found.as_ref()),
                    Operator::Equal => literal.equals(found.as_ref()),
                    Operator::Contains => literal.is_in(found.as_ref()),
                    Operator::Less => literal.order(found.as_ref()).is_some_and(|order| order.is_lt()),
                    Operator::LessOrEqual => literal.order(found.as_ref()).is_some_and(|order| order.is_le()),
                    Operator::Greater => literal.order(found.as_ref()).is_some_and(|order| order.is_gt()),
                    Operator::GreaterOrEqual => literal.order(found.as_ref()).is_some_and(|order| order.is_ge()),
                }
            }
        }
    }
}

impl FromStr for Filter {
    type Err = FilterError;

    fn from_str(text: &str) -> Result<Self, FilterError> {
        parse(text).map(|root| Self { root })
    }
}

/// In a form that reads as the same filter.
impl fmt::Display for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.root.fmt(f)
    }
}

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let joined = |f: &mut fmt::Formatter<'_>, parts: &[Self], word: &str| {
            for (at, part) in parts.iter().enumerate() {
                if at > 0 {
                    write!(f, " {word} ")?;
                }
                match part {
                    Self::All(_) | Self::Any(_) => write!(f, "({part})")?,
                    _ => write!(f, "{part}")?,
                }
            }
            Ok(())
        };
        match self {
            Self::All(parts) => joined(f, parts, "AND"),
            Self::Any(parts) => joined(f, parts, "OR"),
            Self::Not(part) => write!(f, "NOT ({part})"),
            Self::Test { field, operator, literal } => {
                let sign =
                    Operator::ALL.iter().rev().find(|(_, other)| other == operator).map_or("=", |(sign, _)| sign);
                write!(f, "{field}{sign}{literal}")
            }
        }
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Id => f.write_str("id"),
            Self::Title => f.write_str("title"),
            Self::Source => f.write_str("source"),
            Self::Place => f.write_str("place"),
            Self::Url => f.write_str("url"),
            Self::Metadata(name) => f.write_str(&super::parse::quoted(&format!("{METADATA}{name}"))),
        }
    }
}
