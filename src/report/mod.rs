//! The report and its renderers: text and JSON. It computes no score that the verdicts do not hold.
