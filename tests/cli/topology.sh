#!/usr/bin/env bash
# fleetsim topology: figures as text and JSON, drawings, and what it says to wrong input.
set -eu
fleetsim=$1
source=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
fail() { echo "topology.sh: $*" >&2; exit 1; }
expect() { grep -qF -- "$1" <<<"$2" || fail "expected '$1' in: $2"; }
lab=$source/scenarios/lab-66-33.yaml

# One node: what a systems engineer asks.
text=$("$fleetsim" topology supermicro-8x-rtx3090 --model gnmt)
expect "8 x RTX 3090 24 GB" "$text"
expect "31.5 GB/s on the wire, 25.6 usable, each way" "$text"
expect "copies through host memory" "$text"
# A GPU-to-GPU pair that is copied: the staging rate beside the link's
expect "; copied through host memory at 6.50 GB/s a GPU at most" "$text"
expect "samples a GPU" "$text"
expect "tokens/s" "$text"
expect "All-reduce, bus bandwidth" "$text"
expect "GNMT: one optimiser step" "$text"
expect "efficiency" "$text"

"$fleetsim" topology dgx-a100 --format json >"$dir/dgx.json"
"$fleetsim" topology "$lab" --model resnet50 --format json >"$dir/lab.json"
python3 - "$dir" <<'PY' || fail "the JSON does not hold together"
import json, sys
dgx = json.load(open(sys.argv[1] + "/dgx.json"))
assert dgx["kind"] == "node" and dgx["nodes"] == 1 and dgx["gpus"] == 8 and dgx["fabric"]["shape"] == "none"
(pool,) = dgx["pools"]
# 8 GPUs make 28 pairs, all of them joined by NVLink
assert [(c["class"], c["pairs"]) for c in pool["node"]["gpu_to_gpu"]] == [("NV", 28)], pool["node"]["gpu_to_gpu"]
assert [row["gpus"] for row in pool["all_reduce"]] == [2, 4, 8]
for row in pool["all_reduce"]:
    small, medium, large = [size["bus_bandwidth_bytes_per_s"] for size in row["sizes"]]
    assert 0 < small < medium < large < 300e9, row   # latency weighs on small messages; no more than the wire
assert pool["steps"] == []
lab = json.load(open(sys.argv[1] + "/lab.json"))
assert lab["kind"] == "scenario" and lab["model"] == "resnet50" and len(lab["pools"]) == 2
assert lab["nodes"] == sum(p["count"] for p in lab["pools"]) == lab["fabric"]["adapters"]
for pool in lab["pools"]:
    sizes = [row["gpus"] for row in pool["steps"]]
    assert sizes[:4] == [1, 2, 4, 8] and sizes[-1] == min(lab["largest_job"], 8 * pool["count"]), sizes
    for row in pool["steps"]:
        # step = compute + spread + exposed communication + input stall + optimiser
        parts = sum(row[k] for k in ("compute_s", "spread_s", "exposed_communication_s", "input_stall_s")) + row.get("optimiser_s", 0)
        assert abs(parts - row["step_s"]) < 5e-6, row
        # throughput = GPUs x samples / step; an image is a sample
        assert abs(row["throughput_per_s"] * row["step_s"] / (row["gpus"] * row["samples_per_gpu"]) - 1) < 1e-4, row
        assert abs(row["speedup"] - row["gpus"] * row["efficiency"]) < 1e-9
        assert 0 < row["efficiency"] <= 1
PY

# --gpus cuts the list short
[ "$("$fleetsim" topology dgx-a100 --gpus 3 --format json | python3 -c 'import json,sys; print([r["gpus"] for r in json.load(sys.stdin)["pools"][0]["all_reduce"]])')" = "[2, 3]" ] ||
  fail "--gpus 3 does not end at 3"

# Whole systems
"$fleetsim" topology dgx-superpod --gpus 1024 --format json >"$dir/superpod.json"
"$fleetsim" topology tpu-v4-pod --format json >"$dir/pod.json"
python3 - "$dir" <<'PY' || fail "the systems' JSON does not hold together"
import json, sys
pod = json.load(open(sys.argv[1] + "/superpod.json"))
assert pod["kind"] == "system" and pod["largest_job"] == 1024 and pod["gpus"] >= 1024
f = pod["fabric"]
assert f["shape"] == "superpod" and f["units"] * f["nodes_per_unit"] >= pod["nodes"]
# every adapter has its cable to a leaf
assert f["node_cables"] == f["adapters"] == pod["nodes"] * f["adapters_per_node"]
assert [r["gpus"] for r in pod["pools"][0]["all_reduce"]] == [2 ** i for i in range(1, 11)]
assert pod["bisection_bytes_per_s"] > 0
tpu = json.load(open(sys.argv[1] + "/pod.json"))
d = tpu["fabric"]["dimensions"]
assert tpu["fabric"]["shape"] == "torus" and len(d) == 3 and d[0] * d[1] * d[2] == tpu["gpus"] == 4096
# cut through the longest side of a closed 16 x 16 x 16 torus: 2 x 256 links, each way
assert abs(tpu["bisection_bytes_per_s"] - 512 * tpu["fabric"]["link"]["usable_bytes_per_s"]["value"]) < 1e-3 * tpu["bisection_bytes_per_s"]
PY
expect "16 x 16 x 16" "$("$fleetsim" topology tpu-v4-pod)"
wrong_system=$("$fleetsim" topology dgx-superpd 2>&1 >/dev/null) && fail "an unknown system passes" || true
expect "did you mean 'dgx-superpod'?" "$wrong_system"

