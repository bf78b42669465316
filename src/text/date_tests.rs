//! What is read from sentences, and how claims agree with evidence.

use super::*;
use proptest::prelude::*;

fn read(text: &str) -> Vec<DateMention> {
    dates(text, DateOrder::Unknown)
}

/// Each date as "first..last", or its month and day when it has no year.
fn shown(text: &str) -> Vec<String> {
    read(text)
        .iter()
        .map(|date| match (date.first, date.last) {
            (Some(first), Some(last)) if first == last => first.to_string(),
            (Some(first), Some(last)) => format!("{first}..{last}"),
            _ => format!("{:?}-{:?}", date.month, date.day),
        })
        .collect()
}

fn best(claim: &str, evidence: &str) -> DateAgreement {
    let (claims, evidences) = (read(claim), read(evidence));
    let claim = claims.first().unwrap_or_else(|| panic!("no date in {claim}"));
    let rank = |agreement: &DateAgreement| match agreement {
        DateAgreement::Contains => 0,
        DateAgreement::Ambiguous => 1,
        DateAgreement::MorePrecise => 2,
        DateAgreement::Differs => 3,
        DateAgreement::Incomparable => 4,
    };
    evidences.iter().map(|evidence| claim.agrees(evidence)).min_by_key(rank).unwrap_or(DateAgreement::Incomparable)
}

#[test]
fn days_are_read_in_every_order_and_language() {
    for text in [
        "on 3 March 1987",
        "on March 3, 1987",
        "on March 3rd, 1987",
        "the 3rd of March, 1987",
        "1987-03-03",
        "1987/03/03",
        "03.03.1987",
        "3/3/87",
        "am 3. März 1987",
        "em 3 de março de 1987",
        "el 3 de marzo de 1987",
        "le 3 mars 1987",
        "1987年3月3日",
        "3 Mar. 1987",
        "3-Mar-1987",
        "on March 3, 1987 and later",
        "1987-03-03T12:30:00Z",
        "on March 3 , 1987 .",
        "on March 3rd , 1987",
    ] {
        assert_eq!(shown(text), ["1987-03-03"], "{text}");
    }
}

#[test]
fn coarser_dates_cover_their_days() {
    for (text, expected) in [
        ("in March 1987", "1987-03-01..1987-03-31"),
        ("in 1889", "1889-01-01..1889-12-31"),
        ("wurde 1987 eröffnet", "1987-01-01..1987-12-31"),
        ("in the 1980s", "1980-01-01..1989-12-31"),
        ("the '80s", "1980-01-01..1989-12-31"),
        ("the 19th century", "1801-01-01..1900-12-31"),
        ("the nineteenth century", "1801-01-01..1900-12-31"),
        ("no século XIX", "1801-01-01..1900-12-31"),
        ("au XIXe siècle", "1801-01-01..1900-12-31"),
        ("20世纪", "1901-01-01..2000-12-31"),
        ("in Q1 2023", "2023-01-01..2023-03-31"),
        ("the first quarter of 2021", "2021-01-01..2021-03-31"),
        ("second half of 2020", "2020-07-01..2020-12-31"),
        ("FY2023", "2023-01-01..2023-12-31"),
        ("Fiscal year 2023", "2023-01-01..2023-12-31"),
        ("in 44 BC", "-000043-01-01..-000043-12-31"),
        ("AD 79", "0079-01-01..0079-12-31"),
        ("summer of 1969", "1969-06-01..1969-08-31"),
        ("1958年", "1958-01-01..1958-12-31"),
        ("(1987)", "1987-01-01..1987-12-31"),
        ("nos anos 80", "1980-01-01..1989-12-31"),
        ("10.5% (2017 est.)", "2017-01-01..2017-12-31"),
        ("In 2019 sales rose", "2019-01-01..2019-12-31"),
        ("the 2019 elections", "2019-01-01..2019-12-31"),
        ("until at least 1960", "1960-01-01..1960-12-31"),
        ("born in approximately 1877", "1877-01-01..1877-12-31"),
        ("Venezuela's 2004 media law", "2004-01-01..2004-12-31"),
        ("a study published in 2013 confirms it", "2013-01-01..2013-12-31"),
        ("two 2012 studies", "2012-01-01..2012-12-31"),
        ("Conrad II († 1136)", "1136-01-01..1136-12-31"),
        ("a 1955 series on it", "1955-01-01..1955-12-31"),
        ("In 1998 GB Railways was shortlisted", "1998-01-01..1998-12-31"),
        ("the 2005 V8 season", "2005-01-01..2005-12-31"),
        ("in 1987-03", "1987-03-01..1987-03-31"),
        ("in the 1st century BC", "-000099-01-01..0000-12-31"),
        ("in the third quarter of 2022", "2022-07-01..2022-09-30"),
        ("in Q3 of fiscal 2023", "2023-07-01..2023-09-30"),
    ] {
        assert_eq!(shown(text), [expected], "{text}");
    }
}

