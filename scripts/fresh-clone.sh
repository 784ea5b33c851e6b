#!/usr/bin/env bash
# Clones the repository's HEAD into a temporary folder and runs the README's two commands there, the tests only as far as they depend
# on the machine, and the comparison that is skipped there. PATH contains only Node, npm, git, tar, gzip and what a
# POSIX shell needs. Exits with 0 if all of them do.
set -euo pipefail
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
folder=$(mktemp -d "${TMPDIR:-/tmp}/evenkeel-fresh-XXXXXX")
trap 'rm -rf "$folder"' EXIT

mkdir "$folder/bin"
for tool in node npm npx git sh bash env dirname uname sed cat ls tar gzip; do
  path=$(type -P "$tool") || { echo "fresh-clone: $tool is not on this machine" >&2; exit 1; }
  ln -s "$path" "$folder/bin/$tool"
done
git clone --quiet "$repository" "$folder/evenkeel"
cd "$folder/evenkeel"

run() {
  echo "fresh-clone: $*"
  env -i HOME="$HOME" PATH="$folder/bin" TMPDIR="${TMPDIR:-/tmp}" CI=true "$@"
}
run npm start -- --once
# A test that uses neither programs nor files outside of the clone behaves here as in the checkout, where all tests run.
# shellcheck disable=SC2046
run npm test -- $(node scripts/machine-tests.mjs)
# For the same reason without the sweeps of the examples, which are among them only because they take long.
run EVENKEEL_WITHOUT_SWEEPS=1 npm run conformance
changes=$(git status --porcelain)
[ -z "$changes" ] || { printf 'fresh-clone: the tree changed:\n%s\n' "$changes"; exit 1; }