# Drawings
"$fleetsim" topology "$lab" --format dot | grep -q '^digraph\|^graph' || fail "dot is no graph"
if command -v dot >/dev/null; then
  "$fleetsim" topology "$lab" --format svg --out "$dir/fabric.svg"
  "$fleetsim" topology "$lab" --format svg --view node >"$dir/node.svg"
  python3 - "$dir" <<'PY' || fail "not an SVG with a description"
import sys, xml.etree.ElementTree as E
for name in ("fabric", "node"):
    root = E.parse(f"{sys.argv[1]}/{name}.svg").getroot()
    assert root.tag.endswith("svg") and any(e.tag.endswith("desc") and e.text for e in root), name
PY
fi
code=0
PATH=$dir "$fleetsim" topology dgx-a100 --format svg >/dev/null 2>"$dir/err" || code=$?
[ "$code" = 3 ] || fail "exit $code without Graphviz, not 3"
expect "graphviz" "$(cat "$dir/err")"

# Wrong input: exit 2 and a sentence
wrong() { # WHAT MESSAGE ARGUMENTS...
  local what=$1 message=$2 code=0
  shift 2
  "$fleetsim" topology "$@" >"$dir/out" 2>"$dir/err" || code=$?
  [ "$code" = 2 ] || fail "$what: exit $code, not 2: $(cat "$dir/err")"
  [ ! -s "$dir/out" ] || fail "$what: something was printed"
  expect "$message" "$(cat "$dir/err")"
}
wrong "no target" "topology of which scenario, node or system?"
wrong "an unknown name" "did you mean 'dgx-a100'?" dgx-a10
wrong "an unknown name that is like nothing" "neither a scenario file nor a node or system" quite-another-thing
wrong "no GPUs" "--gpus must lie between 1 and" dgx-a100 --gpus 0
wrong "too many GPUs" "dgx-a100 has 8 GPUs, so no job takes 16" dgx-a100 --gpus 16
wrong "an unknown model" "did you mean 'gnmt'?" dgx-a100 --model gnmtt
wrong "an unknown format" "did you mean 'json'?" dgx-a100 --format jsn
wrong "--set on a node" "--set changes a scenario" dgx-a100 --set seed=1
wrong "--view for text" "--view chooses a drawing" dgx-a100 --view node
mkdir -p "$dir/own/nodes"
printf 'based_on: dgx-a100\n' >"$dir/own/nodes/ours.yaml"
wrong "--out over a file of the catalogue" "are the same file" ours --catalog "$dir/own" --out "$dir/own/nodes/ours.yaml"
[ "$(cat "$dir/own/nodes/ours.yaml")" = "based_on: dgx-a100" ] || fail "the catalogue's file was replaced"
wrong "a faulty scenario" "fabric.shape" "$lab" --set fabric.shape=star
# A model that no GPU of the node holds: the row says so.
expect "does not fit: gpt-1.7b needs" "$("$fleetsim" topology desktop-2x-rtx3080 --model gpt-1.7b)"
"$fleetsim" topology desktop-2x-rtx3080 --model gpt-1.7b --format json >"$dir/full.json"
grep -q '"fits": false' "$dir/full.json" || fail "the JSON calls a model fitting that is not"
grep -q '"obstacle": "gpt-1.7b needs' "$dir/full.json" || fail "the JSON does not say what is missing"
wrong "a torus far too large" "more than 4194304 places" "$lab" --set fabric.shape=torus --set 'fabric.link=tpu-v4-ici' --set 'fabric.dimensions=[1000, 1000, 100]'
code=0
"$fleetsim" topology "$dir/absent.yaml" >/dev/null 2>"$dir/err" || code=$?
[ "$code" = 3 ] || fail "an absent file: exit $code, not 3"
"$fleetsim" topology --help | grep -q 'fleetsim topology supermicro-8x-rtx3090 --model gnmt' || fail "--help has no example"
