//! Texts and vectors that look like what people index, the same in every run.

use evidex::corpus::Document;

/// Numbers that look random, the same every time (Knuth's MMIX constants, high bits).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    pub fn below(&mut self, bound: usize) -> usize {
        self.next() as usize % bound.max(1)
    }

    /// From 0 to 1.
    pub fn unit(&mut self) -> f32 {
        (self.next() as f32) / (1u64 << 31) as f32
    }

    /// About normal: the sum of four.
    fn normal(&mut self) -> f32 {
        (0..4).map(|_| self.unit() - 0.5).sum::<f32>()
    }
}

/// Words of a made-up language; the frequency of the n-th falls with n, as Zipf says.
fn word(random: &mut Random) -> String {
    const SYLLABLES: [&str; 16] =
        ["ba", "ri", "to", "ne", "lu", "ska", "mi", "dor", "ve", "pa", "gol", "tan", "ke", "sur", "ji", "om"];
    const WORDS: f32 = 60_000.0;
    let rank = WORDS.powf(random.unit()) as usize;
    let mut word = String::new();
    let mut rest = rank;
    loop {
        word.push_str(SYLLABLES[rest % 16]);
        rest /= 16;
        if rest == 0 {
            return word;
        }
    }
}

/// The text of the n-th document: one chunk of about 30 words with a number and a code.
pub fn text(number: usize) -> String {
    let mut random = Random::new(number as u64 + 1);
    let mut text = String::new();
    let count = 20 + random.below(20);
    for at in 0..count {
        if at > 0 {
            text.push(' ');
        }
        text.push_str(&word(&mut random));
    }
    text.push_str(&format!(" weighs {} kg, code K{number}Z.", random.below(100_000)));
    text
}

pub fn document(number: usize) -> Document {
    Document::inline(&format!("d{number}"), text(number))
}

/// Queries of so many words each, taken from documents.
pub fn queries(count: usize, documents: usize, words: usize) -> Vec<String> {
    let mut random = Random::new(7);
    (0..count)
        .map(|_| {
            let text = text(random.below(documents));
            let all: Vec<&str> = text.split(' ').collect();
            (0..words).map(|_| all[random.below(all.len())]).collect::<Vec<_>>().join(" ")
        })
        .collect()
}

/// Unit vectors in clusters that overlap: near enough that neighbours are hard to tell apart.
pub struct Clusters {
    centres: Vec<Vec<f32>>,
    dimension: usize,
}

impl Clusters {
    pub fn new(count: usize, dimension: usize) -> Self {
        let mut random = Random::new(11);
        let centres = (0..count).map(|_| unit((0..dimension).map(|_| random.normal()).collect())).collect();
        Self { centres, dimension }
    }

    /// The n-th vector, the same every time; queries are those of other numbers.
    pub fn vector(&self, number: u64) -> Vec<f32> {
        let mut random = Random::new(number.wrapping_mul(3).wrapping_add(5));
        let centre = &self.centres[random.below(self.centres.len())];
        let spread = 1.1 / (self.dimension as f32).sqrt();
        unit(centre.iter().map(|x| x + spread * 1.73 * random.normal()).collect())
    }
}

fn unit(mut vector: Vec<f32>) -> Vec<f32> {
    let norm = vector.iter().map(|x| x * x).sum::<f32>().sqrt().max(f32::MIN_POSITIVE);
    vector.iter_mut().for_each(|x| *x /= norm);
    vector
}
