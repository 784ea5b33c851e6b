#!/usr/bin/env bash
# Packs the packages as for publishing and installs them into empty projects. Checks their contents and dependencies, that
# their types compile, and that an operator runs, also with Vitest, Bun, Deno and tsx. Needs npm's registry; without it, the checks report that they are skipped.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
node scripts/prepare.mjs
# One packing for all checks.
EVENKEEL_PACKED=$(mktemp -d)
export EVENKEEL_PACKED
trap 'rm -rf "$EVENKEEL_PACKED"' EXIT
npm pack --json --ignore-scripts --loglevel=error --pack-destination "$EVENKEEL_PACKED" ./packages/* > "$EVENKEEL_PACKED/packed.json"
node_modules/.bin/node --experimental-vm-modules --no-warnings=ExperimentalWarning node_modules/jest/bin/jest.js \
  --testMatch '**/test/packed/*.check.ts' --verbose "$@"
