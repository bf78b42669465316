//! What a dump says of its wiki: its name, address and language; from these the ids and addresses of its pages.

use std::collections::BTreeMap;

/// A wiki.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Site {
    /// The database's name ("enwiki"), else the host's.
    pub(super) name: Option<String>,
    /// The address of pages, up to the title.
    pub(super) pages: Option<String>,
    /// The language of its texts.
    pub(super) language: Option<String>,
    /// Names of namespaces by number, in lower case.
    pub(super) namespaces: BTreeMap<i64, String>,
}

/// The namespace of files.
const FILES: i64 = 6;

/// The namespace of categories.
const CATEGORIES: i64 = 14;

impl Site {
    /// Takes over the address of the wiki's main page.
    pub(super) fn set_base(&mut self, base: &str) {
        let Some((scheme, rest)) = base.split_once("://") else { return };
        if !matches!(scheme, "http" | "https") {
            return;
        }
        let end = match rest.find("title=") {
            Some(at) => at + "title=".len(),
            None => rest.rfind('/').map_or(rest.len(), |at| at + 1),
        };
        let slash = if rest[..end].contains('/') { "" } else { "/" };
        self.pages = Some(format!("{scheme}://{}{slash}", &rest[..end]));
        if self.name.is_none() {
            self.name = rest.split('/').next().map(str::to_owned);
        }
    }

    /// The address of one revision of a page, for good.
    pub(super) fn permalink(&self, title: &str, revision: Option<u64>) -> Option<String> {
        let pages = self.pages.as_ref()?;
        let mark = if pages.contains('?') { '&' } else { '?' };
        let mut address = format!("{pages}{}", encoded(title));
        if let Some(revision) = revision {
            address.push_str(&format!("{mark}oldid={revision}"));
        }
        Some(address)
    }

    /// Whether links with this prefix ("File", "Kategorie") show or sort a page rather than name another.
    pub(super) fn kind_of_prefix(&self, prefix: &str) -> LinkKind {
        let prefix = prefix.trim().to_lowercase();
        let is = |number| self.namespaces.get(&number).is_some_and(|name| *name == prefix);
        if is(FILES) || FILE_PREFIXES.contains(&prefix.as_str()) {
            LinkKind::File
        } else if is(CATEGORIES) || CATEGORY_PREFIXES.contains(&prefix.as_str()) {
            LinkKind::Category
        } else {
            LinkKind::Page
        }
    }
}

/// What a link does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LinkKind {
    /// Shows a file.
    File,
    /// Puts the page into a category.
    Category,
    /// Names a page.
    Page,
}

/// Known in every wiki, or in large ones whose dump may not say.
const FILE_PREFIXES: &[&str] = &[
    "file",
    "image",
    "media",
    "datei",
    "bild",
    "fichier",
    "archivo",
    "imagen",
    "ficheiro",
    "imagem",
    "immagine",
    "bestand",
    "plik",
    "файл",
    "изображение",
    "文件",
    "ファイル",
    "檔案",
];

/// As [`FILE_PREFIXES`].
const CATEGORY_PREFIXES: &[&str] = &[
    "category",
    "kategorie",
    "catégorie",
    "categoría",
    "categoria",
    "categorie",
    "kategoria",
    "категория",
    "分类",
    "カテゴリ",
];

/// A title as it stands in an address.
fn encoded(title: &str) -> String {
    let mut address = String::with_capacity(title.len());
    for byte in title.bytes() {
        match byte {
            b' ' => address.push('_'),
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => address.push(char::from(byte)),
            b'-' | b'_' | b'.' | b'~' | b'/' | b':' | b'(' | b')' | b',' | b';' | b'@' | b'!' | b'*' => {
                address.push(char::from(byte));
            }
            byte => address.push_str(&format!("%{byte:02X}")),
        }
    }
    address
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permalinks_follow_the_address_of_the_main_page() {
        let link = |base: &str| {
            let mut site = Site::default();
            site.set_base(base);
            (site.permalink("Čapek & Co?", Some(7)).unwrap_or_default(), site.name.unwrap_or_default())
        };
        assert_eq!(
            link("https://en.wikipedia.org/wiki/Main_Page"),
            ("https://en.wikipedia.org/wiki/%C4%8Capek_%26_Co%3F?oldid=7".to_owned(), "en.wikipedia.org".to_owned())
        );
        assert_eq!(
            link("http://127.0.0.1:8765/index.php?title=Main_Page").0,
            "http://127.0.0.1:8765/index.php?title=%C4%8Capek_%26_Co%3F&oldid=7"
        );
        assert_eq!(
            link("http://127.0.0.1:8765/index.php/Main_Page").0,
            "http://127.0.0.1:8765/index.php/%C4%8Capek_%26_Co%3F?oldid=7"
        );
        assert_eq!(link("ftp://x/y"), (String::new(), String::new()));
    }
}
