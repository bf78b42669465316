//! What a part measures: said line by line as it comes, and kept as a file for the README's tables.

use std::path::Path;

use evidex::eval::{StoreMeasure, StoreReport};

use super::Failure;

/// A report that grows.
pub struct Report(StoreReport);

impl Report {
    pub fn new(part: &str, size: usize, corpus: &str, settings: &str) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let cpu = std::fs::read_to_string("/proc/cpuinfo").ok().and_then(|text| {
            let line = text.lines().find(|line| line.starts_with("model name"))?;
            Some(line.split_once(':')?.1.trim().to_owned())
        });
        let cpu = cpu.unwrap_or_else(|| std::env::consts::ARCH.to_owned());
        Self(StoreReport {
            part: format!("{part}-{size}"),
            machine: format!("{cpu}, {cores} cores"),
            corpus: corpus.to_owned(),
            settings: settings.to_owned(),
            ..StoreReport::default()
        })
    }

    /// A figure of this store.
    pub fn ours(&mut self, what: &str, setting: Option<&str>, value: f64, unit: &str) {
        self.row(what, concat!("evidex ", env!("CARGO_PKG_VERSION")), setting, value, unit, None);
    }

    /// A speed of searching beside what it found.
    pub fn search(&mut self, what: &str, setting: &str, recall: f64, rate: f64) {
        let who = concat!("evidex ", env!("CARGO_PKG_VERSION"));
        self.row(what, who, Some(setting), rate, "queries a CPU s", Some(recall));
    }

    /// A figure of tantivy alone, at the version that the store is built with.
    pub fn tantivy(&mut self, what: &str, value: f64, unit: &str) {
        let version = tantivy::version_string().split(',').next().unwrap_or("tantivy");
        let who = format!("{version}, alone");
        self.row(what, &who, None, value, unit, None);
    }

    fn row(&mut self, what: &str, who: &str, setting: Option<&str>, value: f64, unit: &str, recall: Option<f64>) {
        let said = recall.map_or_else(String::new, |recall| format!(", recall@10 {recall:.4}"));
        println!("{who:<24} {what:<36} {:<20} {value:12.3} {unit}{said}", setting.unwrap_or_default());
        self.0.measures.push(StoreMeasure {
            what: what.to_owned(),
            who: who.to_owned(),
            setting: setting.map(str::to_owned),
            value,
            unit: unit.to_owned(),
            recall_at_10: recall,
        });
    }

    /// Writes the report into `folder`.
    pub fn write(&self, folder: &Path) -> Result<(), Failure> {
        std::fs::create_dir_all(folder)?;
        let text = serde_json::to_string_pretty(&self.0)? + "\n";
        Ok(std::fs::write(folder.join(format!("{}.json", self.0.part)), text)?)
    }
}
