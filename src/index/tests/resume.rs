//! A run that was stopped does not embed again what it had embedded.

use std::sync::atomic::{AtomicUsize, Ordering};

use evidex_index_format::MemStorage;

use super::*;
use crate::embed::{EmbedError, EmbedderIdentity};

/// Counts the texts that it is given, and fails once it was given so many.
struct Counting {
    identity: EmbedderIdentity,
    given: AtomicUsize,
    most: usize,
}

impl Counting {
    fn new(most: usize) -> Arc<Self> {
        let identity = EmbedderIdentity { name: "counting".into(), digest: "00ff00ff00ff00ff00".into(), dimension: 8 };
        Arc::new(Self { identity, given: AtomicUsize::new(0), most })
    }
}

impl Embedder for Counting {
    fn identity(&self) -> &EmbedderIdentity {
        &self.identity
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        if self.given.fetch_add(texts.len(), Ordering::SeqCst) + texts.len() > self.most {
            return Err(EmbedError::Unknown { name: "stopped".into() });
        }
        let vector = |text: &&str| (0..8).map(|at| ((text.len() * 7 + at) % 13) as f32 + 1.0).collect();
        Ok(texts.iter().map(vector).collect())
    }
}

fn document(number: usize) -> Document {
    Document::inline(
        &format!("d{number}"),
        format!("Item {number} weighs {} kg.{}", number * 7, ".".repeat(number % 9)),
    )
}

fn write(index: &Index, embedder: &Arc<Counting>) -> Result<(), super::super::IndexError> {
    // One thread, so that the batches before the failing one are known to be done.
    let options = WriterOptions { threads: 1, ..WriterOptions::default() };
    let mut writer = index.writer(Some(embedder.clone()), options)?;
    for number in 0..300 {
        writer.add(document(number))?;
    }
    writer.commit().map(|_| ())
}

#[test]
fn what_was_embedded_before_a_crash_is_not_embedded_again() {
    let identity = Counting::new(0).identity.clone();
    let options = || IndexOptions { embedder: Some(identity.clone()), ..IndexOptions::default() };
    let whole = Index::in_memory(options()).unwrap();
    write(&whole, &Counting::new(usize::MAX)).unwrap();

    let storage = Arc::new(MemStorage::new());
    let index = Index::create_in(storage.clone(), options()).unwrap();
    assert!(write(&index, &Counting::new(200)).is_err());
    assert_eq!(index.snapshot().unwrap().document_count(), 0);
    let again = Counting::new(usize::MAX);
    write(&Index::open_in(storage.clone()).unwrap(), &again).unwrap();
    let embedded = again.given.load(Ordering::SeqCst);
    assert!((100..=140).contains(&embedded), "{embedded} of 300 were embedded again");

    let index = Index::open_in(storage.clone()).unwrap();
    for number in [0, 17, 150, 299] {
        let vector = |index: &Index| {
            let snapshot = index.snapshot().unwrap();
            let chunk = snapshot.chunks_of(&document(number).id).unwrap()[0];
            snapshot.vector(chunk).unwrap()
        };
        assert_eq!(vector(&index), vector(&whole));
    }
    // Published: the log is gone, and nothing of it is taken over later.
    use evidex_index_format::Storage;
    assert!(!storage.list().unwrap().iter().any(|entry| entry.name.starts_with("work-")));
    assert_sound(&index);
}

#[test]
fn a_run_that_is_not_to_be_resumable_leaves_no_log() {
    use evidex_index_format::Storage;
    let storage = Arc::new(MemStorage::new());
    let embedder = Counting::new(40);
    let options = IndexOptions { embedder: Some(embedder.identity.clone()), ..IndexOptions::default() };
    let index = Index::create_in(storage.clone(), options).unwrap();
    let options = WriterOptions { resumable: false, ..WriterOptions::default() };
    let mut writer = index.writer(Some(embedder), options).unwrap();
    (0..100).for_each(|number| assert!(writer.add(document(number)).is_ok()));
    assert!(writer.commit().is_err());
    assert!(!storage.list().unwrap().iter().any(|entry| entry.name.starts_with("work-")));
}
