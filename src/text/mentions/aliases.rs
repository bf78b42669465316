//! Names that mean the same thing ("US", "United States", "American"), read once from `aliases.tsv`.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::mention::MentionKind;

/// A group of names of one thing, as a line number in the table.
pub(super) type Group = u16;

struct Table {
    groups: HashMap<&'static str, (Group, bool)>,
    kinds: Vec<MentionKind>,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let mut table = Table { groups: HashMap::new(), kinds: Vec::new() };
    for line in include_str!("aliases.tsv").lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let Ok(group) = Group::try_from(table.kinds.len()) else { break };
        let mut fields = line.split('\t');
        table.kinds.push(match fields.next() {
            Some("place") => MentionKind::Place,
            Some("organisation") => MentionKind::Organisation,
            _ => MentionKind::Name,
        });
        for (is_demonym, names) in [false, true].into_iter().zip(fields) {
            for name in names.split('|') {
                table.groups.entry(name).or_insert((group, is_demonym));
            }
        }
    }
    table
});

/// The group of a key.
pub(super) fn group(key: &str) -> Option<Group> {
    TABLE.groups.get(key).map(|&(group, _)| group)
}

/// Whether a key is an adjective or the name of a people ("german").
pub(super) fn is_demonym(key: &str) -> bool {
    TABLE.groups.get(key).is_some_and(|&(_, is_demonym)| is_demonym)
}

/// What a group's names name.
pub(super) fn kind(group: Group) -> MentionKind {
    TABLE.kinds.get(usize::from(group)).copied().unwrap_or(MentionKind::Name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_in_the_table_is_folded() {
        for name in TABLE.groups.keys() {
            let folded: String = crate::text::fold(name).chars().filter(|c| c.is_alphanumeric() || *c == ' ').collect();
            assert_eq!(*name, folded, "the table must hold keys");
        }
    }

    #[test]
    fn no_name_stands_in_two_groups() {
        let mut seen = HashMap::new();
        for (line, text) in include_str!("aliases.tsv").lines().enumerate().filter(|(_, text)| !text.starts_with('#')) {
            for name in text.split('\t').skip(1).flat_map(|names| names.split('|')) {
                if let Some(other) = seen.insert(name, line) {
                    panic!("{name} stands on lines {} and {}", other + 1, line + 1);
                }
            }
        }
    }
}
