//! Finding the files under the given paths: in sorted order, each real file once, nothing followed that may loop.
//!
//! Inside folders: hidden files and folders and unknown kinds are passed over and counted; symbolic links, FIFOs,
//! sockets and devices are passed over with a warning each. What is named directly is read, whatever its name.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use super::options::{FileKind, ReadOptions};
use super::problem::{CorpusError, ReadProblem};

/// A file to read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FoundFile {
    /// `None` for standard input.
    pub(super) path: Option<PathBuf>,
    /// The path as it is shown.
    pub(super) shown: String,
    /// What its documents' ids are made of.
    pub(super) id: String,
    /// `None` where its name does not tell.
    pub(super) kind: Option<FileKind>,
    /// Whether it was named, and not found in a folder.
    pub(super) named: bool,
}

/// Files passed over by rule.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SkippedFiles {
    /// Files and folders whose name starts with a dot.
    pub hidden: u64,
    /// Files of unknown kinds, by extension (without dot, lower case; empty for none).
    pub unknown_kinds: BTreeMap<String, u64>,
}

/// The files under a list of paths.
pub(super) struct Finder {
    roots: std::vec::IntoIter<PathBuf>,
    walk: Option<(PathBuf, walkdir::IntoIter)>,
    options: ReadOptions,
    /// Real paths of the files found, so that none is read twice.
    seen: HashSet<PathBuf>,
    stdin_seen: bool,
    skipped: SkippedFiles,
    pending: Option<FoundFile>,
}

impl Finder {
    pub(super) fn new(roots: Vec<PathBuf>, options: ReadOptions) -> Self {
        Self {
            roots: roots.into_iter(),
            walk: None,
            options,
            seen: HashSet::new(),
            stdin_seen: false,
            skipped: SkippedFiles::default(),
            pending: None,
        }
    }

    pub(super) const fn skipped(&self) -> &SkippedFiles {
        &self.skipped
    }

    /// Counts a file that turned out to be of an unknown kind.
    pub(super) fn skip_unknown(&mut self, extension: &str) {
        *self.skipped.unknown_kinds.entry(extension.to_owned()).or_default() += 1;
    }

    /// Takes up a path that was given.
    fn root(&mut self, root: PathBuf) -> Option<Result<FoundFile, ReadProblem>> {
        if root.as_os_str() == "-" {
            if self.stdin_seen {
                return Some(Err(ReadProblem::new("-", CorpusError::AlreadyRead)));
            }
            self.stdin_seen = true;
            let id = format!("{}stdin", self.options.id_prefix);
            return Some(Ok(FoundFile { path: None, shown: "-".to_owned(), id, kind: self.options.kind, named: true }));
        }
        match fs::metadata(&root) {
            Err(error) => Some(Err(ReadProblem::new(shown(&root), CorpusError::from_io(error)))),
            Ok(metadata) if metadata.is_dir() => {
                let walk =
                    WalkDir::new(&root).min_depth(1).follow_links(self.options.follow_symlinks).sort_by_file_name();
                self.walk = Some((root, walk.into_iter()));
                None
            }
            Ok(_) => {
                let kind = FileKind::of_path(&root).or(self.options.kind);
                let id = id_of(&named_path(&root));
                self.found(root, id, kind, true)
            }
        }
    }

    /// Takes up an entry of a folder.
    fn entry(&mut self, root: &Path, entry: walkdir::Result<DirEntry>) -> Option<Result<FoundFile, ReadProblem>> {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                let path = error.path().map_or_else(|| shown(root), shown);
                let cause = match error.loop_ancestor() {
                    Some(_) => CorpusError::SymlinkLoop,
                    None => error.into_io_error().map_or(CorpusError::NotFound, CorpusError::from_io),
                };
                return Some(Err(ReadProblem::new(path, cause)));
            }
        };
        let path = entry.path();
        let file_type = entry.file_type();
        if file_type.is_dir() {
            return None;
        }
        let problem = |cause| Some(Err(ReadProblem::new(shown(path), cause)));
        if file_type.is_symlink() {
            return problem(CorpusError::SymlinkSkipped);
        }
        if !file_type.is_file() {
            return problem(CorpusError::NotRegular);
        }
        let Some(kind) = self.kind_of(path) else {
            let extension =
                path.extension().map(|extension| extension.to_string_lossy().to_lowercase()).unwrap_or_default();
            *self.skipped.unknown_kinds.entry(extension).or_default() += 1;
            return None;
        };
        let id = id_of(path.strip_prefix(root).unwrap_or(path));
        self.found(path.to_path_buf(), id, Some(kind), false)
    }

    fn kind_of(&self, path: &Path) -> Option<FileKind> {
        FileKind::of_path(path).or_else(|| {
            let extension = path.extension()?.to_string_lossy().to_lowercase();
            self.options.text_extensions.contains(&extension).then_some(FileKind::Text)
        })
    }

    fn found(
        &mut self,
        path: PathBuf,
        id: String,
        kind: Option<FileKind>,
        named: bool,
    ) -> Option<Result<FoundFile, ReadProblem>> {
        // Where the real path cannot be had, opening the file will say why.
        let real = fs::canonicalize(&path).unwrap_or_else(|_| path.clone());
        if !self.seen.insert(real) {
            return Some(Err(ReadProblem::new(shown(&path), CorpusError::AlreadyRead)));
        }
        let odd = path.to_str().is_none_or(|name| name.chars().any(char::is_control));
        let shown = shown(&path);
        let id = format!("{}{id}", self.options.id_prefix);
        let file = FoundFile { path: Some(path), shown: shown.clone(), id: id.clone(), kind, named };
        if odd {
            self.pending = Some(file);
            return Some(Err(ReadProblem::new(shown, CorpusError::OddName { id })));
        }
        Some(Ok(file))
    }
}

