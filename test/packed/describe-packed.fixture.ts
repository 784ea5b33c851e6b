import { registryAnswers } from './installation.fixture.ts';
import { isBuilt } from './package.fixture.ts';

const skipped = !isBuilt
  ? 'the packages are not built, so they cannot be packed'
  : (await registryAnswers())
    ? undefined
    : "npm's registry does not respond, so nothing can be installed";
if (skipped !== undefined) console.log(`skipped: ${skipped}`);

/** `describe` for checks that pack the packages and install from npm's registry; skips them if that is impossible. */
export const describePacked = skipped === undefined ? describe : describe.skip;
