# Read by the scripts of tests/, as `. "$(dirname "$0")/../script.sh" "$@"` with the arguments FLEETSIM SOURCE_DIR: both as absolute paths, a
# folder of the script's own, where it then is and which goes with it, and how it fails.
set -eu
fleetsim=$(realpath "$1")
source=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() { echo "$(basename "$0"): $*" >&2; exit 1; }
# small_lab [-e EXPRESSION...]: the scenario of tests/data/small-lab.yaml, edited by sed.
small_lab() { sed -e '' "$@" "$source/tests/data/small-lab.yaml"; }
