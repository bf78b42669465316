//! From flags and settings to verifiers: the evidence that is opened once and serves every text.

use std::path::Path;
use std::sync::Arc;

use evidex::Cancellation;
use evidex::corpus::{self, Document, ReadOptions, Severity};
use evidex::embed::Embedder;
use evidex::evidence::{EvidenceSource, InlineContext, LocalIndex};
use evidex::index::Index;
use evidex::text::{DateOrder, NumberLocale};
use evidex::verify::{NliModel, Verification, Verifier, VerifySettings};

use crate::args::EvidenceArgs;
use crate::commands::Context;
use crate::embedders;
use crate::exit::Failure;
use crate::filters;
use crate::nli;
use crate::settings::Settings;
use crate::wikis::Wikis;

/// Evidence and models, open.
pub struct Engine {
    sources: Vec<Arc<dyn EvidenceSource>>,
    embedder: Option<Arc<dyn Embedder>>,
    nli: Option<Arc<dyn NliModel>>,
    settings: VerifySettings,
    cancellation: Cancellation,
    #[cfg(feature = "fetch")]
    wikis: Vec<Arc<evidex::evidence::WikipediaSource>>,
}

impl Engine {
    /// Puts the flags about evidence into the settings.
    ///
    /// # Errors
    /// A value that a setting may not have.
    pub fn flags(args: &EvidenceArgs, settings: &mut Settings) -> Result<(), Failure> {
        settings.flag("passages", "--passages", args.passages.as_deref())?;
        settings.flag("numbers", "--numbers", args.numbers.as_deref())?;
        settings.flag("dates", "--dates", args.dates.as_deref())?;
        settings.flag("nli", "--nli", args.nli.as_deref())
    }

    /// Opens all that the flags name.
    ///
    /// # Errors
    /// When an index, a file, a page or an embedder cannot be had: evidence must not go missing.
    pub fn open(args: &EvidenceArgs, context: &Context) -> Result<Self, Failure> {
        let mut engine = Self {
            sources: Vec::new(),
            embedder: None,
            nli: nli::from_settings(context)?,
            settings: verify_settings(&context.settings),
            cancellation: context.cancellation.clone(),
            #[cfg(feature = "fetch")]
            wikis: Vec::new(),
        };
        for path in &args.index {
            engine.open_index(path, args.filter.as_deref(), context)?;
        }
        if engine.sources.is_empty() && !args.index.is_empty() {
            return Err(Failure::new("empty_filter", "no document of the indexes matches the filter")
                .hint("`evidex list --index DIR --filter FILTER` shows which documents a filter means"));
        }
        if let Some(name) = &args.embedder
            && let Some(embedder) = embedders::for_new_index(name, context)?
        {
            engine.embedder = Some(embedder);
        }
        if !args.context.is_empty() {
            let mut documents = Vec::new();
            for path in &args.context {
                documents.extend(read_context(path)?);
            }
            engine.sources.push(Arc::new(InlineContext::new(documents)?));
        }
        if !args.url.is_empty() {
            let pages = InlineContext::new(fetch_pages(args, context)?)?;
            engine.sources.push(Arc::new(pages.named("url")));
        }
        Ok(engine)
    }

    /// Opens an index as a source, as far as `filter` lets its documents through; none where it lets none.
    fn open_index(&mut self, path: &Path, filter: Option<&str>, context: &Context) -> Result<(), Failure> {
        let index = Index::open(path)?;
        let embedder = embedders::of_index(&index, None, context)?;
        if let Some(embedder) = &embedder {
            self.embedder = Some(Arc::clone(embedder));
        }
        let snapshot = index.snapshot()?;
        if snapshot.document_count() == 0 {
            return Err(Failure::new("empty_index", format!("the index at {} holds no documents", path.display()))
                .hint("add some with `evidex index PATH... --into DIR`"));
        }
        let snapshot = filters::apply(snapshot, filter)?;
        if snapshot.document_count() > 0 {
            self.sources.push(Arc::new(LocalIndex::new(format!("index:{}", path.display()), snapshot, embedder)));
        }
        Ok(())
    }

    /// Opens the wikis that the flags name. Where nothing else says which edition of Wikipedia, the language of `answer` does.
    ///
    /// # Errors
    /// When one may not or cannot be asked so.
    #[cfg(feature = "fetch")]
    pub fn open_wikis(
        &mut self,
        wikis: &Wikis,
        args: &EvidenceArgs,
        answer: &str,
        context: &Context,
    ) -> Result<(), Failure> {
        for edition in wikis.iter() {
            let wiki = crate::commands::wiki::source(args, edition, answer, context)?;
            if let Some(embedder) = wiki.embedder() {
                self.embedder = Some(Arc::clone(embedder));
            }
            self.sources.push(Arc::clone(&wiki) as Arc<dyn EvidenceSource>);
            self.wikis.push(wiki);
        }
        Ok(())
    }

