"""Turn the checkpoint into what ships: an ONNX file with fused attention and int8 weights, its tokenizer, settings and digests.

Matrix products are quantized dynamically, weights per channel in 7 bits (so that no 16-bit sum overflows on processors without
VNNI). Word vectors are stored as int8 with one scale a word, and turned back to float where they are looked up.
"""

import argparse
import hashlib
import json
import os
import shutil
import tempfile

import numpy
import onnx
import torch
from onnx import helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic
from onnxruntime.transformers import optimizer
from onnxruntime.transformers.fusion_options import FusionOptions

from model import CLASSES, CrossEncoder

INPUTS = ["input_ids", "attention_mask", "token_type_ids"]


def load(base, checkpoint, which):
    model = CrossEncoder(base)
    state = torch.load(checkpoint, map_location="cpu")
    model.load_state_dict(state[which], strict=False)
    return model.eval(), state["step"]


def to_onnx(model, path, output="logits", output_axes=None):
    ids = torch.tensor([[101, 2054, 2003, 102, 2023, 102], [101, 2054, 102, 2023, 102, 0]])
    mask = torch.tensor([[1] * 6, [1] * 5 + [0]])
    types = torch.tensor([[0, 0, 0, 0, 1, 1], [0, 0, 0, 1, 1, 0]])
    axes = {name: {0: "batch", 1: "tokens"} for name in INPUTS} | {output: output_axes or {0: "batch"}}
    torch.onnx.export(model, (ids, mask, types), path, input_names=INPUTS, output_names=[output], dynamic_axes=axes,
                      opset_version=17, dynamo=False)


def pack_words(path):
    """Store every large table that is looked up as int8 rows with a scale each."""
    model = onnx.load(path)
    graph = model.graph
    tables = {t.name: t for t in graph.initializer}
    for node in [n for n in graph.node if n.op_type in ("Gather", "EmbedLayerNormalization")]:
        if node.op_type != "Gather" or node.input[0] not in tables:
            continue
        table = numpy_helper.to_array(tables[node.input[0]])
        if table.ndim != 2 or table.size < 1_000_000:
            continue
        scale = (numpy.abs(table).max(axis=1, keepdims=True) / 127).astype(numpy.float32)
        packed = numpy.round(table / numpy.maximum(scale, 1e-12)).astype(numpy.int8)
        name = node.input[0]
        graph.initializer.remove(tables[name])
        graph.initializer.extend([numpy_helper.from_array(packed, name + "_rows"), numpy_helper.from_array(scale, name + "_scale")])
        indices, out = node.input[1], node.output[0]
        at = list(graph.node).index(node)
        graph.node.remove(node)
        for offset, new in enumerate([
            helper.make_node("Gather", [name + "_rows", indices], [out + "_int8"], axis=0),
            helper.make_node("Cast", [out + "_int8"], [out + "_float"], to=onnx.TensorProto.FLOAT),
            helper.make_node("Gather", [name + "_scale", indices], [out + "_scales"], axis=0),
            helper.make_node("Mul", [out + "_float", out + "_scales"], [out]),
        ]):
            graph.node.insert(at + offset, new)
    onnx.save(model, path)


def quantize(source, target, reduce_range):
    options = FusionOptions("bert")
    options.enable_embed_layer_norm = False
    fused = optimizer.optimize_model(source, "bert", num_heads=12, hidden_size=384, optimization_options=options)
    with tempfile.TemporaryDirectory() as folder:
        middle = os.path.join(folder, "fused.onnx")
        fused.save_model_to_file(middle)
        quantize_dynamic(middle, target, op_types_to_quantize=["MatMul", "Attention", "Gemm"], per_channel=True,
                         reduce_range=reduce_range, weight_type=QuantType.QInt8,
                         extra_options={"DefaultTensorType": onnx.TensorProto.FLOAT})
    pack_words(target)


def digest(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write_digests(folder):
    """Of all files in the folder but the card, by name."""
    names = [os.path.relpath(os.path.join(at, name), folder) for at, _, files in os.walk(folder) for name in files]
    with open(os.path.join(folder, "SHA256SUMS"), "w", encoding="utf-8") as file:
        for name in sorted(set(names) - {"README.md", "SHA256SUMS"}):
            file.write(f"{digest(os.path.join(folder, name))}  {name}\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base", required=True)
    parser.add_argument("--checkpoint", required=True)
    parser.add_argument("--which", default="model", choices=["average", "model"])
    parser.add_argument("--out", required=True)
    parser.add_argument("--name", default="evidex-nli-2")
    parser.add_argument("--full-range", action="store_true")
    args = parser.parse_args()
    os.makedirs(args.out, exist_ok=True)
    model, step = load(args.base, args.checkpoint, args.which)
    plain = os.path.join(os.path.dirname(args.checkpoint), "fp32.onnx")
    to_onnx(model, plain)
    target = os.path.join(args.out, "model.onnx")
    quantize(plain, target, not args.full_range)
    shutil.copyfile(os.path.join(args.base, "tokenizer.json"), os.path.join(args.out, "tokenizer.json"))
    settings = {
        "_name_or_path": args.name,
        "architectures": ["BertForSequenceClassification"],
        "model_type": "bert",
        "hidden_size": 384,
        "num_hidden_layers": 6,
        "num_attention_heads": 12,
        "max_position_embeddings": 512,
        "type_vocab_size": 2,
        "vocab_size": 30522,
        "id2label": {str(i): name for i, name in enumerate(CLASSES)},
        "label2id": {name: i for i, name in enumerate(CLASSES)},
    }
    with open(os.path.join(args.out, "config.json"), "w", encoding="utf-8") as file:
        json.dump(settings, file, indent=2)
        file.write("\n")
    write_digests(args.out)
    print(f"step {step}: {os.path.getsize(target)} bytes")


if __name__ == "__main__":
    main()
