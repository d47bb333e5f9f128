#!/bin/bash
# fleetsim schema: every shipped scenario and every scenario of the pages validates with python3-jsonschema, planted
# mistakes do not, the loader agrees on each, and the committed reference page is the one that is printed.
set -eu
fleetsim=$1
source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
  echo "schema.sh: $1" >&2
  exit 1
}
"$fleetsim" schema --format markdown >"$work/page.md"
diff "$source/docs/scenario-reference.md" "$work/page.md" >&2 ||
  fail "docs/scenario-reference.md is old: fleetsim schema --format markdown > docs/scenario-reference.md"
"$fleetsim" schema >"$work/schema.json"
"$fleetsim" schema --format yaml 2>/dev/null && fail "an unknown format is accepted"
python3 -c 'import jsonschema, yaml' 2>/dev/null || {
  echo "schema.sh: skipped the validation: python3-jsonschema and python3-yaml are not installed"
  exit 0
}
cat >"$work/validate.py" <<'PYTHON'
import copy, glob, json, os, re, subprocess, sys
import jsonschema, yaml

fleetsim, source, work = sys.argv[1:]


class Core(yaml.SafeLoader):  # scalars as YAML 1.2's core schema reads them
    yaml_implicit_resolvers = {}


def resolve(tag, pattern, first):
    Core.add_implicit_resolver(tag, re.compile(pattern), first)


resolve("tag:yaml.org,2002:merge", r"^<<$", ["<"])
resolve("tag:yaml.org,2002:bool", r"^(true|false)$", list("tf"))
resolve("tag:yaml.org,2002:null", r"^(~|null|Null|NULL|)$", ["~", "n", "N", ""])
resolve("tag:yaml.org,2002:int", r"^[-+]?[0-9]+$", list("-+0123456789"))
resolve("tag:yaml.org,2002:float", r"^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$", list("-+.0123456789"))
Core.add_constructor("tag:yaml.org,2002:int", lambda loader, node: int(node.value))
Core.add_constructor("tag:yaml.org,2002:float", lambda loader, node: float(node.value))


def keyed(value):
    if isinstance(value, dict):
        return {str(k): keyed(v) for k, v in value.items()}
    return [keyed(v) for v in value] if isinstance(value, list) else value


def read(text):
    return keyed(yaml.load(text, Loader=Core))


schema = json.load(open(os.path.join(work, "schema.json")))
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
faults = []


def expect(name, text, good):
    errors = [f"{list(e.path)}: {e.message[:200]}" for e in validator.iter_errors(read(text))]
    if good != (not errors):
        faults.append(f"{name}: {'valid' if good else 'wrong'}, but the schema says {errors}")


def loads(text):
    path = os.path.join(work, "case.yaml")
    open(path, "w").write(text)
    # 1: a sound file whose fleet the room refuses
    return subprocess.run([fleetsim, "check", path], capture_output=True).returncode in (0, 1)


shipped = sorted(glob.glob(os.path.join(source, "scenarios", "*.yaml")))
assert shipped, "no scenario is shipped"
for path in shipped:
    text = open(path).read()
    expect(path, text, True)
    dump = os.path.join(work, "dump.yaml")
    with open(dump, "w") as out:
        subprocess.run([fleetsim, "run", path, "--dump", "scenario"], stdout=out, check=True)
    expect(path + " (its dump)", open(dump).read(), True)
pages = 0
for path in [os.path.join(source, "README.md")] + sorted(glob.glob(os.path.join(source, "docs", "*.md"))):
    for block in re.findall(r"```yaml\n(.*?)```", open(path).read(), re.S):
        if re.search(r"^workload:", block, re.M) and re.search(r"^fleet:", block, re.M):
            expect(f"example in {path}", block, True)
            pages += 1

