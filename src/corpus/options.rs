//! How documents are to be read.

use std::path::Path;

use encoding_rs::Encoding;

use super::problem::CorpusError;

/// Which fields of a record hold what. `None` takes the first usual name that is there.
///
/// A name with dots also reaches into nested objects: `meta.title`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FieldNames {
    /// The stable id; else `id`, `_id`, `doc_id`, `document_id`, `docid`.
    pub id: Option<String>,
    /// The title; else `title`, `name`, `headline`.
    pub title: Option<String>,
    /// The text; else `text`, `content`, `body`, `contents`, `passage`.
    pub text: Option<String>,
    /// The address; else `url`, `link`, `uri`, `source_url`.
    pub url: Option<String>,
    /// The fields that become metadata; `None` takes all that are left.
    pub metadata: Option<Vec<String>>,
}

/// The kinds of files that are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FileKind {
    /// One document as it stands.
    Text,
    /// One document in Markdown.
    Markdown,
    /// One page.
    Html,
    /// One JSON object a line.
    JsonLines,
    /// An array of objects, or objects one after the other.
    Json,
    /// Rows under a header, separated by commas, semicolons, tabs or bars.
    Csv,
    /// Rows under a header, separated by tabs.
    Tsv,
    /// Pages of a wiki, as MediaWiki exports them in XML.
    WikiDump,
    /// Pages of a wiki, as WikiExtractor writes them: `<doc>` elements, or one JSON object a line.
    WikiExtract,
    /// An archive of a wiki's pages in HTML.
    Zim,
}

impl FileKind {
    /// The kind that an extension names, without its dot and in lower case.
    pub fn from_extension(extension: &str) -> Option<Self> {
        Some(match extension {
            "txt" | "text" => Self::Text,
            "md" | "markdown" => Self::Markdown,
            "html" | "htm" | "xhtml" => Self::Html,
            "jsonl" | "ndjson" => Self::JsonLines,
            "json" => Self::Json,
            "csv" => Self::Csv,
            "tsv" | "tab" => Self::Tsv,
            "xml" => Self::WikiDump,
            "zim" => Self::Zim,
            _ => return None,
        })
    }

    /// The kind that a file's name tells, with or without `.gz`, `.bz2` or `.zst` at its end.
    pub fn of_path(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_string_lossy().to_lowercase();
        let name = [".gz", ".bz2", ".zst"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(&name);
        // "wiki_00", as WikiExtractor names its files.
        if name
            .strip_prefix("wiki_")
            .is_some_and(|rest| rest.len() >= 2 && rest.bytes().all(|byte| byte.is_ascii_digit()))
        {
            return Some(Self::WikiExtract);
        }
        // It comes with a dump and says where in it which page starts.
        if name.ends_with("-multistream-index.txt") {
            return None;
        }
        Self::from_extension(name.rsplit_once('.')?.1)
    }
}

/// How documents are to be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadOptions {
    /// Where records keep their id, title, text, address and metadata.
    pub fields: FieldNames,
    /// Whether symbolic links inside folders are followed. Links that are named directly always are.
    pub follow_symlinks: bool,
    /// Whether reading ends after the first problem of severity [`Error`](super::Severity::Error).
    pub strict: bool,
    /// Bytes, decompressed, that one document or record may have. This bounds memory: reading needs about twice
    /// the largest document (three times where it is not UTF-8), however large the files are.
    pub max_document_bytes: u64,
    /// The encoding of files without a byte-order mark, by its usual label; `None` finds it out file by file.
    pub encoding: Option<String>,
    /// The kind of standard input, and of directly named files whose name does not tell; `None` looks at their start.
    pub kind: Option<FileKind>,
    /// Further extensions (without dot, lower case) that are read as plain text inside folders.
    pub text_extensions: Vec<String>,
    /// Put before every id that is made of a path.
    pub id_prefix: String,
    /// The namespaces of a wiki's dump whose pages are read; 0 is that of its articles.
    pub namespaces: Vec<i64>,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self {
            fields: FieldNames::default(),
            follow_symlinks: false,
            strict: false,
            max_document_bytes: 256 << 20,
            encoding: None,
            kind: None,
            text_extensions: Vec::new(),
            id_prefix: String::new(),
            namespaces: vec![0],
        }
    }
}

impl ReadOptions {
    pub(super) fn named_encoding(&self) -> Result<Option<&'static Encoding>, CorpusError> {
        let Some(label) = &self.encoding else { return Ok(None) };
        match Encoding::for_label(label.as_bytes()) {
            Some(encoding) => Ok(Some(encoding)),
            None => Err(CorpusError::UnknownEncoding { label: label.clone() }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kind_is_read_from_the_inner_extension_of_a_compressed_file() {
        let kind = |name: &str| FileKind::of_path(Path::new(name));
        assert_eq!(kind("a/b.JSONL.gz"), Some(FileKind::JsonLines));
        assert_eq!(kind("b.md.zst"), Some(FileKind::Markdown));
        assert_eq!(kind("page.htm"), Some(FileKind::Html));
        assert_eq!(kind("enwiki-20260101-pages-articles-multistream.xml.bz2"), Some(FileKind::WikiDump));
        assert_eq!(kind("enwiki-20260101-pages-articles-multistream-index.txt.bz2"), None);
        assert_eq!(kind("AA/wiki_00.bz2"), Some(FileKind::WikiExtract));
        assert_eq!(kind("wiki_notes"), None);
        assert_eq!(kind("archive.gz"), None);
        assert_eq!(kind("Makefile"), None);
    }
}
