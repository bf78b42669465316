//! What is read from sentences, and how claims agree with evidence.

use super::*;
use proptest::prelude::*;

fn read(text: &str) -> Vec<Quantity> {
    quantities(text, NumberLocale::Any)
}

fn values(text: &str) -> Vec<(f64, QuantityKind)> {
    read(text).into_iter().map(|quantity| (quantity.low, quantity.kind)).collect()
}

fn one(text: &str) -> Quantity {
    let found = read(text);
    assert_eq!(found.len(), 1, "{text}: {found:#?}");
    found.into_iter().next().unwrap()
}

fn best(claim: &str, evidence: &str) -> Agreement {
    let (claims, evidences) = (read(claim), read(evidence));
    let claim = claims.first().unwrap_or_else(|| panic!("no quantity in {claim}"));
    let rank = |agreement: &Agreement| match agreement {
        Agreement::Agrees => 0,
        Agreement::MorePrecise => 1,
        Agreement::UnitDiffers => 2,
        Agreement::Differs => 3,
        Agreement::Incomparable => 4,
    };
    evidences.iter().map(|evidence| claim.agrees(evidence)).min_by_key(rank).unwrap_or(Agreement::Incomparable)
}

#[test]
fn counts_carry_their_noun() {
    for (text, value, noun) in [
        ("It has 312 beds.", 312.0, Some("bed")),
        ("The firm employs 1200 people.", 1200.0, Some("person")),
        ("The firm employs 1500 employees.", 1500.0, Some("employee")),
        ("230 people died", 230.0, Some("person")),
        ("It holds **999** million litres.", 999e6, None),
        ("a dozen eggs", 12.0, Some("egg")),
        ("three hundred and five ships", 305.0, Some("ship")),
        ("an 18-member board", 18.0, Some("member")),
        ("2.4 million users", 2.4e6, Some("user")),
        ("19 lakh voters", 1.9e6, Some("voter")),
        ("uma dúzia de ovos", 12.0, Some("ovo")),
        ("有3000人", 3000.0, Some("person")),
        ("A cidade tem um milhão de pessoas", 1e6, Some("pessoa")),
        ("16.181 users", 16181.0, Some("user")),
        ("one survivor was found", 1.0, Some("survivor")),
        ("5k users", 5000.0, Some("user")),
        ("half a million people", 5e5, Some("person")),
        ("freed a quarter-million slaves", 250_000.0, Some("slave")),
        ("1,234 beds", 1234.0, Some("bed")),
        ("1.234 beds", 1234.0, Some("bed")),
        ("1 234 beds", 1234.0, Some("bed")),
        ("1'234 beds", 1234.0, Some("bed")),
        ("1’234 beds", 1234.0, Some("bed")),
        ("12,34,567 voters", 1_234_567.0, Some("voter")),
        ("4 crore voters", 4e7, Some("voter")),
        ("3M users", 3e6, Some("user")),
        ("3 bn users", 3e9, Some("user")),
        ("two thousand and six ships", 2006.0, Some("ship")),
        ("dois mil milhões de pessoas", 2e9, Some("pessoa")),
        ("2 mil milhões de pessoas", 2e9, Some("pessoa")),
    ] {
        let quantity = one(text);
        assert!((quantity.low - value).abs() < 1e-6 * value, "{text}: {quantity:?}");
        assert_eq!(quantity.counted.as_deref(), noun, "{text}");
    }
}

