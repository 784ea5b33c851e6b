import { conversionEntries } from './conversion.fixture.ts';
import type { CorpusEntry } from './corpus-entry.fixture.ts';
import { costEntries } from './costs.fixture.ts';
import { defaultEntries } from './defaults.fixture.ts';
import { formEntries } from './forms.fixture.ts';
import { listEntries } from './lists.fixture.ts';
import { nameEntries } from './names.fixture.ts';
import { ruleEntries } from './rules.fixture.ts';
import { structureEntries } from './structure.fixture.ts';
import { updateEntries } from './updates.fixture.ts';
import { versionEntries } from './versions.fixture.ts';

/** Valid and invalid definitions by subject. verdicts.json has the API server's result for each. */
export const corpus: Readonly<Record<string, readonly CorpusEntry[]>> = {
  names: nameEntries,
  versions: versionEntries,
  conversion: conversionEntries,
  structure: structureEntries,
  lists: listEntries,
  defaults: defaultEntries,
  rules: ruleEntries,
  costs: costEntries,
  forms: formEntries,
  updates: updateEntries,
};
