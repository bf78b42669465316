"""Read a shipped model back into weights to start from: what `export.py` writes, turned back to float."""

import numpy
import onnx
import torch
from onnx import numpy_helper


def shipped(path, layers=6):
    """The weights of `CrossEncoder` by name, but for the word vectors, which are the base's own."""
    tables = {t.name: numpy_helper.to_array(t) for t in onnx.load(path).graph.initializer}
    out = {name: torch.tensor(table) for name, table in tables.items() if name.endswith((".weight", ".bias")) and table.dtype == numpy.float32}

    def matrix(name):
        """A matrix product's weights as `torch.nn.Linear` holds them: one row an output."""
        return torch.tensor((tables[name + "_quantized"].astype(numpy.float32) - tables[name + "_zero_point"]) * tables[name + "_scale"]).T.contiguous()

    products = [name.removesuffix("_quantized") for name in tables if name.startswith("onnx::MatMul") and name.endswith("_quantized")]
    for layer in range(layers):
        prefix = f"encoder.encoder.layer.{layer}."
        weights, biases = matrix(f"Attention_{layer}_qkv_weight"), torch.tensor(tables[f"Attention_{layer}_qkv_bias"])
        for part, weight, bias in zip(("query", "key", "value"), weights.chunk(3), biases.chunk(3)):
            out[f"{prefix}attention.self.{part}.weight"], out[f"{prefix}attention.self.{part}.bias"] = weight.clone(), bias.clone()
        for part, name in zip(("attention.output.dense", "intermediate.dense", "output.dense"), products[3 * layer:3 * layer + 3]):
            out[f"{prefix}{part}.weight"] = matrix(name)
    for part in ("hidden", "out"):
        out[f"{part}.weight"] = matrix(f"{part}.weight_Transposed")
    return out
