"""Export all-MiniLM-L6-v2, the base, as an embedder of our own: ONNX with fused attention and int8 weights per channel.

In: the base's safetensors. Out: `model.onnx` that gives the states of the last layer, as the ready-made file does; pooling and limits
stay in the model directory's own settings, which are copied. The fp32 file is what it is measured against.
"""

import argparse
import os
import shutil

import torch
from transformers import BertModel

from export import quantize, to_onnx, write_digests

SETTINGS = ["tokenizer.json", "config.json", "tokenizer_config.json", "sentence_bert_config.json", "config_sentence_transformers.json",
            "modules.json", "1_Pooling/config.json"]


class States(torch.nn.Module):
    def __init__(self, base):
        super().__init__()
        self.encoder = BertModel.from_pretrained(base, add_pooling_layer=False, attn_implementation="eager")

    def forward(self, input_ids, attention_mask, token_type_ids):
        return self.encoder(input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids).last_hidden_state


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base", required=True)
    parser.add_argument("--fp32", required=True, help="where the unquantized file goes")
    parser.add_argument("--out", required=True)
    parser.add_argument("--full-range", action="store_true", help="8 bits a weight; 7 without, so that no sum overflows before VNNI")
    args = parser.parse_args()
    os.makedirs(args.out, exist_ok=True)
    to_onnx(States(args.base).eval(), args.fp32, "last_hidden_state", {0: "batch", 1: "tokens"})
    target = os.path.join(args.out, "model.onnx")
    quantize(args.fp32, target, not args.full_range)
    for name in SETTINGS:
        os.makedirs(os.path.dirname(os.path.join(args.out, name)), exist_ok=True)
        shutil.copyfile(os.path.join(args.base, name), os.path.join(args.out, name))
    write_digests(args.out)
    print(f"{target}: {os.path.getsize(target)} bytes")


if __name__ == "__main__":
    main()