#[test]
fn dates_without_a_year_keep_month_and_day() {
    assert_eq!(shown("on 14 August"), ["Some(8)-Some(14)"]);
    assert_eq!(shown("in May"), ["Some(5)-None"]);
    assert_eq!(shown("on March 3 and later"), ["Some(3)-Some(3)"]);
    assert_eq!(shown("you may march"), Vec::<String>::new());
}

#[test]
fn periods_are_their_start_and_their_end() {
    for text in ["1992-98", "1992–1998", "from 1992 to 1998", "between 1992 and 1998"] {
        let found = read(text);
        assert_eq!(found.len(), 2, "{text}");
        assert_eq!((found[0].bound, found[1].bound), (DateBound::Since, DateBound::Until), "{text}");
        assert_eq!(found[1].first.unwrap().year(), 1998, "{text}");
    }
    assert_eq!(shown("3–5 March 2020"), ["2020-03-03", "2020-03-05"]);
    assert_eq!(shown("the 1840s and 50s"), ["1840-01-01..1849-12-31", "1850-01-01..1859-12-31"]);
    for dash in ["–", " – ", "– ", "-", " to "] {
        let text = format!("(13 August 1903{dash}15 August 1939)");
        assert_eq!(shown(&text), ["1903-08-13", "1939-08-15"], "{text}");
        let text = format!("(August 13, 1903{dash}August 15, 1939)");
        assert_eq!(shown(&text), ["1903-08-13", "1939-08-15"], "{text}");
    }
    assert_eq!(shown("ruled 336–323 BC"), ["-000335-01-01..-000335-12-31", "-000322-01-01..-000322-12-31"]);
    assert_eq!(shown("the 18th–19th centuries"), ["1701-01-01..1800-12-31", "1801-01-01..1900-12-31"]);
    assert_eq!(shown("in den 80er Jahren"), ["1980-01-01..1989-12-31"]);
    assert_eq!(shown("March 3–5, 2020"), ["2020-03-03", "2020-03-05"]);
    assert_eq!(shown("on August 19–20"), ["Some(8)-Some(19)", "Some(8)-Some(20)"]);
    assert_eq!(shown("March to May 2020"), ["2020-03-01..2020-03-31", "2020-05-01..2020-05-31"]);
}

