//! Model directories, tokenizers and ONNX sessions: one single-threaded session per core.
