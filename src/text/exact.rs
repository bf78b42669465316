//! Exact rational numbers and the evaluation of expressions in them. Every step is checked; nothing is executed.

use std::fmt;

use super::arithmetic::ArithmeticError;

/// A rational number in lowest terms; the denominator is positive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exact {
    numerator: i128,
    denominator: i128,
}

const fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    #[expect(clippy::cast_possible_wrap, reason = "callers refuse i128::MIN, so the divisor fits")]
    let divisor = a as i128;
    if divisor == 0 { 1 } else { divisor }
}

/// The largest exponent that is evaluated.
const MOST_POWER: i128 = 64;
/// Decimals shown of a fraction that does not end.
const SHOWN_DECIMALS: usize = 12;

impl Exact {
    /// Zero.
    pub const ZERO: Self = Self { numerator: 0, denominator: 1 };

    /// The quotient, in lowest terms.
    ///
    /// # Errors
    /// A zero denominator, and parts that do not fit.
    pub fn new(numerator: i128, denominator: i128) -> Result<Self, ArithmeticError> {
        if denominator == 0 {
            return Err(ArithmeticError::DivisionByZero);
        }
        if numerator == i128::MIN || denominator == i128::MIN {
            return Err(ArithmeticError::TooLarge);
        }
        let divisor = gcd(numerator, denominator) * denominator.signum();
        Ok(Self { numerator: numerator / divisor, denominator: denominator / divisor })
    }

    /// The number that these ASCII digits stand for, the last `places` of them decimals.
    pub(super) fn from_digits(digits: &str, places: u32) -> Result<Self, ArithmeticError> {
        let numerator: i128 = digits.parse().map_err(|_| ArithmeticError::TooLarge)?;
        Self::new(numerator, 10_i128.checked_pow(places).ok_or(ArithmeticError::TooLarge)?)
    }

    /// The nearest floating-point number.
    #[expect(clippy::cast_precision_loss, reason = "the nearest number is what is asked for")]
    pub fn to_f64(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }

    /// Whether it is a whole number.
    pub const fn is_whole(self) -> bool {
        self.denominator == 1
    }

    pub(super) fn add(self, other: Self) -> Result<Self, ArithmeticError> {
        let cross = |a: i128, b: i128| a.checked_mul(b).ok_or(ArithmeticError::TooLarge);
        let numerator = cross(self.numerator, other.denominator)?
            .checked_add(cross(other.numerator, self.denominator)?)
            .ok_or(ArithmeticError::TooLarge)?;
        Self::new(numerator, cross(self.denominator, other.denominator)?)
    }

    pub(super) fn negate(self) -> Self {
        Self { numerator: -self.numerator, ..self }
    }

    pub(super) fn subtract(self, other: Self) -> Result<Self, ArithmeticError> {
        self.add(other.negate())
    }

    pub(super) fn multiply(self, other: Self) -> Result<Self, ArithmeticError> {
        // Reduced crosswise first, so that factors that cancel do not overflow.
        let (one, two) = (gcd(self.numerator, other.denominator), gcd(other.numerator, self.denominator));
        let product = |a: i128, b: i128| a.checked_mul(b).ok_or(ArithmeticError::TooLarge);
        Self::new(
            product(self.numerator / one, other.numerator / two)?,
            product(self.denominator / two, other.denominator / one)?,
        )
    }

    pub(super) fn divide(self, other: Self) -> Result<Self, ArithmeticError> {
        self.multiply(Self::new(other.denominator, other.numerator)?)
    }

    pub(super) fn power(self, exponent: Self) -> Result<Self, ArithmeticError> {
        if !exponent.is_whole() {
            return Err(ArithmeticError::Unsupported);
        }
        if exponent.numerator.abs() > MOST_POWER {
            return Err(ArithmeticError::TooLarge);
        }
        let mut result = Self { numerator: 1, denominator: 1 };
        for _ in 0..exponent.numerator.abs() {
            result = result.multiply(self)?;
        }
        if exponent.numerator < 0 { Self { numerator: 1, denominator: 1 }.divide(result) } else { Ok(result) }
    }

    /// The root, where it is rational.
    pub(super) fn root(self) -> Result<Self, ArithmeticError> {
        let root = |value: i128| {
            let value = u128::try_from(value).map_err(|_| ArithmeticError::Unsupported)?;
            let root = value.isqrt();
            if root * root == value {
                i128::try_from(root).map_err(|_| ArithmeticError::TooLarge)
            } else {
                Err(ArithmeticError::Unsupported)
            }
        };
        Self::new(root(self.numerator)?, root(self.denominator)?)
    }

    pub(super) fn abs(self) -> Self {
        Self { numerator: self.numerator.abs(), ..self }
    }
}

