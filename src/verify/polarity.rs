//! Which words a negation or a hedge reaches.
//!
//! A cue reaches from itself to the end of its clause, or to a comma or conjunction once it has found its head: the
//! first content word after it. A negative subject ("nobody", "no member") reaches the whole rest, and a frame ("it is
//! false that") what `factuality` says. Negations are counted, so that two of them cancel.

use super::factuality::{self, FrameKind};
use super::reading::{Word, WordKind};

/// Marks negations and hedges on the words of one text.
///
/// In Portuguese, "no" is "in the" and denies nothing.
pub(super) fn mark(text: &str, words: &mut [Word], portuguese: bool) {
    let mut at = 0;
    let frames = factuality::frames(text, words);
    for frame in &frames {
        for word in &mut words[frame.scope.clone()] {
            match frame.kind {
                FrameKind::Denied => word.negations = word.negations.saturating_add(1),
                FrameKind::Supposed => word.hedged = true,
                FrameKind::Affirmed => continue,
            }
            word.framed = true;
        }
        if frame.kind != FrameKind::Supposed {
            for cue in &frame.cues {
                words[cue.clone()].iter_mut().for_each(|word| word.kind = WordKind::Function);
            }
        }
    }
    let cue_end = |at: usize| {
        let judging = frames.iter().filter(|frame| frame.kind != FrameKind::Supposed);
        judging.flat_map(|frame| &frame.cues).find(|cue| cue.contains(&at)).map(|cue| cue.end)
    };
    for word in words.iter_mut().filter(|word| is_privative(word)) {
        word.negations = word.negations.saturating_add(1);
        word.negation_head = true;
    }
    while at < words.len() {
        if let Some(end) = cue_end(at) {
            at = end;
            continue;
        }
        if let Some(length) = hedge_cue(words, at).filter(|_| matches!(words[at].folded.as_str(), "not" | "no")) {
            reach(words, at + length, true, Mark::Hedge);
            at += length;
            continue;
        }
        if let Some(length) = negation_cue(words, at).filter(|_| !(portuguese && words[at].folded == "no")) {
            let wide = matches!(
                words[at].folded.as_str(),
                "nobody" | "none" | "nothing" | "neither" | "never" | "ninguem" | "niemand"
            );
            for word in &mut words[at..at + length] {
                word.kind = WordKind::Function;
            }
            reach(words, at + length, wide, Mark::Negation);
            at += length;
            continue;
        }
        if let Some(length) = hedge_cue(words, at) {
            reach(words, at + length, true, Mark::Hedge);
            if length > 1 || !words[at].is_content() {
                at += length;
                continue;
            }
        }
        at += 1;
    }
    // A frame without another denial in it denies what it frames.
    for frame in frames.iter().filter(|frame| frame.kind == FrameKind::Denied) {
        let denies = words[frame.scope.clone()].iter().any(|word| word.negation_head);
        if let Some(at) = factuality::head(words, &frame.scope).filter(|_| !denies) {
            words[at].negation_head = true;
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    Negation,
    Hedge,
}

/// "childless", "treeless": a negation inside the word.
fn is_privative(word: &Word) -> bool {
    word.is_content()
        && word.folded.len() > 6
        && word.folded.ends_with("less")
        && !matches!(
            word.folded.as_str(),
            "regardless" | "nevertheless" | "nonetheless" | "wireless" | "countless" | "needless" | "priceless"
        )
}

fn is_predicate(word: &Word) -> bool {
    matches!(word.kind, WordKind::Content | WordKind::Light | WordKind::Slot)
}

/// Marks the words that a cue ending before `from` reaches.
fn reach(words: &mut [Word], from: usize, wide: bool, mark: Mark) {
    let Some(clause) = words.get(from).map(|word| word.clause) else { return };
    let mut heads = 0;
    for (place, word) in words[from..].iter_mut().enumerate() {
        let stop_word = matches!(word.folded.as_str(), "and" | "or" | "und" | "y" | "et" | "e");
        let leaves = word.clause != clause && place > 0;
        if leaves && (heads > 0 || !wide) || heads > 0 && !wide && (word.after_mark || stop_word) {
            break;
        }
        match mark {
            Mark::Hedge => {
                word.hedged = true;
                heads += usize::from(is_predicate(word));
            }
            Mark::Negation => {
                word.negations = word.negations.saturating_add(1);
                if is_predicate(word) {
                    // The first word is what is denied; an adverb before it lends it its place.
                    word.negation_head = heads == 0;
                    let passing = word.folded.len() > 4 && word.folded.ends_with("ly") || word.folded == "going";
                    heads += usize::from(!passing);
                }
            }
        }
    }
}

fn forms<'a>(words: &'a [Word], at: usize) -> impl Fn(usize) -> &'a str {
    move |offset| words.get(at + offset).map_or("", |word| word.folded.as_str())
}

