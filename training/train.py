"""Train the cross-encoder. Resumes from its last checkpoint; a run may be cut at any time.

A step is `--micro` batches of `--budget` tokens each. AdamW with warm-up and linear decay to `--rate-end` at `--steps`; the shipped
weights are an exponential average over the last steps. On a CPU, in bfloat16: 5,000 tokens a second and
quiet core (Zen 4).
"""

import argparse
import json
import os
import time

import torch

from data import Batches
from model import CrossEncoder, loss
from weights import shipped


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base", required=True)
    parser.add_argument("--pairs", required=True)
    parser.add_argument("--out", required=True, help="folder for the checkpoint and the log")
    parser.add_argument("--start", default="", help="weights to start from: an earlier stage's checkpoint.pt or a shipped model.onnx")
    parser.add_argument("--steps", type=int, default=3000)
    parser.add_argument("--budget", type=int, default=1024)
    parser.add_argument("--micro", type=int, default=4)
    parser.add_argument("--rate", type=float, default=2e-4)
    parser.add_argument("--rate-end", type=float, default=0.0, help="share of the rate that is left at the last step")
    parser.add_argument("--warmup", type=int, default=150)
    parser.add_argument("--average", type=float, default=0.995)
    parser.add_argument("--layer-decay", type=float, default=0.9)
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--checkpoint-every", type=int, default=100)
    parser.add_argument("--seed", type=int, default=7)
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    if args.threads:
        torch.set_num_threads(args.threads)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    os.makedirs(args.out, exist_ok=True)
    checkpoint = os.path.join(args.out, "checkpoint.pt")

    model = CrossEncoder(args.base).to(device).train()
    if args.start:
        weights = shipped(args.start) if args.start.endswith(".onnx") else torch.load(args.start, map_location=device)["model"]
        model.load_state_dict(weights, strict=False)
    layers = model.encoder.config.num_hidden_layers
    groups = []
    for name, weight in model.named_parameters():
        if not weight.requires_grad:
            continue
        depth = layers + 1
        if name.startswith("encoder.embeddings"):
            depth = 0
        elif name.startswith("encoder.encoder.layer."):
            depth = int(name.split(".")[3]) + 1
        scale = args.layer_decay ** (layers + 1 - depth)
        groups.append({"params": [weight], "scale": scale, "weight_decay": 0.01 if weight.dim() > 1 else 0.0})
    optimizer = torch.optim.AdamW(groups, lr=args.rate, betas=(0.9, 0.98), fused=True)
    trained = [(name, weight) for name, weight in model.named_parameters() if weight.requires_grad]
    average = {name: weight.detach().clone() for name, weight in trained}
    step = 0
    if os.path.exists(checkpoint):
        state = torch.load(checkpoint, map_location=device)
        model.load_state_dict(state["model"], strict=False)
        optimizer.load_state_dict(state["optimizer"])
        average, step = state["average"], state["step"]

    batches = Batches(args.pairs, args.budget, args.seed)
    epoch, order = -1, []
    log = open(os.path.join(args.out, "log.jsonl"), "a", encoding="utf-8")
    since, running, seen = time.time(), 0.0, 0
    while step < args.steps:
        progress = step / args.steps
        rate = args.rate * min(1.0, (step + 1) / args.warmup) * (1 - progress * (1 - args.rate_end))
        for group in optimizer.param_groups:
            group["lr"] = rate * group["scale"]
        total = 0.0
        for part in range(args.micro):
            number = step * args.micro + part
            # The order of every epoch follows from the seed, so a resumed run sees what it would have seen.
            while True:
                if epoch >= 0 and number - first < len(order):
                    break
                first = 0 if epoch < 0 else first + len(order)
                epoch += 1
                order = batches.epoch(epoch)
            ids, mask, types, labels = (torch.from_numpy(a).to(device) for a in batches.arrays(order[number - first]))
            with torch.autocast(device, torch.bfloat16):
                logits = model(ids, mask, types)
            value = loss(logits, labels) / args.micro
            value.backward()
            total += value.item()
            seen += int(mask.sum())
        torch.nn.utils.clip_grad_norm_([w for _, w in trained], 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        step += 1
        with torch.no_grad():
            keep = min(args.average, step / (step + 10))
            torch._foreach_lerp_([average[name] for name, _ in trained], [w for _, w in trained], 1 - keep)
        running += total
        if step % 20 == 0:
            elapsed = time.time() - since
            line = {"step": step, "loss": round(running / 20, 4), "rate": rate, "tokens_per_second": round(seen / elapsed), "epoch": epoch}
            log.write(json.dumps(line) + "\n")
            log.flush()
            since, running, seen = time.time(), 0.0, 0
        if step % args.checkpoint_every == 0 or step == args.steps:
            state = {"model": dict(trained), "optimizer": optimizer.state_dict(), "average": average, "step": step, "args": vars(args)}
            torch.save(state, checkpoint + ".new")
            os.replace(checkpoint + ".new", checkpoint)


if __name__ == "__main__":
    main()
