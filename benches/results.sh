#!/usr/bin/env bash
# Measures every labelled set and retrieval set of the shared data and writes benches/results/ and the README's tables.
#
#   benches/results.sh [fit|model|checks|retrieval|store|table]...     (model, checks, retrieval and table where none is named)
#
# fit writes src/verify/fitted.json from the sets whose licence allows to ship what is learnt from them; build anew after
# it, then measure.
#
# EVIDEX names the program (default: `cargo run --release --`), EVIDEX_SHARED the shared data (default: ../shared),
# LIMIT the most rows a set of claims (default: all). KEEP names a folder for the indexes of retrieval sets. store measures the
# store beside its peers, which PYTHON must have (benches/peers/store.txt), at the sizes GRAPH, WORDS and CURVE. A set without
# contexts takes its evidence from an index of the Wikipedia sample.
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
      for embedder in hashed static all-MiniLM-L6-v2; do
        EVIDEX_SHARED="$shared" cargo bench --bench retrieval -- --embedder "$embedder" --work "${KEEP:-$work/retrieval}" \
          --out "$PWD/benches/results/retrieval/$embedder"
      done ;;
    store)
      export EVIDEX_BENCH="${EVIDEX_BENCH:-$PWD/target/bench-store}"
      for part in "graph ${GRAPH:-20000}" "words ${WORDS:-100000}"; do
        read -r name size <<<"$part"
        cargo bench --bench store -- "$name" "$size" --out "$PWD/benches/results/store"
        "${PYTHON:-python3}" benches/peers/store.py "$name" "$EVIDEX_BENCH/$name-$size" --out benches/results/store
      done
      for part in kernel "build ${WORDS:-100000}" "open ${WORDS:-100000}" "scan ${GRAPH:-20000}" "curve ${CURVE:-10000,100000}"; do
        read -r -a words <<<"$part"
        cargo bench --bench store -- "${words[@]}" --out "$PWD/benches/results/store"
      done ;;
    table) "${evidex[@]}" eval table benches/results --write README.md ;;
    *) echo "unknown part: $part (fit, model, checks, retrieval, store, table)" >&2; exit 2 ;;
  esac
done