#[test]
fn measures_carry_their_unit() {
    for (text, value, symbol) in [
        ("10 km long", 10.0, "km"),
        ("a 10-km run", 10.0, "km"),
        ("10km", 10.0, "km"),
        ("nine years", 9.0, "year"),
        ("2 h 30 min", 2.5, "h"),
        ("6 feet 6 inches", 6.5, "ft"),
        ("100 °C", 100.0, "°C"),
        ("-12 °C", -12.0, "°C"),
        ("minus 12 degrees Celsius", -12.0, "°C"),
        ("643,801 km²", 643_801.0, "km²"),
        ("55 km/h", 55.0, "km/h"),
        ("120 people per sq km", 120.0, "person/km²"),
        ("14.7 deaths/1,000 live births", 14.7, "death/1000"),
        ("14.7 deaths per 1,000", 14.7, "death/1000"),
        ("won in 1:11.03", 71.03, "s"),
        ("a 125cc engine", 125.0, "cm³"),
        ("全长420米", 420.0, "m"),
        ("a 12-year-old girl", 12.0, "year"),
        ("aged 12", 12.0, "year"),
        ("2½ hours", 2.5, "h"),
        ("two and a half years", 2.5, "year"),
        ("half an hour", 0.5, "h"),
        ("he is 5'6\" tall", 5.5, "ft"),
        ("he is 5 ft 6 in tall", 5.5, "ft"),
        ("a quarter of a mile", 0.25, "mi"),
        ("3 × 10^8 m/s", 3e8, "m/s"),
        ("67 million litres", 67e6, "l"),
        ("\u{2212}12 °C", -12.0, "°C"),
        ("\u{2013}12 °C", -12.0, "°C"),
        ("a 5 GB file", 5.0, "GB"),
        ("used 5 kWh a day", 5.0, "kWh"),
        ("40 acres", 40.0, "acre"),
        ("12 oz", 12.0, "oz"),
        ("1.234,5 metros", 1234.5, "m"),
    ] {
        let quantity = one(text);
        assert!((quantity.low - value).abs() < 1e-9 * value.abs(), "{text}: {quantity:?}");
        assert_eq!(quantity.unit.as_ref().map(|unit| unit.symbol.as_str()), Some(symbol), "{text}");
    }
}

#[test]
fn money_is_read_by_symbol_code_and_word() {
    for (text, value, code) in [
        ("€5 million", 5e6, "EUR"),
        ("US$ 3bn", 3e9, "USD"),
        ("19 EUR", 19.0, "EUR"),
        ("R$ 5 milhões", 5e6, "BRL"),
        ("5 Millionen Euro", 5e6, "EUR"),
        ("$5m", 5e6, "$"),
        ("-$5", -5.0, "$"),
        ("£1,250.50", 1250.5, "GBP"),
        ("25 US dollars", 25.0, "USD"),
        ("12,5 millions d'euros", 12.5e6, "EUR"),
        ("₹4 crore", 4e7, "INR"),
        ("2 mil milhões de euros", 2e9, "EUR"),
        ("mil milhões de euros", 1e9, "EUR"),
        ("CHF 12.50", 12.5, "CHF"),
        ("¥500", 500.0, "¥"),
    ] {
        let quantity = one(text);
        assert_eq!(quantity.kind, QuantityKind::Money, "{text}");
        assert!((quantity.low - value).abs() < 1e-9 * value.abs(), "{text}: {quantity:?}");
        assert_eq!(quantity.unit.as_ref().map(|unit| unit.symbol.as_str()), Some(code), "{text}");
    }
}