/// Number of words of a negation cue at `at`.
fn negation_cue(words: &[Word], at: usize) -> Option<usize> {
    let word = forms(words, at);
    match word(0) {
        // "whether or not".
        "not" if at >= 1 && words[at - 1].folded == "or" => None,
        // "may or may not".
        "not" if at >= 2 && words[at - 2].folded == "or" => None,
        // "Nothing" in a name.
        "nothing" | "none" | "nobody" | "never" | "without" if words[at].capitalised && at > 0 => None,
        "nothing" | "none" | "nobody" if word(1) == "but" => None,
        // "Not really, …": an answer to what was said before.
        "not" if at == 0 && matches!(word(1), "really" | "quite" | "exactly" | "at") => None,
        // "neither confirmed nor denied" denies once.
        "nor" if words[..at].iter().rev().take(12).any(|before| before.folded == "neither") => None,
        // "could not be more marked".
        "not" if word(1) == "be" && word(2) == "more" => None,
        // "not only … but also", "not least", "not until": no denial of what follows.
        "not" if matches!(word(1), "only" | "just" | "merely" | "least" | "until" | "unlike") => None,
        // "não tem nenhum", "no hay ningún": what there is none of is what is denied.
        "nao" | "nem" if matches!(word(1), "tem" | "ha" | "existe" | "existem" | "houve" | "havia") => {
            Some(if word(2).starts_with("nenhum") { 3 } else { 2 })
        }
        "nenhum" | "nenhuma" if at > 0 && words[..at].iter().rev().take(4).any(|before| before.folded == "nao") => None,
        "nenhum" | "nenhuma" => Some(1),
        "not" | "never" | "without" | "nobody" | "none" | "nothing" | "nor" | "neither" | "cannot" | "nao"
        | "nunca" | "nem" | "sem" | "nicht" | "kein" | "keine" | "keinen" | "keinem" | "keiner" | "nie" | "niemals"
        | "ohne" | "niemand" | "ninguem" | "jamas" | "sin" | "pas" | "jamais" | "sans" | "nunquam" => Some(1),
        "no" => match word(1) {
            "longer" => Some(2),
            // "no more options", not "no more than five".
            "more" if !matches!(word(2), "than" | "" | "of") && !word(2).starts_with(|c: char| c.is_ascii_digit()) => {
                Some(2)
            }
            // Bounds and numbers: "no more than 5", "No. 5".
            "more" | "fewer" | "less" | "later" | "earlier" | "sooner" | "doubt" | "one's" => None,
            next if next.starts_with(|c: char| c.is_ascii_digit()) => None,
            "" => None,
            // "No, it is …"
            "it" | "i" | "he" | "she" | "they" | "we" | "you" | "it's" | "that" | "the" | "this" | "there" => None,
            _ => Some(1),
        },
        "lack" | "lacks" | "lacked" | "lacking" => Some(if word(1) == "of" { 2 } else { 1 }),
        "failed" | "fails" | "fail" | "failing" | "refused" | "refuses" | "refuse" | "declined" | "declines"
        | "unable"
            if word(1) == "to" =>
        {
            Some(2)
        }
        "inability" if word(1) == "to" => Some(2),
        "yet" if word(1) == "to" => Some(2),
        "remains" | "remain" | "remained" if word(1) == "to" && word(2) == "be" => Some(3),
        "hardly" | "barely" | "scarcely" | "avoid" | "avoids" | "avoided" | "avoiding" => Some(1),
        "turned" | "turns" if word(1) == "down" => Some(2),
        "other" if word(1) == "than" => Some(2),
        "free" if matches!(word(1), "of" | "from") => Some(2),
        "不" | "没" | "未" | "無" | "无" => Some(1),
        _ => None,
    }
}

/// Number of words of a cue that makes what follows possible, planned or alleged only.
fn hedge_cue(words: &[Word], at: usize) -> Option<usize> {
    let word = forms(words, at);
    match word(0) {
        "may" if words[at].capitalised && at > 0 => None,
        "may" | "might" | "could" | "possibly" | "perhaps" | "maybe" | "allegedly" | "reportedly" | "supposedly"
        | "purportedly" | "presumably" | "potentially" | "probably" => Some(1),
        "rumored" | "rumoured" | "alleged" | "speculated" | "hypothesized" | "hypothesised" | "suspected"
        | "believed" | "thought" | "claimed" | "claims" | "claim" | "suggested" | "suggests" | "proposed" | "hoped"
        | "hopes" | "planned" | "plans" | "expected" | "intended" | "intends" | "wants" | "wanted" | "likely"
        | "unlikely"
            if matches!(word(1), "to" | "that") =>
        {
            Some(2)
        }
        // What was tried, planned, asked for or agreed need not have happened.
        "tried" | "tries" | "try" | "trying" | "attempted" | "attempts" | "sought" | "seeks" | "agreed" | "agrees"
        | "offered" | "offers" | "threatened" | "threatens" | "vowed" | "pledged" | "scheduled" | "aims" | "aimed"
        | "applied" | "applies" | "asked" | "invited" | "urged" | "wished" | "wishes" | "prepared" | "plan"
        | "intend" | "hope" | "expect" | "planning" | "preparing" | "hoping" | "promised" | "promises" | "supposed"
        | "meant" | "due"
            if word(1) == "to" =>
        {
            Some(2)
        }
        "denied" | "denies" | "doubts" | "doubted" | "disputes" | "disputed" if word(1) == "that" => Some(2),
        "unclear" | "unknown" | "uncertain" => Some(1),
        "whether" => Some(1),
        "not" if matches!(word(1), "sure" | "clear" | "certain" | "known" | "confirmed") => Some(2),
        "no" if matches!(word(1), "evidence" | "proof" | "indication" | "sign") => Some(2),
        // "told reporters that the plant would close".
        "would" | "will"
            if words[..at].iter().rev().take(10).any(|before| {
                matches!(
                    before.folded.as_str(),
                    "told"
                        | "said"
                        | "says"
                        | "promised"
                        | "announced"
                        | "claimed"
                        | "predicted"
                        | "warned"
                        | "estimated"
                        | "forecast"
                )
            }) =>
        {
            Some(1)
        }
        "said" | "says" | "promised" | "announced"
            if matches!(word(2), "would" | "will") || word(1) == "that" && matches!(word(3), "would" | "will") =>
        {
            Some(1)
        }
        _ => None,
    }
}
