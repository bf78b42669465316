//! Times of day: "14:30", "5 pm", "8 a.m.", "8 in the evening", "noon".

use super::hedges;
use super::numerals::ten_to;
use super::quantities::{Hedge, QuantityKind};
use super::quantity_reader::{Read, Reader};
use super::units;
use super::value_tokens::Kind;

impl Reader<'_, '_> {
    /// A time of day at `i`.
    pub(super) fn clock(&self, i: usize) -> Option<Read> {
        let scan = self.scan;
        let two = |at: usize| scan.str(at).parse::<u32>().ok().filter(|_| scan.str(at).len() <= 2);
        if let Some(read) = self.hours(i) {
            return Some(read);
        }
        let hour = two(i)?;
        let (minute, mut end) = if scan.is(i + 1, ':') && scan.str(i + 2).len() == 2 {
            (two(i + 2).filter(|minute| *minute < 60)?, i + 3)
        } else {
            (0, i + 1)
        };
        let with_colon = end > i + 1;
        // "1:12.37" is how long it took, in minutes and seconds.
        if with_colon && scan.is(end, '.') && scan.kind(end + 1) == Some(Kind::Digits) {
            let places = i32::try_from(scan.str(end + 1).len()).ok().filter(|places| *places <= 9)?;
            let fraction = scan.str(end + 1).parse::<f64>().ok()? * ten_to(-places);
            let value = f64::from(hour * 60 + minute) + fraction;
            let mut quantity = self.blank(i, (i, end + 2), end + 2, value, QuantityKind::Measure);
            quantity.half_unit = ten_to(-places) / 2.0;
            quantity.unit = units::look_up("s");
            return Some(Read::Found(vec![quantity], end + 2));
        }
        if with_colon && scan.is(end, ':') && scan.kind(end + 1) == Some(Kind::Digits) {
            end += 2;
        }
        let next = scan.past_space(end);
        let dotted = scan.is_any(next, &["a", "p"]) && scan.is(next + 1, '.') && scan.is_any(next + 2, &["m"]);
        let half = if dotted {
            scan.str(next).to_ascii_lowercase()
        } else {
            scan.str(next).to_ascii_lowercase().replace('m', "")
        };
        let is_half = dotted || scan.is_any(next, &["am", "pm"]);
        let told = if is_half { None } else { self.part_of_day(end) };
        if !with_colon && !is_half && told.is_none() {
            return None;
        }
        if !is_half && scan.previous_is(i, &["ratio", "score", "odds"]) {
            return None;
        }
        let hour = match (is_half, half.as_str(), hour) {
            (false, ..) if let Some((after_noon, _)) = told => match (after_noon, hour) {
                (true, 1..=11) => hour + 12,
                (false, 12) => 0,
                (_, 0..=24) => hour,
                _ => return None,
            },
            (true, "p", 1..=11) => hour + 12,
            (true, "a", 12) => 0,
            (true, _, 0..=12) | (false, _, 0..=24) => hour,
            _ => return None,
        };
        let end = if let Some((_, end)) = told {
            end
        } else if !is_half {
            end
        } else if dotted {
            if scan.is(next + 3, '.') { next + 4 } else { next + 3 }
        } else {
            next + 1
        };
        let (hedge, start) = hedges::before(scan, i);
        let hedge = if hedge == Hedge::About { hedge } else { Hedge::Exact };
        let value = f64::from(hour * 60 + minute);
        let mut quantity =
            self.blank(start, (i, if with_colon { i + 3 } else { i + 1 }), end, value, QuantityKind::ClockTime);
        quantity.half_unit = 0.0;
        quantity.hedge = hedge;
        Some(Read::Found(vec![quantity], end))
    }

    /// "in the evening" after an hour: whether it is after noon, and where it ends.
    fn part_of_day(&self, end: usize) -> Option<(bool, usize)> {
        let scan = self.scan;
        let first = scan.past_space(end);
        let second = scan.past_space(first + 1);
        let third = scan.past_space(second + 1);
        if !scan.is_any(first, &["in"]) || !scan.is_any(second, &["the"]) {
            return None;
        }
        let after_noon = scan.is_any(third, &["afternoon", "evening"]);
        (after_noon || scan.is_any(third, &["morning"])).then_some((after_noon, third + 1))
    }

    /// "at noon", "until midnight".
    pub(super) fn named_hour(&self, i: usize) -> Option<Read> {
        let scan = self.scan;
        let value = match scan.str(i).len() {
            4 if scan.is_any(i, &["noon"]) => 720.0,
            8 if scan.is_any(i, &["midnight"]) => 0.0,
            _ => return None,
        };
        if !scan.previous_is(i, &["at", "by", "until", "till", "from", "to", "before", "after", "around", "about"]) {
            return None;
        }
        let mut quantity = self.blank(i, (i, i + 1), i + 1, value, QuantityKind::ClockTime);
        quantity.half_unit = 0.0;
        Some(Read::Found(vec![quantity], i + 1))
    }

    /// "at 1437 hours": a time of day as soldiers and sailors write it.
    fn hours(&self, i: usize) -> Option<Read> {
        let scan = self.scan;
        let next = scan.past_space(i + 1);
        if scan.str(i).len() != 4
            || !scan.is_any(next, &["hours", "hrs"])
            || !scan.previous_is(i, &["at", "by", "until", "from", "to", "around", "about", "and"])
        {
            return None;
        }
        let value: u32 = scan.str(i).parse().ok()?;
        let (hour, minute) = (value / 100, value % 100);
        if hour > 24 || minute > 59 {
            return None;
        }
        let mut quantity = self.blank(i, (i, i + 1), next + 1, f64::from(hour * 60 + minute), QuantityKind::ClockTime);
        quantity.half_unit = 0.0;
        Some(Read::Found(vec![quantity], next + 1))
    }
}