lab = open(os.path.join(source, "scenarios", "lab-66-33.yaml")).read()
# (key as written in the lab scenario, values that are wrong, values that are right); schema and loader must both agree.
cases = [
    ("seed: 2020", ["-1", "1.5", "x", "[1]", "18446744073709551616"], ["0", "18446744073709551615", "1_000"]),
    ("warm_up: 4 weeks", ["4", "-1 h", "4 months", "1:2:3:4", "yes", "1,5 h", "UNLIMITED"],
     ["0", "0 s", "1-12", "1-12:00:00", "90 min", "1:30:00", "10:00", "1 000 s", "1_000s", "1.5h", ".5 h", "1e3 s"]),
    ("measure: 26 weeks", ["0", "0 s", "0.0 h", "26"], ["1 us", "26 w"]),
    ("replications: 20", ["0", "1.5", "1000001", "twenty"], ["1", "'20'"]),
    ("capital: 300000 USD", ["300000", "300,000 USD", "-1 USD", "0 USD", "300000 eur"],
     ["300 000 USD", "300_000 USD", "3e5 USD", "299999.99 USD"]),
    ("electricity: 0.12 USD/kWh", ["0.12", "-1 USD/kWh", "12 ct/kWh"], ["0", "120 USD/MWh"]),
    ("pue: 1.5", ["0.9", "11", "x", "150 %", ".inf", "[1.5]"], ["1", "1.05", "'1.5'", "10"]),
    ("power_limit: 120 kW", ["120", "0 W", "120 kw"], ["0.12 MW", "120000W"]),
    ("provided: true", ["yes", "on", "1", "True"], ["false", "'true'"]),
    ("inlet_temperature: 22 C", ["22", "22 F"], ["-5 C", "22.5 C", "0"]),
    ("shape: leaf-spine", ["ring", "Leaf-Spine"], ["single-switch", "fat-tree", "superpod"]),
    ("type: easy", ["eazy", "EASY", "true"], ["fifo"]),
    ("max_time: 24 h", ["24", "0", "FOREVER"], ["UNLIMITED", "infinite", "2-00:00:00"]),
    ("per_user: 8.5 /day", ["8.5", "0 /day", "8.5 per day"], ["8.5/day", "0.3 /h"]),
    ("gpu_memory: 8 GB", ["8", "8 Gb", "-1 GB"], ["0", "8GiB", "512 MB"]),
    ("time_limit: {factor: 2.5}", ["2.5", "{factor: 0.5}", "{}"], ["{factor: 3}"]),
    ("gpus: {1: 0.70, 2: 0.20, 4: 0.10}", ["0", "1.5", "[1]", "{x: 1}", "{0: 1}", "{1: 1.5}"], ["8", "{8: 100 %}"]),
    ("probability: 0.33 %", ["2", "-1 %", "x"], ["0", "1", "0.5", "50%"]),
    ("constraints: [wait_s_p95(prototype) <= 4 h]", ["wait_s <= 4 h", "[wait <= 4 h]", "[wait_s < 4 h]", "[1]"],
     ["[]", "[results_per_week >= 0.5]", "[ 'wait_s_p50( prototype )<=4 h' ]"]),
    ("nodes: proto", ["[]", "{a: 1}"], ["[proto]", "[proto, scale]"]),
    ("  split: {scale: 27 %}", ["27 %", "{scale: 1.5}"], ["{scale: 0.3}", "{proto: 73 %}"]),
]
count = 0
for key, wrong, right in cases:
    assert key in lab, key
    name = key[: key.index(":") + 1]
    for value, good in [(v, False) for v in wrong] + [(v, True) for v in right]:
        text = lab.replace(key, f"{name} {value}", 1)
        expect(f"{name.strip()} {value}", text, good)
        if loads(text) != good:
            faults.append(f"{name.strip()} {value}: {'valid' if good else 'wrong'}, but the loader says otherwise")
        count += 1
# Planted mistakes of structure.
for old, new in [("seed:", "sead:"), ("  pue:", "  peu:"), ("name: lab-66-33\n", ""), ("{capital: 300000 USD}", "{}"),
                 ("{node: supermicro-8x-rtx3080}", "{}"), ("{node: supermicro-8x-rtx3080}", "supermicro-8x-rtx3080"),
                 ("  split:", "  counts: {proto: 1, scale: 1}\n  split:"), ("      gpus: {8", "      gpu: {8"),
                 ("link: infiniband-edr, ", ""), ("{lognormal: {median: 27 h, ", "{lognormal: {"),
                 ("site:\n", "site:\n  gpus: 8\n"), ("wall_time: {lognormal", "wall_time: {fixed: 2 h, lognormal"),
                 ("users: 30\n  classes:", "users: 30\n  klasses:"), ("study:\n", "studies:\n")]:
    assert old in lab, old
    text = lab.replace(old, new, 1)
    expect(f"'{new.strip()}' for '{old.strip()}'", text, False)
    if loads(text):
        faults.append(f"'{new.strip()}' for '{old.strip()}': the loader accepts it")
    count += 1
print("\n".join(faults))
print(f"schema.sh: {len(shipped)} scenarios, {pages} examples of pages, {count} values and mistakes")
sys.exit(1 if faults else 0)
PYTHON
python3 "$work/validate.py" "$fleetsim" "$source" "$work" || fail "schema, loader and scenarios do not agree"
