"""Write the model card: the text of `card.md` with the tables of what `evaluate.py` printed."""

import json
import sys


def rows(path):
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def figure(value):
    return "" if value is None else f"{value:.3f}"


def main():
    card, dev, synthetic, claim_only, int8, out = sys.argv[1:]
    table = ["| set | rows | balanced | best | AUROC | three-way | overlap |", "|---|---:|---:|---:|---:|---:|---:|"]
    for row in rows(dev):
        cells = [row["balanced_accuracy"], row["best_threshold"], row["auroc"], row.get("accuracy3"), row["overlap_auroc"]]
        table.append(f"| {row['set']} | {row['rows']} | " + " | ".join(map(figure, cells)) + " |")
    whole, alone = rows(synthetic)[0], rows(claim_only)[0]
    text = (f"balanced accuracy {figure(whole['balanced_accuracy'])}, AUROC of supported {figure(whole['auroc'])}. Artefacts there: with the claim alone "
            f"the model's AUROC is {figure(alone['auroc'])}, the overlap's {figure(whole['overlap_auroc'])} (0.5 is chance).")
    quantized = rows(int8)
    pooled = quantized[-1]
    quantization = (f"{pooled['rows']} rows pooled: accuracy {figure(pooled['int8'])} in int8 and {figure(pooled['fp32'])} in fp32 (McNemar p = {pooled['p']}); "
                    f"smallest p of one set {min(row['p'] for row in quantized[:-1])}.")
    with open(card, encoding="utf-8") as source:
        page = source.read().replace("TABLE", "\n".join(table)).replace("SYN", text).replace("INT8", quantization)
    with open(out, "w", encoding="utf-8") as target:
        target.write(page)


if __name__ == "__main__":
    main()