impl fmt::Display for Exact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.numerator < 0 {
            f.write_str("-")?;
        }
        let (numerator, denominator) = (self.numerator.unsigned_abs(), self.denominator.unsigned_abs());
        write!(f, "{}", numerator / denominator)?;
        let mut rest = numerator % denominator;
        if rest == 0 {
            return Ok(());
        }
        let mut decimals = String::new();
        while rest != 0 && decimals.len() < SHOWN_DECIMALS {
            let Some(next) = rest.checked_mul(10) else { break };
            decimals.push(char::from_digit(u32::try_from(next / denominator).unwrap_or(0), 10).unwrap_or('0'));
            rest = next % denominator;
        }
        write!(f, ".{decimals}")?;
        if rest != 0 { f.write_str("…") } else { Ok(()) }
    }
}

/// A piece of an expression.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Item {
    Number(Exact),
    Plus,
    Minus,
    Times,
    Over,
    Power,
    Percent,
    Squared,
    Cubed,
    Root,
    Open,
    Close,
}

impl Item {
    /// Whether it makes numbers an expression.
    pub(super) const fn is_operator(self) -> bool {
        !matches!(self, Self::Number(_) | Self::Open | Self::Close | Self::Percent)
    }
}

/// Brackets within brackets that are followed.
const DEEPEST: u32 = 32;
/// Items of an expression that are evaluated.
const LONGEST: usize = 400;

/// The value of an expression.
pub(super) fn evaluate(items: &[Item]) -> Result<Exact, ArithmeticError> {
    if items.len() > LONGEST {
        return Err(ArithmeticError::TooLong);
    }
    let mut parser = Parser { items, at: 0 };
    let value = parser.sum(0)?;
    if parser.at == items.len() { Ok(value) } else { Err(ArithmeticError::Malformed) }
}

struct Parser<'a> {
    items: &'a [Item],
    at: usize,
}

impl Parser<'_> {
    fn next_if(&mut self, accept: impl Fn(Item) -> bool) -> Option<Item> {
        let item = self.items.get(self.at).copied().filter(|&item| accept(item))?;
        self.at += 1;
        Some(item)
    }

    fn sum(&mut self, depth: u32) -> Result<Exact, ArithmeticError> {
        if depth > DEEPEST {
            return Err(ArithmeticError::TooLong);
        }
        let mut value = self.product(depth)?;
        while let Some(item) = self.next_if(|item| matches!(item, Item::Plus | Item::Minus)) {
            let right = self.product(depth)?;
            value = if item == Item::Plus { value.add(right)? } else { value.subtract(right)? };
        }
        Ok(value)
    }

    fn product(&mut self, depth: u32) -> Result<Exact, ArithmeticError> {
        let mut value = self.signed(depth)?;
        while let Some(item) = self.next_if(|item| matches!(item, Item::Times | Item::Over)) {
            let right = self.signed(depth)?;
            value = if item == Item::Times { value.multiply(right)? } else { value.divide(right)? };
        }
        Ok(value)
    }

    fn signed(&mut self, depth: u32) -> Result<Exact, ArithmeticError> {
        let mut negative = false;
        let mut signs = 0;
        while let Some(item) = self.next_if(|item| matches!(item, Item::Minus | Item::Plus)) {
            negative ^= item == Item::Minus;
            signs += 1;
            if signs > 2 {
                return Err(ArithmeticError::Malformed);
            }
        }
        let value = self.power(depth)?;
        Ok(if negative { value.negate() } else { value })
    }

    fn power(&mut self, depth: u32) -> Result<Exact, ArithmeticError> {
        let base = self.primary(depth)?;
        if self.next_if(|item| item == Item::Power).is_some() {
            if depth > DEEPEST {
                return Err(ArithmeticError::TooLong);
            }
            let exponent = self.signed(depth + 1)?;
            return base.power(exponent);
        }
        Ok(base)
    }

    fn primary(&mut self, depth: u32) -> Result<Exact, ArithmeticError> {
        let item = self.items.get(self.at).copied().ok_or(ArithmeticError::Malformed)?;
        self.at += 1;
        let mut value = match item {
            Item::Number(value) => value,
            Item::Root if depth < DEEPEST => self.primary(depth + 1)?.root()?,
            Item::Open => {
                let value = self.sum(depth + 1)?;
                self.next_if(|item| item == Item::Close).ok_or(ArithmeticError::Malformed)?;
                value
            }
            _ => return Err(ArithmeticError::Malformed),
        };
        let exponent = |n| Exact { numerator: n, denominator: 1 };
        while let Some(item) = self.next_if(|item| matches!(item, Item::Percent | Item::Squared | Item::Cubed)) {
            value = match item {
                Item::Percent => value.divide(exponent(100))?,
                Item::Squared => value.power(exponent(2))?,
                _ => value.power(exponent(3))?,
            };
        }
        Ok(value)
    }
}