#[test]
fn shares_points_multiples_and_ratios_are_told_apart() {
    use QuantityKind::{Count, Multiple, Ordinal, Percent, PercentPoints, Ratio};
    assert_eq!(values("85.19 % of commits"), [(85.19, Percent)]);
    assert_eq!(values("20 percent"), [(20.0, Percent)]);
    assert_eq!(values("2 percentage points"), [(2.0, PercentPoints)]);
    assert_eq!(values("25 basis points"), [(0.25, PercentPoints)]);
    assert_eq!(values("by 12,3 Prozent"), [(12.3, Percent)]);
    assert_eq!(values("turnover was 1.8x"), [(1.8, Multiple)]);
    assert_eq!(values("it doubled"), [(2.0, Multiple)]);
    assert_eq!(values("twice the size"), [(2.0, Multiple)]);
    assert_eq!(values("he won twice"), [(2.0, Count)]);
    assert_eq!(values("one in four"), [(0.25, Ratio)]);
    assert_eq!(values("won 7 to 5"), [(1.4, Ratio)]);
    assert_eq!(values("a ratio of 3:1"), [(3.0, Ratio)]);
    assert_eq!(values("two out of five"), [(2.0, Count), (5.0, Count), (0.4, Ratio)]);
    assert_eq!(values("two-thirds of the seats"), [(2.0 / 3.0, Ratio)]);
    assert_eq!(values("half the seats"), [(0.5, Ratio)]);
    assert_eq!(values("a quarter of the budget"), [(0.25, Ratio)]);
    assert_eq!(values("12 of 18 seats"), [(12.0, Count), (18.0, Count), (12.0 / 18.0, Ratio)]);
    assert_eq!(values("a 2–14 record"), [(2.0 / 14.0, Ratio)]);
    assert_eq!(values("lowered from 12 to 8 races"), [(12.0, Count), (8.0, Count)]);
    assert_eq!(values("at 14:30"), [(870.0, QuantityKind::ClockTime)]);
    assert_eq!(values("at 5 p.m."), [(1020.0, QuantityKind::ClockTime)]);
    assert_eq!(values("at 1437 hours"), [(877.0, QuantityKind::ClockTime)]);
    assert_eq!(values("at 8:15 in the evening"), [(1215.0, QuantityKind::ClockTime)]);
    assert_eq!(values("at 9 in the morning"), [(540.0, QuantityKind::ClockTime)]);
    assert_eq!(values("closes at noon"), [(720.0, QuantityKind::ClockTime)]);
    assert_eq!(values("High Noon was filmed"), []);
    assert_eq!(values("the third king"), [(3.0, Ordinal)]);
    assert_eq!(values("the 3rd king"), [(3.0, Ordinal)]);
    assert_eq!(values("King Osric IV ruled"), [(4.0, Ordinal)]);
    assert_eq!(values("Osric the Fourth ruled"), [(4.0, Ordinal)]);
}

#[test]
fn ranges_and_bounds_are_intervals() {
    for (text, low, high, hedge) in [
        ("5–7 days", 5.0, 7.0, Hedge::Exact),
        ("5-7 days", 5.0, 7.0, Hedge::Exact),
        ("between 5 and 7 days", 5.0, 7.0, Hedge::Exact),
        ("from 5 to 7 days", 5.0, 7.0, Hedge::Exact),
        ("0.2-0.5%", 0.2, 0.5, Hedge::Exact),
        ("$5-7 million", 5e6, 7e6, Hedge::Exact),
        ("at least 5 days", 5.0, 5.0, Hedge::AtLeast),
        ("no fewer than five days", 5.0, 5.0, Hedge::AtLeast),
        ("up to 40 beds", 40.0, 40.0, Hedge::AtMost),
        ("more than 40 beds", 40.0, 40.0, Hedge::MoreThan),
        ("~40 beds", 40.0, 40.0, Hedge::About),
        ("500+ users", 500.0, 500.0, Hedge::AtLeast),
        ("40 beds or more", 40.0, 40.0, Hedge::AtLeast),
        ("nearly 300 ships", 300.0, 300.0, Hedge::About),
        ("under 40 beds", 40.0, 40.0, Hedge::LessThan),
        ("fewer than 40 beds", 40.0, 40.0, Hedge::LessThan),
        ("at most 40 beds", 40.0, 40.0, Hedge::AtMost),
        ("about 40 beds", 40.0, 40.0, Hedge::About),
        ("approximately 40 beds", 40.0, 40.0, Hedge::About),
    ] {
        let quantity = one(text);
        assert_eq!((quantity.low, quantity.high), (low, high), "{text}");
        assert_eq!(quantity.hedge, hedge, "{text}");
    }
    assert_eq!(read("The rate rose from 4% to 6%.").len(), 2);
    assert_eq!(values("It rose from 4 to 6 million euros."), [(4e6, QuantityKind::Money), (6e6, QuantityKind::Money)]);
}

