#!/usr/bin/env bash
# catalog list and show: tables, sources, estimates marked, own folder, wrong names.
set -eu
fleetsim=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { echo "catalog.sh: $*" >&2; exit 1; }
expect() { grep -qF -- "$1" <<<"$2" || fail "expected '$1' in: $2"; }

list=$("$fleetsim" catalog list nodes)
expect "supermicro-8x-rtx3090-water" "$list"
expect "~25,192" "$list"
grep -qE '^ +dgx-a100 .* 199,000$' <<<"$list" || fail "a sourced price must not be marked: $list"
# Columns are aligned: every price ends where its heading ends.
ends=$(grep -E 'price USD|[0-9]$|unpriced$|/h$' <<<"$list" | awk '{print length($0)}' | sort -u | wc -l)
[ "$ends" = 1 ] || fail "ragged table: $list"
for kind in gpus links models prices systems; do "$fleetsim" catalog list "$kind" >/dev/null || fail "list $kind"; done
expect "unpriced" "$("$fleetsim" catalog list gpus)"
"$fleetsim" catalog list | grep -q '^prices' || fail "list without a kind must show all"

show=$("$fleetsim" catalog show infiniband-edr)
expect "12.5 GB/s" "$show"
expect "8,000 USD (estimate, 2500 to 11000)" "$show"
expect "as of 2020-10" "$show"
expect "source: " "$show"

python3 - "$fleetsim" <<'PY'
import json, subprocess, sys
out = subprocess.run([sys.argv[1], "catalog", "list", "--format", "json"], capture_output=True, text=True, check=True).stdout
catalog = json.loads(out)
assert set(catalog) == {"gpus", "nodes", "links", "models", "prices", "systems"}
for entries in catalog.values():
    for entry in entries:
        assert entry["figures"], entry["name"]
        for f in entry["figures"]:
            assert f["source"] and f["as_of"], (entry["name"], f)
            if f["source"] == "estimate":
                assert f["estimate"] and f["basis"], (entry["name"], f)
node = next(n for n in catalog["nodes"] if n["name"] == "supermicro-8x-rtx3080")
assert node["price_usd"] == 15192 and node["price_estimate"]
PY

set +e
message=$("$fleetsim" catalog show supermicro-8x-rtx309 2>&1 >/dev/null); code=$?
[ $code = 2 ] || fail "an unknown name must exit 2, not $code"
expect "did you mean 'supermicro-8x-rtx3090'?" "$message"
"$fleetsim" catalog list gpu 2>/dev/null; [ $? = 2 ] || fail "an unknown kind must exit 2"
"$fleetsim" catalog 2>/dev/null; [ $? = 2 ] || fail "no action must exit 2"
"$fleetsim" catalog show 2>/dev/null; [ $? = 2 ] || fail "no name must exit 2"
"$fleetsim" catalog list gpus --format xml 2>/dev/null; [ $? = 2 ] || fail "an unknown format must exit 2"
"$fleetsim" catalog list --catalog "$folder/absent" 2>/dev/null; [ $? = 3 ] || fail "an absent folder must exit 3"
set -e

mkdir "$folder/nodes"
printf 'based_on: supermicro-8x-rtx3090\ntitle: Ours\ngpu: rtx3080\n' >"$folder/nodes/ours.yaml"
ours=$("$fleetsim" catalog show ours --catalog "$folder" 2>&1)
expect "based on: supermicro-8x-rtx3090" "$ours"
expect "15,192 USD" "$ours"  # 8 x 699 + 9600
expect "basis: everything but GPUs of an 8-GPU server" "$ours"  # inherited with its provenance
printf 'based_on: supermicro-8x-rtx309\n' >"$folder/nodes/ours.yaml"
set +e
message=$("$fleetsim" catalog show ours --catalog "$folder" 2>&1 >/dev/null); code=$?
set -e
[ $code = 2 ] || fail "an unknown base must exit 2, not $code"
expect "ours.yaml:1:11" "$message"
expect "did you mean 'supermicro-8x-rtx3090'?" "$message"
rm -r "$folder/nodes"

rented=$("$fleetsim" catalog show aws-p3-16xlarge)
expect "rented at 2.14 USD per GPU-hour" "$rented"
expect "8 for infiniband-hdr" "$("$fleetsim" catalog show dgx-a100)"
expect "no public price" "$("$fleetsim" catalog show server-8x-rtx5090)"
grep -qE '^ +gtx1080 .* none ' <<<"$("$fleetsim" catalog list gpus)" || fail "a card without tensor cores must say so"
note=$(mkdir "$folder/links"; printf 'based_on: pcie4-x16\n' >"$folder/links/pcie3-x16.yaml"
  "$fleetsim" catalog show pcie3-x16 --catalog "$folder" 2>&1 >/dev/null)
expect "note: replaces the built-in entry 'pcie3-x16' of links" "$note"
rm -r "$folder/links"

mkdir "$folder/prices"
echo 'title: Our rack
price: {value: 1234 USD, source: quote 17, as_of: 2024-05}' >"$folder/prices/rack.yaml"
expect "1,234 USD" "$("$fleetsim" catalog show rack --catalog "$folder")"
echo 'title: Our rack
price: {value: 1234 USD, as_of: 2024-05}' >"$folder/prices/rack.yaml"
set +e
message=$("$fleetsim" catalog list --catalog "$folder" 2>&1 >/dev/null); code=$?
set -e
[ $code = 2 ] || fail "a figure without source must exit 2, not $code"
expect "source" "$message"
expect "rack.yaml:2" "$message"