#[test]
fn numbers_of_things_are_no_years() {
    for text in [
        "1500 employees",
        "employs 1200 people",
        "2000 km",
        "1800 m",
        "$1999",
        "1,987",
        "CVE-2024-1234",
        "a total of 1850",
        "more than 2000",
        "2000 million",
        "1600 rpm",
        "2000–10,000 lbs",
        "1500–1800 people",
        "the 1900 employees",
    ] {
        assert_eq!(shown(text), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn the_order_of_day_and_month_is_ambiguous_until_it_is_set() {
    let due = "Invoice due 5/6/24.";
    assert_eq!(best("due 6 May 2024", due), DateAgreement::Ambiguous);
    assert_eq!(best("due 5 June 2024", due), DateAgreement::Ambiguous);
    assert_eq!(best("due in 2005", due), DateAgreement::Differs);
    assert_eq!(best("due in 2024", due), DateAgreement::Contains);
    assert_eq!(best("due 5/6/24", due), DateAgreement::Contains);
    let day_first = dates(due, DateOrder::DayFirst);
    assert_eq!(read("5 June 2024")[0].agrees(&day_first[0]), DateAgreement::Contains);
    assert_eq!(read("6 May 2024")[0].agrees(&day_first[0]), DateAgreement::Differs);
    let month_first = dates(due, DateOrder::MonthFirst);
    assert_eq!(read("6 May 2024")[0].agrees(&month_first[0]), DateAgreement::Contains);
    assert_eq!(shown("on 14/8/2018"), ["2018-08-14"]);
}

#[test]
fn containment_is_support() {
    assert_eq!(best("in the 1980s", "on 3 March 1987"), DateAgreement::Contains);
    assert_eq!(best("in 1987", "on 3 March 1987"), DateAgreement::Contains);
    assert_eq!(best("on 3 March 1987", "in 1987"), DateAgreement::MorePrecise);
    assert_eq!(best("in 1997", "on 3 March 1987"), DateAgreement::Differs);
    assert_eq!(best("in 1887", "built in 1889"), DateAgreement::Differs);
    assert_eq!(best("on 14 August", "on 14 August 2018"), DateAgreement::Contains);
    assert_eq!(best("on 15 August", "on 14 August 2018"), DateAgreement::Differs);
    assert_eq!(best("on 14 August 2018", "on 14 August"), DateAgreement::MorePrecise);
    assert_eq!(best("around 1850", "in 1852"), DateAgreement::Contains);
    assert_eq!(best("around 1850", "around 1852"), DateAgreement::MorePrecise);
    assert_eq!(best("around 1850", "around 1850"), DateAgreement::Contains);
    assert_eq!(best("before 1900", "in 1889"), DateAgreement::Contains);
    assert_eq!(best("before 1800", "in 1889"), DateAgreement::Differs);
    assert_eq!(best("in 1995", "from 1992 to 1998"), DateAgreement::MorePrecise);
    assert_eq!(best("in the late 1980s", "in 1988"), DateAgreement::Contains);
    assert_eq!(best("in the late 1980s", "in 1981"), DateAgreement::Differs);
    assert_eq!(best("created in 2015", "sancionada em 14/8/2018"), DateAgreement::Differs);
}

#[test]
fn a_fiscal_year_is_no_calendar_year() {
    let year = "Fiscal year 2023 ended on 30 June 2023.";
    assert_eq!(best("FY2023", year), DateAgreement::Contains);
    assert_eq!(best("in June 2023", year), DateAgreement::Contains);
    let december = &read("in December 2023")[0];
    let june = &read("on 30 June 2023")[0];
    assert_eq!(december.agrees(june), DateAgreement::Differs);
    assert_eq!(best("in 2023", "in FY2023"), DateAgreement::Incomparable);
    assert_eq!(best("FY2021", year), DateAgreement::Differs);
}

#[test]
fn ages_are_computed_from_dates() {
    let (born, died) = (&read("born 10 December 1815")[0], &read("died 27 November 1852")[0]);
    assert_eq!(born.years_until(died), Some((36, 36)));
    assert_eq!(read("in 1815")[0].years_until(died), Some((36, 37)));
}

proptest! {
    #[test]
    fn any_text_is_read_without_panic_and_spans_lie_on_characters(text in "\\PC{0,60}|([0-9]{1,4}|[ .,:/–'-]|March|May|st|th|of|de|century|s|BC|FY|Q|to|and|early|年|月){0,24}") {
        let mut end = 0;
        for date in read(&text) {
            prop_assert!(date.span.get(&text).is_some_and(|text| !text.is_empty()));
            prop_assert!(date.span.start >= end, "spans overlap");
            end = date.span.end;
            prop_assert!(date.first <= date.last);
            let same = date.agrees(&date);
            prop_assert!(same == DateAgreement::Contains, "{:?} against itself: {:?}", date, same);
        }
    }

    #[test]
    fn a_printed_date_is_read_back(year in 1000_i16..2999, month in 1_i8..=12, day in 1_i8..=28, style in 0_usize..6) {
        const NAMES: [&str; 12] = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];
        let name = NAMES[usize::try_from(month - 1).unwrap()];
        let text = match style {
            0 => format!("{year}-{month:02}-{day:02}"),
            1 => format!("on {day} {name} {year}"),
            2 => format!("on {name} {day}, {year}."),
            3 => format!("{day:02}.{month:02}.{year}"),
            4 => format!("{year}年{month}月{day}日"),
            _ => format!("the {day}th of {name} {year}"),
        };
        prop_assert_eq!(shown(&text), [format!("{year:04}-{month:02}-{day:02}")]);
    }
}
