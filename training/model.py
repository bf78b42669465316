"""The cross-encoder: MiniLM over `[CLS] context [SEP] claim [SEP]`, the two parts pooled apart.

With u the mean of the context's tokens and v that of the claim's, the head reads [cls, u, v, |u - v|, u * v]: at equal steps this
learns faster than the pooler on [CLS]. Three logits: entailment, neutral, contradiction.
"""

import torch
from transformers import BertModel

CLASSES = ["entailment", "neutral", "contradiction"]


class CrossEncoder(torch.nn.Module):
    def __init__(self, base):
        super().__init__()
        # No dropout: one pass over fresh pairs does not overfit, and random numbers are dear on a CPU.
        self.encoder = BertModel.from_pretrained(base, add_pooling_layer=False, hidden_dropout_prob=0.0,
                                                 attention_probs_dropout_prob=0.0, attn_implementation="eager")
        width = self.encoder.config.hidden_size
        self.hidden = torch.nn.Linear(5 * width, width)
        self.out = torch.nn.Linear(width, len(CLASSES))
        # 11.7 of 22.7 million weights are word vectors: they stay as they are.
        self.encoder.embeddings.word_embeddings.requires_grad_(False)
        self.encoder.embeddings.position_embeddings.requires_grad_(False)

    def forward(self, input_ids, attention_mask, token_type_ids):
        states = self.encoder(input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids).last_hidden_state
        claim = (token_type_ids * attention_mask).unsqueeze(-1).to(states.dtype)
        context = ((1 - token_type_ids) * attention_mask).unsqueeze(-1).to(states.dtype)
        u = (states * context).sum(1) / context.sum(1).clamp(min=1)
        v = (states * claim).sum(1) / claim.sum(1).clamp(min=1)
        features = torch.cat([states[:, 0], u, v, (u - v).abs(), u * v], dim=-1)
        return self.out(torch.nn.functional.gelu(self.hidden(features)))


def loss(logits, labels):
    """Cross-entropy; label 3 ("not entailed") is the summed probability of neutral and contradiction."""
    log = torch.log_softmax(logits.float(), dim=-1)
    binary = torch.logsumexp(log[:, 1:], dim=-1)
    three = log.gather(1, labels.clamp(max=2).unsqueeze(1)).squeeze(1)
    return -torch.where(labels == 3, binary, three).mean()
