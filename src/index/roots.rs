//! Where sources lie: a path as it was given says that only together with the folder it was given in.
//!
//! Two folders may hold files of the same relative path, and so documents of the same id. So that the one never replaces
//! the other unnoticed, an index remembers for each root that was named (`docs/`) the folder that it led to, as a path
//! from the index's own folder: an index and its documents can be moved together.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};

/// Roots as they were named, each with the folder that it leads to.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SourceRoots(BTreeMap<String, String>);

impl SourceRoots {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn get(&self, root: &str) -> Option<&str> {
        self.0.get(root).map(String::as_str)
    }

    pub(super) fn set(&mut self, root: String, place: String) {
        self.0.insert(root, place);
    }

    /// Where a source lies; `None` for one under no known root: a name given by a caller, standard input.
    pub(super) fn location(&self, source: &str) -> Option<String> {
        // The longest root decides; `""`, the current folder, holds relative paths alone.
        let is_under = |root: &str| {
            if root.is_empty() { !Path::new(source).has_root() && source != "-" } else { source.starts_with(root) }
        };
        let (root, place) = self.0.iter().filter(|(root, _)| is_under(root)).max_by_key(|(root, _)| root.len())?;
        Some(format!("{place}/{}", &source[root.len()..]))
    }
}

/// The sources under `folder` start with this.
pub(super) fn root_name(folder: &Path) -> String {
    let mut name = crate::corpus::source_name(&folder.join("x"));
    name.pop();
    name
}

/// The way from one folder to another, with `/`; the other's own path where there is none. Both must exist.
pub(super) fn way(from: &Path, to: &Path) -> std::io::Result<String> {
    let (from, to) = (from.canonicalize()?, to.canonicalize()?);
    let common = from.components().zip(to.components()).take_while(|(a, b)| a == b).count();
    // Another drive, or another share.
    if common == 0 {
        return Ok(crate::corpus::source_name(&to));
    }
    let mut way = PathBuf::new();
    for _ in from.components().skip(common) {
        way.push(Component::ParentDir);
    }
    for component in to.components().skip(common) {
        way.push(component);
    }
    let parts: Vec<String> = way.iter().map(|part| crate::corpus::source_name(Path::new(part))).collect();
    Ok(if parts.is_empty() { ".".to_owned() } else { parts.join("/") })
}

/// Whether an id was made from the path of the source: `sub/a.txt` of `docs/sub/a.txt`, `towns.csv#3` of `towns.csv`.
pub(super) fn is_made_from_path(id: &str, source: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let id = id.rsplit_once('#').filter(|(_, number)| is_number(number)).map_or(id, |(path, _)| path);
    let last = |path: &str| path.rsplit(['/', '\\']).next().unwrap_or_default().to_owned();
    last(id) == last(source)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_root_says_where_a_source_lies() {
        let mut roots = SourceRoots::default();
        roots.set("docs/".into(), "../docs".into());
        roots.set("docs/new/".into(), "../../new".into());
        roots.set(String::new(), "..".into());
        let location = |source| roots.location(source);
        assert_eq!(location("docs/a.txt").as_deref(), Some("../docs/a.txt"));
        assert_eq!(location("docs/new/a.txt").as_deref(), Some("../../new/a.txt"));
        assert_eq!(location("b.txt").as_deref(), Some("../b.txt"));
        assert_eq!(location("/srv/b.txt"), None);
        assert_eq!(location("-"), None);
    }

    #[test]
    fn the_way_between_folders_climbs_and_descends() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["idx", "docs/sub"] {
            std::fs::create_dir_all(folder.path().join(name)).unwrap();
        }
        let at = |name: &str| folder.path().join(name);
        assert_eq!(way(&at("idx"), &at("docs/sub")).unwrap(), "../docs/sub");
        assert_eq!(way(&at("idx"), &at("idx")).unwrap(), ".");
        assert_eq!(way(&at("docs/sub"), &at("docs")).unwrap(), "..");
        assert!(way(&at("idx"), &at("absent")).is_err());
    }

    #[test]
    fn ids_made_from_paths_are_told_from_ids_of_records() {
        assert!(is_made_from_path("sub/a.txt", "docs/sub/a.txt"));
        assert!(is_made_from_path("towns.csv#3", "/srv/towns.csv"));
        assert!(!is_made_from_path("arden", "docs/towns.jsonl"));
        assert!(!is_made_from_path("a#b", "docs/a"));
    }
}
