//! Where each asset's files can be had from, in the order in which it is tried.

use evidex::onnx::{ALL_MINILM, Asset, EVIDEX_NLI, EVIDEX_STATIC, ONNX_RUNTIME};

/// A Python wheel, as one pinned file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wheel {
    /// The package.
    pub package: &'static str,
    /// Its version.
    pub version: &'static str,
    /// What `pip download` must be told to pick this very file, whatever Python and machine it runs on.
    pub target: WheelTarget,
    /// The file's length.
    pub bytes: u64,
    /// The file's hex SHA-256.
    pub sha256: &'static str,
}

/// Which of a package's wheels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WheelTarget {
    /// `--platform`.
    pub platform: &'static str,
    /// `--implementation`.
    pub implementation: &'static str,
    /// `--abi`.
    pub abi: &'static str,
}

/// The wheel that holds no compiled code.
const ANY: WheelTarget = WheelTarget { platform: "any", implementation: "py", abi: "none" };

/// `--python-version` for all of them.
#[cfg(feature = "fetch")]
pub const PYTHON_VERSION: &str = "3.12";

/// A place to get one file from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// A member of a wheel.
    Wheel {
        /// Which wheel.
        wheel: &'static Wheel,
        /// The folder in it that holds the asset's files.
        folder: &'static str,
    },
    /// Part of this program.
    BuiltIn(&'static [u8]),
}

/// The bytes of a file below `models/`.
macro_rules! own_file {
    ($path:literal) => {
        include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/models/", $path))
    };
}

/// The tokenizer of all models of ours, as they are made from the same one.
const TOKENIZER: &[u8] = own_file!("evidex-nli-2/tokenizer.json");

#[cfg(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"))]
const RUNTIME: Option<(&str, u64, &str)> =
    Some(("manylinux_2_28_x86_64", 17_244_912, "0d640eb9f3782689b55cfa715094474cd5662f2f137be6a6f847a594b6e9705c"));

#[cfg(all(target_os = "linux", target_arch = "aarch64", target_env = "gnu"))]
const RUNTIME: Option<(&str, u64, &str)> =
    Some(("manylinux_2_28_aarch64", 15_172_485, "1a5c5a544b22f90859c88617ecb30e161ee3349fcc73878854f43d77f00558b5"));

#[cfg(all(target_os = "macos", target_arch = "aarch64"))]
const RUNTIME: Option<(&str, u64, &str)> =
    Some(("macosx_14_0_arm64", 17_341_875, "cad1c2b3f455c55678ab2a8caa51fb420c25e6e3cf10f4c23653cdabedc8de78"));

#[cfg(all(target_os = "windows", target_arch = "x86_64"))]
const RUNTIME: Option<(&str, u64, &str)> =
    Some(("win_amd64", 12_596_856, "535b29475ca42b593c45fbb2152fbf1cdf3f287315bf650e6a724a0a1d065cdb"));

#[cfg(not(any(
    all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"), target_env = "gnu"),
    all(target_os = "macos", target_arch = "aarch64"),
    all(target_os = "windows", target_arch = "x86_64"),
)))]
const RUNTIME: Option<(&str, u64, &str)> = None;

static RUNTIME_WHEEL: Wheel = match RUNTIME {
    Some((platform, bytes, sha256)) => Wheel {
        package: "onnxruntime",
        version: evidex::onnx::RUNTIME_VERSION,
        target: WheelTarget { platform, implementation: "cp", abi: "cp312" },
        bytes,
        sha256,
    },
    None => Wheel { package: "onnxruntime", version: evidex::onnx::RUNTIME_VERSION, target: ANY, bytes: 0, sha256: "" },
};

/// Where to get the asset's file `path` from.
pub fn sources_of(asset: &Asset, path: &str) -> Vec<Source> {
    if asset.name == ONNX_RUNTIME.name {
        let folder =
            if path == "LICENSE" || path == "ThirdPartyNotices.txt" { "onnxruntime" } else { "onnxruntime/capi" };
        return if RUNTIME.is_some() { vec![Source::Wheel { wheel: &RUNTIME_WHEEL, folder }] } else { Vec::new() };
    }
    if asset.name == ALL_MINILM.name {
        return match path {
            "model.onnx" => built_in(own_file!("all-MiniLM-L6-v2-int8/model.onnx")),
            "tokenizer.json" => built_in(TOKENIZER),
            "config.json" => built_in(own_file!("all-MiniLM-L6-v2-int8/config.json")),
            "tokenizer_config.json" => built_in(own_file!("all-MiniLM-L6-v2-int8/tokenizer_config.json")),
            "sentence_bert_config.json" => built_in(own_file!("all-MiniLM-L6-v2-int8/sentence_bert_config.json")),
            "config_sentence_transformers.json" => {
                built_in(own_file!("all-MiniLM-L6-v2-int8/config_sentence_transformers.json"))
            }
            "modules.json" => built_in(own_file!("all-MiniLM-L6-v2-int8/modules.json")),
            "1_Pooling/config.json" => built_in(own_file!("all-MiniLM-L6-v2-int8/1_Pooling/config.json")),
            _ => Vec::new(),
        };
    }
    if asset.name == EVIDEX_STATIC.name {
        return match path {
            "model.safetensors" => built_in(own_file!("evidex-static-1/model.safetensors")),
            "tokenizer.json" => built_in(TOKENIZER),
            "config.json" => built_in(own_file!("evidex-static-1/config.json")),
            _ => Vec::new(),
        };
    }
    if asset.name == EVIDEX_NLI.name {
        return match path {
            "model.onnx" => built_in(own_file!("evidex-nli-2/model.onnx")),
            "tokenizer.json" => built_in(TOKENIZER),
            "config.json" => built_in(own_file!("evidex-nli-2/config.json")),
            _ => Vec::new(),
        };
    }
    Vec::new()
}

fn built_in(bytes: &'static [u8]) -> Vec<Source> {
    vec![Source::BuiltIn(bytes)]
}

/// Whether the asset is part of this program, so that it needs no network.
pub fn is_built_in(asset: &Asset) -> bool {
    let built_in = |path| matches!(sources_of(asset, path).as_slice(), [Source::BuiltIn(_), ..]);
    asset.main_file().is_some_and(|file| built_in(file.path))
}

#[cfg(test)]
mod tests {
    use evidex::onnx::ASSETS;
    use sha2::{Digest, Sha256};

    use super::*;

    #[test]
    fn every_file_of_every_asset_has_a_source() {
        for asset in ASSETS {
            for file in asset.files {
                assert!(!sources_of(asset, file.path).is_empty(), "{} {}", asset.name, file.path);
            }
        }
    }
    #[test]
    fn what_is_built_in_is_what_is_pinned() {
        for asset in ASSETS {
            for file in asset.files {
                for source in sources_of(asset, file.path) {
                    if let Source::BuiltIn(bytes) = source {
                        let digest = evidex::onnx::hex(&Sha256::digest(bytes));
                        assert_eq!((bytes.len() as u64, digest.as_str()), (file.bytes, file.sha256), "{}", file.path);
                    }
                }
            }
        }
        assert!([ALL_MINILM, EVIDEX_NLI, EVIDEX_STATIC].iter().all(is_built_in) && !is_built_in(&ONNX_RUNTIME));
    }
}