#[test]
fn labels_identifiers_and_addresses_are_no_quantities() {
    for text in [
        "part QX-7741",
        "CVE-2024-1234",
        "the A17 motorway",
        "version 3.2",
        "Helios v3.2",
        "section 4.2",
        "no. 5",
        "https://example.org/12/34?x=56",
        "write to a12@b34.org",
        "call +44 20 7946 0958",
        "555-123-4567",
        "192.168.0.1",
        "Apollo was Apollo 11",
        "the '80s",
        "COVID-19",
        "a Boeing 747",
        "3D printing",
        "H2O",
        "once upon a time",
        "no one knew",
        "At one point it fell",
        "a citation [12]",
        "a 401(k) plan",
        "FAX: [1] (202) 328-7614",
        "a 2005 V8 car",
    ] {
        assert_eq!(read(text), [], "{text}");
    }
}

#[test]
fn dates_are_no_counts() {
    for text in
        ["in 1889", "on 3 March 1987", "14 de agosto de 2018", "the 1980s", "5/6/24", "1992-98", "the 19th century"]
    {
        assert_eq!(read(text), [], "{text}");
    }
    assert_eq!(values("In 2019-2020 Paris hosted 30 major events").len(), 1);
}

#[test]
fn rounding_is_agreement_and_more_digits_are_not() {
    let commits = "The top author holds 85.19% of commits.";
    assert_eq!(best("85%", commits), Agreement::Agrees);
    assert_eq!(best("85.2%", commits), Agreement::Agrees);
    assert_eq!(best("about 85%", commits), Agreement::Agrees);
    assert_eq!(best("86%", commits), Agreement::Differs);
    assert_eq!(best("85.3%", commits), Agreement::Differs);
    assert_eq!(best("85.2%", "85%"), Agreement::MorePrecise);
    assert_eq!(best("2 million people", "2,148,000 people"), Agreement::Agrees);
    assert_eq!(best("2.0 million people", "2,148,000 people"), Agreement::Differs);
    assert_eq!(best("2,048,112 people", "2 million people"), Agreement::MorePrecise);
    assert_eq!(best("1200 people", "1234 people"), Agreement::Differs);
    assert_eq!(best("about 1200 people", "1234 people"), Agreement::Agrees);
    assert_eq!(best("9000 people", "1200 people"), Agreement::Differs);
    assert_eq!(best("30 tonnes", "350 tonnes"), Agreement::Differs);
}

#[test]
fn grouping_is_read_as_its_country_writes_it() {
    let site = "The site has 16,181 users and 1234567 views.";
    assert_eq!(best("16.181 users", site), Agreement::Agrees);
    assert_eq!(best("16\u{a0}181 users", site), Agreement::Agrees);
    assert_eq!(best("1 234 567 views", site), Agreement::Agrees);
    assert_eq!(best("16.2 users", site), Agreement::Differs);
    let gain = "Mixte : 1,8260 Gain : -12,3 %";
    assert_eq!(best("la valeur mixte est 1,8260", gain), Agreement::Agrees);
    assert_eq!(best("la valeur mixte est 1,826", gain), Agreement::Agrees);
    assert_eq!(best("la valeur mixte est 18 260", gain), Agreement::Differs);
    assert_eq!(best("A ponte tem 1234,5 m.", "A ponte tem 1.234,5 metros."), Agreement::Agrees);
    assert_eq!(best("A ponte tem 12.345 m.", "A ponte tem 1.234,5 metros."), Agreement::Differs);
}

