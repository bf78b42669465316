#!/usr/bin/env bash
# Measures every labelled set and retrieval set of the shared data and writes benches/results/ and the README's tables.
#
#   benches/results.sh [fit|model|checks|retrieval|table]...     (all but fit where none is named)
#
# fit writes src/verify/fitted.json from the sets whose licence allows to ship what is learnt from them; build anew after
# it, then measure.
#
# EVIDEX names the program (default: `cargo run --release --`), EVIDEX_SHARED the shared data (default: ../shared),
# LIMIT the most rows a set (default: all). A set without contexts takes its evidence from an index of the Wikipedia sample.
set -euo pipefail
cd "$(dirname "$0")/.."
shared="${EVIDEX_SHARED:-../shared}"
read -r -a evidex <<<"${EVIDEX:-cargo run --release --}"
limit=(); [ -n "${LIMIT:-}" ] && limit=(--limit "$LIMIT")
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

index=""
wikipedia() {
  if [ -z "$index" ]; then
    index="$work/wikipedia"
    "${evidex[@]}" index "$shared"/data/wiki/wiki_en_2014_sample.jsonl.zst --into "$index" --embedder none >&2
  fi
}

pairs() { # pairs FOLDER FLAG...
  local folder="$1"; shift
  for set in "$shared"/data/dev/*.jsonl.zst; do
    local flags=("$@" "${limit[@]}")
    case "$set" in *nocontext*) wikipedia; flags+=(--index "$index") ;; esac
    echo "$folder: $(basename "$set")" >&2
    "${evidex[@]}" eval pairs "$set" --out "benches/results/$folder" "${flags[@]}" >/dev/null
  done
}

fit() {
  local sets=()
  for name in snli_dev_dev nli_mnli_dev20 conjnli_dev med_test breaking_nli_test fever_symmetric_v02_dev fm2_dev bump_task1 \
    wice_claim_dev begin_wow_dev summac_val_factcc summac_val_summeval summac_val_xsumfaith inferbr_pt_val; do
    sets+=("$shared/data/dev/$name.jsonl.zst")
  done
  "${evidex[@]}" eval fit --limit "${LIMIT:-1000}" --write src/verify/fitted.json "$@" --dev "${sets[@]}"
}

[ $# -eq 0 ] && set -- model checks retrieval table
for part in "$@"; do
  case "$part" in
    fit)
      fit --nli none
      fit ;;
    # The baselines are the same for both ways, and slower than either: measured once.
    checks) pairs checks --nli none --baselines-of benches/results/model ;;
    model) pairs model ;;
    retrieval)
      for set in "$shared"/data/retrieval/*/; do
        echo "retrieval: $(basename "$set")" >&2
        "${evidex[@]}" eval retrieval "$set" --out benches/results/retrieval "${limit[@]}" >/dev/null
      done ;;
    table) "${evidex[@]}" eval table benches/results --write README.md ;;
    *) echo "unknown part: $part (fit, model, checks, retrieval, table)" >&2; exit 2 ;;
  esac
done
