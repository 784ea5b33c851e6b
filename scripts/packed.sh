#!/usr/bin/env bash
# Packs the packages as they would be published and installs them into empty projects: what they bring along, whether
# their types compile, whether an operator runs. Needs npm's registry; without it, says that it skips.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
node scripts/prepare.mjs
exec node_modules/.bin/node --experimental-vm-modules --no-warnings=ExperimentalWarning node_modules/jest/bin/jest.js \
  --testMatch '**/test/packed/*.check.ts' --verbose