#[test]
fn units_are_converted_and_currencies_are_not() {
    assert_eq!(best("about 6.2 miles", "The trail is 10 km long"), Agreement::Agrees);
    assert_eq!(best("10 miles", "The trail is 10 km long"), Agreement::UnitDiffers);
    assert_eq!(best("212 °F", "the oven runs at 100 °C"), Agreement::Agrees);
    assert_eq!(best("100 °F", "the oven runs at 100 °C"), Agreement::UnitDiffers);
    assert_eq!(best("10000 grams", "10 kg"), Agreement::Agrees);
    assert_eq!(best("10 pounds", "10 kg"), Agreement::UnitDiffers);
    assert_eq!(best("8849 miles", "8849 m"), Agreement::UnitDiffers);
    assert_eq!(best("19 EUR", "19 USD"), Agreement::UnitDiffers);
    assert_eq!(best("$19", "19 USD"), Agreement::Agrees);
    assert_eq!(best("9 years", "nine years"), Agreement::Agrees);
    assert_eq!(best("2%", "2 percentage points"), Agreement::UnitDiffers);
    assert_eq!(best("5 kg", "5 km"), Agreement::Incomparable);
    assert_eq!(best("over 9800 degrees", "9806 °F"), Agreement::Agrees);
    assert_eq!(best("he died in his 30s", "he died at the age of 37"), Agreement::Agrees);
    assert_eq!(best("he died in his 40's", "he died at the age of 37"), Agreement::Differs);
}

#[test]
fn shares_of_counts_are_compared() {
    let seats = "12 of 18 seats were taken.";
    assert_eq!(best("A dozen seats", seats), Agreement::Agrees);
    assert_eq!(best("two-thirds of the seats", seats), Agreement::Agrees);
    assert_eq!(best("half the seats", seats), Agreement::Differs);
    assert_eq!(best("25% of them", "one in four"), Agreement::Agrees);
    assert_eq!(best("nearly half of them", "48% of them"), Agreement::Agrees);
    assert_eq!(best("nearly half of them", "35% of them"), Agreement::Differs);
}

#[test]
fn a_range_is_not_told_by_one_number_near_its_end() {
    assert_ne!(best("rose 0.2-0.5%", "The index rose 0.52%"), Agreement::Agrees);
    assert_eq!(best("5–7 days", "6 days"), Agreement::Agrees);
    assert_eq!(best("6 days", "5–7 days"), Agreement::MorePrecise);
    assert_eq!(best("5-8 days", "5–7 days"), Agreement::Agrees);
    assert_eq!(best("8 days", "5–7 days"), Agreement::Differs);
    assert_eq!(best("at least 5 days", "12 days"), Agreement::Agrees);
    assert_eq!(best("at most 5 days", "12 days"), Agreement::Differs);
    assert_eq!(best("520 people", "more than 500 people"), Agreement::MorePrecise);
    assert_eq!(best("480 people", "more than 500 people"), Agreement::Differs);
    assert_eq!(best("more than 500 people", "500 people"), Agreement::Differs);
}

proptest! {
    #[test]
    fn any_text_is_read_without_panic_and_spans_lie_on_characters(text in "\\PC{0,60}|([0-9]{1,5}|[ .,:/%$€–'-]|km|of|to|million|½|March|one|half|and|a|th|三|米|°C|e){0,24}") {
        for quantity in read(&text) {
            prop_assert!(quantity.span.get(&text).is_some());
            prop_assert!(quantity.span.contains(quantity.number_span));
            prop_assert!(!quantity.number_span.is_empty());
            prop_assert!(quantity.low <= quantity.high);
            prop_assert!(quantity.half_unit >= 0.0);
            let same = quantity.agrees(&quantity);
            prop_assert!(same == Agreement::Agrees, "{:?} against itself: {:?}", quantity, same);
        }
    }

    #[test]
    fn a_printed_number_is_read_back(value in 0_u32..2_000_000_000, places in 0_u32..4, style in 0_usize..6) {
        let scale = 10_u32.pow(places);
        let (whole, part) = (value / scale, value % scale);
        let (group, point) = [(",", "."), (".", ","), (" ", ","), ("\u{a0}", "."), ("'", "."), ("", ".")][style];
        let digits = whole.to_string();
        let mut grouped = String::new();
        for (at, digit) in digits.chars().enumerate() {
            if at > 0 && (digits.len() - at) % 3 == 0 {
                grouped.push_str(group);
            }
            grouped.push(digit);
        }
        if places > 0 {
            grouped.push_str(&format!("{point}{part:0width$}", width = places as usize));
        }
        let quantity = one(&format!("It is {grouped} kg."));
        let expected = f64::from(value) / f64::from(scale);
        let reads = (quantity.low - expected).abs() < 1e-9 * expected.max(1.0)
            || quantity.other_reading.is_some_and(|other| (other - expected).abs() < 1e-9 * expected.max(1.0));
        prop_assert!(reads, "{} read as {:?}", grouped, quantity);
    }
}