impl Iterator for Finder {
    type Item = Result<FoundFile, ReadProblem>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(file) = self.pending.take() {
            return Some(Ok(file));
        }
        loop {
            let found = match self.walk.take() {
                Some((root, mut walk)) => match walk.next() {
                    Some(entry) => {
                        let hidden =
                            entry.as_ref().is_ok_and(|entry| entry.file_name().as_encoded_bytes().starts_with(b"."));
                        let found = if hidden {
                            self.skipped.hidden += 1;
                            if entry.is_ok_and(|entry| entry.file_type().is_dir()) {
                                walk.skip_current_dir();
                            }
                            None
                        } else {
                            self.entry(&root, entry)
                        };
                        self.walk = Some((root, walk));
                        found
                    }
                    None => None,
                },
                None => {
                    let root = self.roots.next()?;
                    self.root(root)
                }
            };
            if found.is_some() {
                return found;
            }
        }
    }
}

/// A directly named file's path as its id: as given, without `.` and `..`; only the name of an absolute one, so that an
/// id does not depend on where a folder lies.
fn named_path(path: &Path) -> PathBuf {
    let mut kept = PathBuf::new();
    for component in path.components() {
        match component {
            Component::Normal(name) => kept.push(name),
            Component::ParentDir => {
                kept.pop();
            }
            Component::Prefix(_) | Component::RootDir | Component::CurDir => {}
        }
    }
    match path.file_name() {
        Some(name) if path.is_absolute() => PathBuf::from(name),
        _ => kept,
    }
}

/// A relative path with `/` between its parts; control characters and bytes that are no UTF-8 as `%0A`.
fn id_of(path: &Path) -> String {
    let parts = path.components().filter_map(|component| match component {
        Component::Normal(name) => Some(escaped(name.as_encoded_bytes())),
        _ => None,
    });
    parts.collect::<Vec<_>>().join("/")
}

fn escaped(name: &[u8]) -> String {
    let mut escaped = String::new();
    for chunk in name.utf8_chunks() {
        for character in chunk.valid().chars() {
            if character.is_control() {
                let mut buffer = [0; 4];
                escaped.extend(character.encode_utf8(&mut buffer).bytes().map(|byte| format!("%{byte:02X}")));
            } else {
                escaped.push(character);
            }
        }
        escaped.extend(chunk.invalid().iter().map(|byte| format!("%{byte:02X}")));
    }
    escaped
}

/// What [`Provenance::source`](super::Provenance::source) says of a document read from the file at `path`.
pub fn source_name(path: &Path) -> String {
    shown(path)
}

/// A path as it is shown: as given, with control characters and bytes that are no UTF-8 as `%0A`.
pub(super) fn shown(path: &Path) -> String {
    escaped(path.as_os_str().as_encoded_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_named_files_do_not_climb_and_do_not_say_where_a_folder_lies() {
        let id = |path: &str| id_of(&named_path(Path::new(path)));
        assert_eq!(id("docs/./a.md"), "docs/a.md");
        assert_eq!(id("../docs/b/../a.md"), "docs/a.md");
        assert_eq!(id("/srv/docs/a.md"), "a.md");
    }

    #[test]
    fn line_ends_in_names_are_shown_as_codes() {
        assert_eq!(shown(Path::new("a\nb.txt")), "a%0Ab.txt");
    }
}
