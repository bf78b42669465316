//! Answers and their claims.
use super::*;
