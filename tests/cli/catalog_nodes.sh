#!/usr/bin/env bash
# Every system of the catalogue loads, simulates in a small scenario and prices: exit 0, or 1 and named as unpriced.
# Every GPU does so in a desktop of one.
set -eu
fleetsim=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
fail() { echo "catalog_nodes.sh: $*" >&2; exit 1; }

scenario() {  # NODE COUNT FABRIC
  cat <<YAML
name: small
seed: 7
time: {warm_up: 0 h, measure: 2 days, drain: 1 day, replications: 1}
fleet: {all: {node: $1}, counts: {all: $2}}
fabric: $3
site: {electricity: 0.12 USD/kWh, pue: 1.5, rack: {units: 42, power: 30 kW}}
scheduler: {type: easy, sharing: strict, partitions: {all: {nodes: all, max_time: 24 h, default: true}}}
workload:
  users: 2
  classes:
    small:
      model: resnet50
      arrivals: {per_user: 8 /day, profile: flat}
      gpus: {1: 1}
      wall_time: {lognormal: {median: 0.5 h, mean: 0.7 h, max: 4 h}, reference: $1}
      gpu_memory: 2 GB
      partition: all
YAML
}

check() {  # NAME NODE FABRIC [OPTIONS]
  local name=$1 node=$2 fabric=$3 code=0
  shift 3
  scenario "$node" 2 "$fabric" >"$dir/s.yaml"
  "$fleetsim" run "$dir/s.yaml" "$@" >"$dir/run" 2>"$dir/err" || fail "$name does not simulate: $(cat "$dir/err")"
  "$fleetsim" price "$dir/s.yaml" "$@" >"$dir/price" 2>"$dir/err" || code=$?
  if grep -q '^Unpriced: ' "$dir/price"; then
    [ $code = 1 ] || fail "$name is unpriced and exits $code"
    echo "$name" >>"$dir/unpriced"
  else
    [ $code = 0 ] || fail "$name exits $code: $(cat "$dir/err")"
  fi
  if grep -q ', rented at ' "$dir/price"; then
    grep -q '^  Cloud rent  *[0-9]' "$dir/price" || fail "$name is rented and has no line for it: $(cat "$dir/price")"
    echo "$name" >>"$dir/rented"
  fi
}
names() { "$fleetsim" catalog list "$1" --format json | python3 -c 'import json, sys
for entries in json.load(sys.stdin).values():
    for entry in entries: print(entry["name"])'; }

count=0
for node in $(names nodes); do
  check "$node" "$node" '{shape: single-switch, link: infiniband-edr}'
  count=$((count + 1))
done
[ $count -ge 50 ] || fail "only $count nodes"

mkdir -p "$dir/own/nodes"
for gpu in $(names gpus); do
  printf 'based_on: desktop-1x-rtx3090\ngpu: %s\n' "$gpu" >"$dir/own/nodes/desktop-$gpu.yaml"
done
for gpu in $(names gpus); do check "$gpu" "desktop-$gpu" '{shape: none}' --catalog "$dir/own"; done

# What the guide names, and what it does not price.
for node in desktop-1x-rtx3090 desktop-2x-rtx3090 desktop-4x-rtx3090 supermicro-8x-rtx3080 supermicro-8x-rtx3090 \
  supermicro-8x-rtx3090-water supermicro-8x-rtx6000 supermicro-8x-a100 dgx-a100 dgx-h100; do
  grep -qx "$node" "$dir/unpriced" && fail "$node has no price"
done
for node in aws-p3-16xlarge aws-p4d tpu-v3-host tpu-v4-host; do
  grep -qx "$node" "$dir/rented" || fail "$node is not rented"
done
for name in dgx-b200 supermicro-8x-a40 gtx1080 titan-v; do
  grep -qx "$name" "$dir/unpriced" || fail "$name is not listed as unpriced"
done

# Adapters of a DGX A100 are part of its price: 2 x 199,000 USD and no adapter that costs anything.
scenario dgx-a100 2 '{shape: single-switch, link: infiniband-hdr, hcas_per_node: 8}' >"$dir/s.yaml"
"$fleetsim" price "$dir/s.yaml" >"$dir/price"
grep -qE 'adapter with cable, in the price of the system +16 +included +0 USD' "$dir/price" || fail "$(cat "$dir/price")"
grep -qE 'nodes with their network adapters +398,000 USD' "$dir/price" || fail "$(cat "$dir/price")"

# A fleet of the budget's cannot be made of what has no price or is rented: told at once, exit 2.
for node in dgx-b200 server-8x-rtx5090 aws-p3-16xlarge; do
  { scenario "$node" 2 '{shape: single-switch, link: infiniband-edr}' | sed 's/, counts:.*/}/'
    echo 'budget: {capital: 500000 USD}'
    echo 'study: {candidates: maximal-fleets}'; } >"$dir/s.yaml"
  code=0
  "$fleetsim" study "$dir/s.yaml" --out "$dir/out" >/dev/null 2>"$dir/err" || code=$?
  [ $code = 2 ] || fail "study of a budget for $node exits $code: $(cat "$dir/err")"
  grep -qE "node $node of pool all (has no price|is rented by the hour)" "$dir/err" || fail "$(cat "$dir/err")"
done
