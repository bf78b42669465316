//! From a model's name to where and how it is asked.

use serde::{Deserialize, Serialize};

use super::JudgeError;

/// The language that an endpoint speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WireFormat {
    /// Chat completions as OpenAI, vLLM, llama.cpp's server, Ollama and LM Studio answer them.
    OpenAi,
    /// Anthropic's messages.
    Anthropic,
}

/// Where the providers are. The defaults are the public ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaseUrls {
    /// For `openai:` models.
    pub openai: String,
    /// For `anthropic:` models.
    pub anthropic: String,
    /// For `ollama:` models: the server's root, without `/v1`.
    pub ollama: String,
    /// An OpenAI-compatible endpoint of the caller's own, for names without a provider; with `/v1`, if it has one.
    pub own: Option<String>,
}

impl Default for BaseUrls {
    fn default() -> Self {
        Self {
            openai: "https://api.openai.com/v1".to_owned(),
            anthropic: "https://api.anthropic.com/v1".to_owned(),
            ollama: "http://localhost:11434".to_owned(),
            own: None,
        }
    }
}

/// A model and where it is asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelAddress {
    /// `openai`, `anthropic`, `ollama` or `own`.
    pub provider: String,
    /// The name that the server knows.
    pub model: String,
    /// How it is asked.
    pub wire: WireFormat,
    /// Base of its addresses, without a final slash.
    pub base_url: String,
}

impl ModelAddress {
    /// Reads `provider:model`, or a model whose name tells its provider; with an endpoint of the caller's own, any
    /// other name is asked there.
    ///
    /// ```
    /// use evidex::judge::{BaseUrls, ModelAddress};
    /// let bases = BaseUrls::default();
    /// assert_eq!(ModelAddress::parse("gpt-4o-mini", &bases)?.provider, "openai");
    /// assert_eq!(ModelAddress::parse("claude-haiku-4-5", &bases)?.provider, "anthropic");
    /// assert_eq!(ModelAddress::parse("ollama:llama3", &bases)?.base_url, "http://localhost:11434/v1");
    /// assert!(ModelAddress::parse("mistral-7b", &bases).is_err());
    /// # Ok::<(), evidex::judge::JudgeError>(())
    /// ```
    ///
    /// # Errors
    /// [`JudgeError::Model`] for a name that tells no provider, or a base that is no http address.
    pub fn parse(name: &str, bases: &BaseUrls) -> Result<Self, JudgeError> {
        let wrong = |reason: &str| JudgeError::Model { name: name.to_owned(), reason: reason.to_owned() };
        let trimmed = name.trim();
        let (provider, model) = match trimmed.split_once(':') {
            Some((provider @ ("openai" | "anthropic" | "ollama" | "own"), model)) => (provider, model),
            _ if bases.own.is_some() => ("own", trimmed),
            _ if is_openai(trimmed) => ("openai", trimmed),
            _ if trimmed.starts_with("claude") => ("anthropic", trimmed),
            _ => return Err(wrong("its name does not tell the provider")),
        };
        if model.trim().is_empty() {
            return Err(wrong("the name is empty"));
        }
        let (wire, base) = match provider {
            "anthropic" => (WireFormat::Anthropic, bases.anthropic.clone()),
            "ollama" => (WireFormat::OpenAi, format!("{}/v1", without_version(&bases.ollama))),
            "own" => (WireFormat::OpenAi, bases.own.clone().ok_or_else(|| wrong("no endpoint of your own is given"))?),
            _ => (WireFormat::OpenAi, bases.openai.clone()),
        };
        let base_url = base.trim().trim_end_matches('/').to_owned();
        if !(base_url.starts_with("https://") || base_url.starts_with("http://")) {
            return Err(wrong("its endpoint is no http or https address"));
        }
        if base_url
            .split("://")
            .nth(1)
            .is_some_and(|rest| rest.split('/').next().is_some_and(|host| host.contains('@')))
        {
            return Err(wrong("its endpoint holds a user name or password; give a key instead"));
        }
        Ok(Self { provider: provider.to_owned(), model: model.trim().to_owned(), wire, base_url })
    }

    /// `provider:model`.
    pub fn name(&self) -> String {
        format!("{}:{}", self.provider, self.model)
    }

    /// Whether the provider answers nobody without a key.
    pub(super) fn needs_key(&self) -> bool {
        let public = BaseUrls::default();
        matches!(self.provider.as_str(), "openai" | "anthropic")
            && (self.base_url == public.openai || self.base_url == public.anthropic)
    }

    /// Whether a key may travel there: encrypted, or not leaving the machine.
    pub(super) fn may_carry_key(&self) -> bool {
        self.base_url.starts_with("https://") || self.is_local()
    }

    /// Whether it is asked on this machine.
    pub fn is_local(&self) -> bool {
        let Some((_, rest)) = self.base_url.split_once("://") else { return false };
        let host = rest.split('/').next().unwrap_or_default();
        let bare = match host.strip_prefix('[') {
            Some(six) => six.split(']').next().unwrap_or_default(),
            None => host.split(':').next().unwrap_or_default(),
        };
        bare == "localhost" || bare.parse::<std::net::IpAddr>().is_ok_and(|ip| ip.is_loopback())
    }
}

fn is_openai(name: &str) -> bool {
    let reasoning = name.strip_prefix('o').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    reasoning || ["gpt-", "chatgpt-", "text-"].iter().any(|start| name.starts_with(start))
}

fn without_version(base: &str) -> &str {
    let base = base.trim().trim_end_matches('/');
    base.strip_suffix("/v1").unwrap_or(base)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_find_their_provider_and_unknown_ones_are_errors_not_guesses() {
        let bases = BaseUrls::default();
        for (name, provider) in [
            ("o3-mini", "openai"),
            ("text-davinci-003", "openai"),
            ("openai:anything", "openai"),
            ("anthropic:x", "anthropic"),
            ("ollama:llama3:8b", "ollama"),
        ] {
            assert_eq!(ModelAddress::parse(name, &bases).unwrap().provider, provider, "{name}");
        }
        assert_eq!(ModelAddress::parse("ollama:llama3:8b", &bases).unwrap().model, "llama3:8b");
        for name in ["", "llama", "own:x", "openai:"] {
            assert!(ModelAddress::parse(name, &bases).is_err(), "{name}");
        }
    }

    #[test]
    fn an_endpoint_of_ones_own_takes_every_other_name() {
        let bases = BaseUrls { own: Some("http://127.0.0.1:8081/v1/".to_owned()), ..BaseUrls::default() };
        let address = ModelAddress::parse("gpt-4o", &bases).unwrap();
        assert_eq!((address.provider.as_str(), address.base_url.as_str()), ("own", "http://127.0.0.1:8081/v1"));
        assert!(!address.needs_key() && address.may_carry_key());
    }

    #[test]
    fn a_key_travels_encrypted_or_on_this_machine_only() {
        let at = |base: &str| {
            let bases = BaseUrls { own: Some(base.to_owned()), ..BaseUrls::default() };
            ModelAddress::parse("m", &bases).unwrap().may_carry_key()
        };
        assert!(at("https://example.org/v1") && at("http://[::1]:80/v1") && at("http://localhost:1"));
        assert!(!at("http://example.org/v1") && !at("http://127.0.0.1.example.org/v1"));
        let bases = BaseUrls { own: Some("http://user:word@host/v1".to_owned()), ..BaseUrls::default() };
        assert!(ModelAddress::parse("m", &bases).is_err());
    }
}
