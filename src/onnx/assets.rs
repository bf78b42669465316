//! What evidex can use beyond its own code, as a table: each asset's files with their sizes and SHA-256.
//!
//! A file that differs from its line here is damaged, wherever it came from.

/// What an asset is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AssetKind {
    /// A shared library of ONNX Runtime.
    Runtime,
    /// A model that turns a text into a vector.
    Embedder,
    /// A model that says whether one text follows from another.
    Nli,
}

impl AssetKind {
    /// One word for people.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Runtime => "runtime",
            Self::Embedder => "embedder",
            Self::Nli => "nli",
        }
    }
}

/// One file of an asset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AssetFile {
    /// Its place in the asset's folder, with `/` between the parts.
    pub path: &'static str,
    /// Its length.
    pub bytes: u64,
    /// Its SHA-256 in lower-case hexadecimal.
    pub sha256: &'static str,
}

/// Something with a name that evidex can use and that is no part of its code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Asset {
    /// The name on the command line.
    pub name: &'static str,
    /// The folder in a store that holds its files; names the version, so that two versions live side by side.
    pub folder: &'static str,
    /// What it is for.
    pub kind: AssetKind,
    /// Its version.
    pub version: &'static str,
    /// SPDX expression of its licence.
    pub license: &'static str,
    /// What it is, for people.
    pub about: &'static str,
    /// Its files, the main one first. Empty when this platform has none.
    pub files: &'static [AssetFile],
}

impl Asset {
    /// All its files' length.
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.bytes).sum()
    }

    /// The file that the asset is about: the library, the model.
    pub fn main_file(&self) -> Option<&'static AssetFile> {
        self.files.first()
    }
}

/// The pinned version of ONNX Runtime; any from 1.24 on would do.
pub const RUNTIME_VERSION: &str = "1.24.4";

/// Licence and notices of the runtime, the same in its Linux and macOS wheels.
#[cfg(not(windows))]
const RUNTIME_LICENCES: [AssetFile; 2] = [
    AssetFile {
        path: "LICENSE",
        bytes: 1_073,
        sha256: "2f07c72751aed99790b8a4869cf2311df85a860b22ded05fa22803587a48922c",
    },
    AssetFile {
        path: "ThirdPartyNotices.txt",
        bytes: 325_054,
        sha256: "0e07b95f3a8d6230037707c5c4a2b554d12c4cb67369669ac255635528ffcee2",
    },
];

/// ONNX Runtime for the platform that this was compiled for.
pub const ONNX_RUNTIME: Asset = Asset {
    name: "onnxruntime",
    folder: runtime::FOLDER,
    kind: AssetKind::Runtime,
    version: RUNTIME_VERSION,
    license: "MIT",
    about: "runs the models (ONNX Runtime's shared library)",
    files: runtime::FILES,
};

#[cfg(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"))]
mod runtime {
    use super::{AssetFile, RUNTIME_LICENCES};

    pub const FOLDER: &str = "onnxruntime-1.24.4-linux-x86_64";
    pub const FILES: &[AssetFile] = &[
        AssetFile {
            path: "libonnxruntime.so.1.24.4",
            bytes: 22_159_232,
            sha256: "2d518e11c7767f9fdc4413bdbeb45acf30db504ff76a82fc19d9238a3f9f6c24",
        },
        RUNTIME_LICENCES[0],
        RUNTIME_LICENCES[1],
    ];
}

#[cfg(all(target_os = "linux", target_arch = "aarch64", target_env = "gnu"))]
mod runtime {
    use super::{AssetFile, RUNTIME_LICENCES};

    pub const FOLDER: &str = "onnxruntime-1.24.4-linux-aarch64";
    pub const FILES: &[AssetFile] = &[
        AssetFile {
            path: "libonnxruntime.so.1.24.4",
            bytes: 18_625_376,
            sha256: "f373ae5fd4d878ed17ebea26e5480bd3d0a15e3bd6bc94b878e6c1b73998d22a",
        },
        RUNTIME_LICENCES[0],
        RUNTIME_LICENCES[1],
    ];
}

#[cfg(all(target_os = "macos", target_arch = "aarch64"))]
mod runtime {
    use super::{AssetFile, RUNTIME_LICENCES};

    pub const FOLDER: &str = "onnxruntime-1.24.4-macos-aarch64";
    pub const FILES: &[AssetFile] = &[
        AssetFile {
            path: "libonnxruntime.1.24.4.dylib",
            bytes: 27_708_456,
            sha256: "f958c8c8f50a787f64cd13aa5f07710b97075d9869c6983dc0001d2452100eaa",
        },
        RUNTIME_LICENCES[0],
        RUNTIME_LICENCES[1],
    ];
}

#[cfg(all(target_os = "windows", target_arch = "x86_64"))]
mod runtime {
    use super::AssetFile;

    pub const FOLDER: &str = "onnxruntime-1.24.4-windows-x86_64";
    pub const FILES: &[AssetFile] = &[
        AssetFile {
            path: "onnxruntime.dll",
            bytes: 16_119_840,
            sha256: "87da0279ab54add397fd518f7022efe8b9a89fd968669d0adff9f9f242344b6c",
        },
        AssetFile {
            path: "LICENSE",
            bytes: 1_094,
            sha256: "c250d6278f0b47a6439fb7592b08b58a55eb9f535aa49a1db63211c3f982b674",
        },
        AssetFile {
            path: "ThirdPartyNotices.txt",
            bytes: 331_175,
            sha256: "fb0af774b4d7cffc5b9d046f2aaeade2f37df2f80abf8033c95dfffcc77a8866",
        },
    ];
}