/// The country profiles of the shared data, or `None` with a note where they are not at hand.
fn factbook() -> Option<String> {
    let shared =
        std::env::var("EVIDEX_SHARED").unwrap_or_else(|_| concat!(env!("CARGO_MANIFEST_DIR"), "/../shared").to_owned());
    let path = std::path::Path::new(&shared).join("data/factbook/factbook.jsonl.zst");
    let Ok(file) = std::fs::File::open(&path) else {
        assert!(std::env::var("EVIDEX_REQUIRE_SHARED").as_deref() != Ok("1"), "{} is missing", path.display());
        println!("skipped: {} is not here", path.display());
        return None;
    };
    let mut text = String::new();
    let mut reader = zstd::Decoder::new(file).unwrap();
    std::io::Read::read_to_string(&mut reader, &mut text).unwrap();
    Some(text)
}

#[test]
fn every_number_of_a_real_text_agrees_with_itself_and_not_with_a_changed_one() {
    let Some(profiles) = factbook() else { return };
    let (mut read, mut changed_read, mut missed) = (0_u32, 0_u32, 0_u32);
    for line in profiles.lines().take(80) {
        let document: serde_json::Value = serde_json::from_str(line).unwrap();
        for sentence in document["text"].as_str().unwrap().split('\n') {
            let (found, days) = quantities_and_dates(sentence, NumberLocale::Any, DateOrder::Unknown);
            for date in &days {
                assert_eq!(date.agrees(date), DateAgreement::Contains, "{sentence}: {date:?}");
            }
            for (at, quantity) in found.iter().enumerate() {
                read += 1;
                assert_eq!(quantity.agrees(quantity), Agreement::Agrees, "{sentence}: {quantity:?}");
                // The first digit changed: the same place of the changed sentence must not agree.
                let number = quantity.number_span.of(sentence);
                let first = number.chars().next().filter(char::is_ascii_digit);
                let Some(digit) = first.filter(|_| quantity.kind != QuantityKind::Ratio) else { continue };
                let other = if digit == '9' { '3' } else { char::from(digit as u8 + 1) };
                let mut changed = sentence.to_owned();
                changed.replace_range(quantity.number_span.start..=quantity.number_span.start, &other.to_string());
                let again = quantities(&changed, NumberLocale::Any);
                let Some(mutant) = again.get(at).filter(|mutant| mutant.span.start == quantity.span.start) else {
                    missed += 1;
                    continue;
                };
                changed_read += 1;
                let agreement = mutant.agrees(quantity);
                let bounded = quantity.hedge != Hedge::Exact || quantity.low < quantity.high;
                assert!(bounded || agreement != Agreement::Agrees, "{changed}: {mutant:?} agrees with {quantity:?}");
            }
        }
    }
    assert!(read > 20_000, "only {read} quantities");
    assert!(missed * 100 < changed_read, "{missed} of {changed_read} changed numbers are read as something else");
}
