#!/usr/bin/env bash
# docs/catalogue.md lists what the readers of catalogue files read: every key and word that stands as a literal in them
# is on the page, in the part of its kind (one reader serves gpus, links and prices: in one of these), and every key of the
# page's tables stands in a reader.
set -eu
source=${2:-$1}
python3 - "$source" <<'PY'
import re, sys
root = sys.argv[1]
read = lambda path: open(f"{root}/{path}").read()
def literals(path):
    code = re.sub(r"//.*", "", read(path))
    code = re.sub(r'#include "[^"]*"', "", code)
    return set(re.findall(r'"([a-z][a-z0-9_-]*)"', code))
page = read("docs/catalogue.md").split("\n## All keys\n")[1]
common, *parts = re.split(r"\n### ", page)
part = {p.split("/", 1)[0]: p for p in parts}
words = lambda text: {w for code in re.findall(r"`([^`]+)`", text) for w in re.findall(r"[a-z][a-z0-9_-]*", code)}
readers = {"scenarios/loader/catalog_nodes.cpp": ["nodes"], "scenarios/loader/catalog_models.cpp": ["models"],
           "scenarios/loader/catalog_systems.cpp": ["systems"],
           "scenarios/loader/catalog_records.cpp": ["gpus", "links", "prices"],
           "scenarios/loader/figure_reader.hpp": [], "scenarios/loader/figure_reader.cpp": [],
           "scenarios/loader/catalog_base.cpp": []}
faults, known = [], {}
units = {"us", "ns", "ms", "kg"}
defaults = {"samples"}
for path, kinds in readers.items():
    found = literals(path) - units - defaults
    # What serves every kind stands above the tables or in each of them.
    own = set().union(*(words(part[k]) for k in kinds)) if kinds else set.intersection(*map(words, part.values()))
    on_page = words(common) | own
    faults += [f"{path} reads '{w}', and docs/catalogue.md lacks it" for w in sorted(found - on_page)]
    for kind in kinds or part:
        known.setdefault(kind, set()).update(found)
rows = 0
for kind, text in part.items():
    for cell in re.findall(r"^\| (`[^|]*`) \|", text, re.M):
        rows += 1
        for key in re.findall(r"`([^`]+)`", cell):
            faults += [f"docs/catalogue.md lists '{key}' of {kind}, which no reader asks for"
                       for word in key.split(".") if word not in known[kind] | {"fabric"}]
if rows < 60:
    faults.append(f"only {rows} keys found on the page: has its form changed?")
if faults:
    sys.exit("catalogue_keys.sh: " + "\n".join(faults))
PY
