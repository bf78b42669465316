//! The bytes of an evidex index.