    /// Says that this build asks no wiki.
    ///
    /// # Errors
    /// When one is to be asked.
    #[cfg(not(feature = "fetch"))]
    pub fn open_wikis(
        &mut self,
        wikis: &Wikis,
        _args: &EvidenceArgs,
        _answer: &str,
        _context: &Context,
    ) -> Result<(), Failure> {
        if wikis.is_empty() {
            return Ok(());
        }
        Err(Failure::new("no_network", "this evidex was built without network code, so it cannot ask a wiki"))
    }

    /// Says on stderr what the wikis were asked.
    pub fn say_cost(&self) {
        #[cfg(feature = "fetch")]
        for wiki in &self.wikis {
            crate::printer::note(&crate::commands::wiki::cost(wiki));
        }
    }

    /// Whether there is evidence without that which a text brings along.
    pub fn has_sources(&self) -> bool {
        !self.sources.is_empty()
    }

    /// The evidence that is open, that of `documents` before it.
    ///
    /// # Errors
    /// When the documents cannot be cut into passages.
    pub fn sources(&self, documents: Vec<Document>) -> Result<Vec<Arc<dyn EvidenceSource>>, evidex::Error> {
        let mut sources: Vec<Arc<dyn EvidenceSource>> = Vec::new();
        if !documents.is_empty() {
            sources.push(Arc::new(InlineContext::new(documents)?));
        }
        sources.extend(self.sources.iter().map(Arc::clone));
        Ok(sources)
    }

    /// What reads claims against evidence.
    pub fn nli(&self) -> Option<Arc<dyn NliModel>> {
        self.nli.clone()
    }

    /// What finds passages and compares samples by meaning.
    pub fn embedder(&self) -> Option<Arc<dyn Embedder>> {
        self.embedder.clone()
    }

    /// Verifies `answer`, by the evidence that is open and by `documents` of its own.
    ///
    /// # Errors
    /// When there is no evidence at all, or the caller asked to stop.
    pub fn verify(
        &self,
        answer: &str,
        question: Option<&str>,
        documents: Vec<Document>,
    ) -> Result<Verification, evidex::Error> {
        let mut settings = self.settings.clone();
        settings.question = question.map(str::to_owned);
        let mut builder = Verifier::builder().settings(settings).cancellation(self.cancellation.clone());
        for source in self.sources(documents)? {
            builder = builder.source(source);
        }
        if let Some(embedder) = &self.embedder {
            builder = builder.embedder(Arc::clone(embedder));
        }
        if let Some(model) = &self.nli {
            builder = builder.nli(Arc::clone(model));
        }
        Ok(builder.build()?.verify(answer)?)
    }
}

/// How texts are read, by the settings.
pub fn verify_settings(settings: &Settings) -> VerifySettings {
    let mut chosen = VerifySettings::default();
    chosen.passages_per_claim = settings.whole("passages");
    chosen.number_locale = match settings.text("numbers") {
        "comma-groups" => NumberLocale::CommaGroups,
        "point-groups" => NumberLocale::PointGroups,
        _ => NumberLocale::Any,
    };
    chosen.date_order = match settings.text("dates") {
        "day-first" => DateOrder::DayFirst,
        "month-first" => DateOrder::MonthFirst,
        _ => DateOrder::Unknown,
    };
    chosen
}

/// Every page named by `--url`; one that cannot be had is an error, for evidence must not go missing.
#[cfg(feature = "fetch")]
fn fetch_pages(args: &EvidenceArgs, context: &Context) -> Result<Vec<Document>, Failure> {
    if context.settings.bool("offline") {
        return Err(Failure::new("offline", "--url needs the network, which --offline forbids")
            .hint("save the page and give it with --context"));
    }
    let options = evidex::evidence::WebOptions { allow_private: args.allow_private, ..Default::default() };
    Ok(evidex::evidence::fetch_pages(&args.url, &options)?)
}

#[cfg(not(feature = "fetch"))]
fn fetch_pages(_args: &EvidenceArgs, _context: &Context) -> Result<Vec<Document>, Failure> {
    Err(Failure::new("no_network", "this evidex was built without network code, so it cannot take --url")
        .hint("save the page and give it with --context"))
}

/// Every document of a context file. A record that cannot be read is an error, for evidence must not go missing.
fn read_context(path: &Path) -> Result<Vec<Document>, Failure> {
    let read = corpus::read_document(path, &ReadOptions::default())?;
    for problem in read.problems {
        if problem.severity() == Severity::Error {
            return Err(problem.into());
        }
        crate::printer::warning(&problem.to_string());
    }
    Ok(read.documents)
}