#[cfg(not(any(
    all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"), target_env = "gnu"),
    all(target_os = "macos", target_arch = "aarch64"),
    all(target_os = "windows", target_arch = "x86_64"),
)))]
mod runtime {
    pub const FOLDER: &str = "onnxruntime-1.24.4";
    pub const FILES: &[super::AssetFile] = &[];
}

/// The base's vocabulary and splitting, which all models of ours keep.
const TOKENIZER: AssetFile = AssetFile {
    path: "tokenizer.json",
    bytes: 466_247,
    sha256: "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
};

/// The default embedder, exported in `training/` and shipped in `models/`.
pub const ALL_MINILM: Asset = Asset {
    name: "all-MiniLM-L6-v2",
    folder: "all-MiniLM-L6-v2-int8",
    kind: AssetKind::Embedder,
    version: "2",
    license: "Apache-2.0",
    about: "sentence embeddings, 384 dimensions, English; int8 weights",
    files: &[
        AssetFile {
            path: "model.onnx",
            bytes: 23_531_235,
            sha256: "7e7704f9d151c8ba34da88af8eb4f4f17bbb844c8ef7b37e5c752f905f04cbc6",
        },
        TOKENIZER,
        AssetFile {
            path: "config.json",
            bytes: 612,
            sha256: "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
        },
        AssetFile {
            path: "tokenizer_config.json",
            bytes: 350,
            sha256: "acb92769e8195aabd29b7b2137a9e6d6e25c476a4f15aa4355c233426c61576b",
        },
        AssetFile {
            path: "sentence_bert_config.json",
            bytes: 53,
            sha256: "fc1993fde0a95c24ec6c022539d41cf6e2f7c9721e5415d6fb6897472a9cd4b7",
        },
        AssetFile {
            path: "config_sentence_transformers.json",
            bytes: 116,
            sha256: "061ca9d39661d6c6d6de5ba27f79a1cd5770ea247f8d46412a68a498dc5ac9f3",
        },
        AssetFile {
            path: "modules.json",
            bytes: 349,
            sha256: "84e40c8e006c9b1d6c122e02cba9b02458120b5fb0c87b746c41e0207cf642cf",
        },
        AssetFile {
            path: "1_Pooling/config.json",
            bytes: 190,
            sha256: "4be450dde3b0273bb9787637cfbd28fe04a7ba6ab9d36ac48e92b11e350ffc23",
        },
    ],
};

/// The default NLI model, trained in `training/` and shipped in `models/`.
pub const EVIDEX_NLI: Asset = Asset {
    name: "evidex-nli-2",
    folder: "evidex-nli-2",
    kind: AssetKind::Nli,
    version: "2",
    license: "Apache-2.0",
    about: "natural language inference, 22 million weights, English; int8 weights",
    files: &[
        AssetFile {
            path: "model.onnx",
            bytes: 24_278_174,
            sha256: "86611a9e69d65911d5e5d4b92b54eb3257859010c49da809e33e9034eb8d0f26",
        },
        TOKENIZER,
        AssetFile {
            path: "config.json",
            bytes: 454,
            sha256: "611c6f0c2da7e812a54c2fdc4f7c524161df376224d91d8830b71e51768f40ae",
        },
    ],
};

/// The static embedder's table, distilled in `training/` and shipped in `models/`.
pub const EVIDEX_STATIC: Asset = Asset {
    name: "static",
    folder: "evidex-static-1",
    kind: AssetKind::Embedder,
    version: "1",
    license: "Apache-2.0",
    about: "a vector for each word piece, 256 dimensions, English; needs no runtime",
    files: &[
        AssetFile {
            path: "model.safetensors",
            bytes: 7_935_872,
            sha256: "8669d329a6810ead6b2f6efd6e96a9a1cbbdace27c51a02033282ce725e7b53f",
        },
        TOKENIZER,
        AssetFile {
            path: "config.json",
            bytes: 112,
            sha256: "23c9863767e37674f134f1a15b58443dabb9fec458b0077c49ef0426196c9fd4",
        },
    ],
};

/// Every asset, in the order in which they are listed and pulled.
pub const ASSETS: &[Asset] = &[ONNX_RUNTIME, ALL_MINILM, EVIDEX_STATIC, EVIDEX_NLI];

/// The asset of that name.
pub fn asset_named(name: &str) -> Option<&'static Asset> {
    ASSETS.iter().find(|asset| asset.name == name)
}

#[cfg(test)]
mod tests {
    use std::path::{Component, Path};

    use super::*;

    #[test]
    fn every_line_of_the_table_is_well_formed() {
        for asset in ASSETS {
            assert!(asset_named(asset.name) == Some(asset));
            assert!(asset.folder.contains(asset.version) || asset.kind != AssetKind::Runtime, "{}", asset.folder);
            for file in asset.files {
                assert_eq!(file.sha256.len(), 64, "{}", file.path);
                assert!(file.sha256.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b)), "{}", file.path);
                assert!(file.bytes > 0);
                assert!(Path::new(file.path).components().all(|part| matches!(part, Component::Normal(_))));
            }
        }
    }
}
