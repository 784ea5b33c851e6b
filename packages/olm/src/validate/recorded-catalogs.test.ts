import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { catalogChecks, validateCatalog } from '../index.ts';
import { changedDocuments, expectedChecks, recordedCatalogs } from './recorded-catalogs.fixture.ts';

/** The ways in which catalogs are written: a stream of YAML, a stream of JSON, and a file for each document. */
const forms: readonly ((documents: readonly unknown[]) => Record<string, string>)[] = [
  (documents) => ({
    'catalog.yaml': documents.map((each) => `---\n${stringify(each, { version: '1.1' })}`).join(''),
  }),
  (documents) => ({ 'catalog.json': documents.map((each) => JSON.stringify(each, undefined, 2)).join('\n') }),
  (documents) => Object.fromEntries(documents.map((each, index) => [`${index}.yaml`, JSON.stringify(each)])),
];

describe('the recorded verdicts of operator-registry', () => {
  const folder = mkdtempSync(join(tmpdir(), 'evenkeel-catalogs-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  const titled = recordedCatalogs.map((each) => [JSON.stringify(each.operations), each] as const);

  it.each(titled)('are those of validateCatalog(): %s', async (title, { operations, verdict }) => {
    const target = mkdtempSync(join(folder, 'case-'));
    const files = forms[title.length % forms.length]?.(changedDocuments(operations)) ?? {};
    for (const [name, text] of Object.entries(files)) {
      writeFileSync(join(target, name), text);
    }
    const { findings } = await validateCatalog(target);
    const own = findings.filter(({ check }) => catalogChecks[check].upstream).map(({ check }) => check);
    if (verdict === '') expect(own).toEqual([]);
    for (const checks of expectedChecks(verdict)) {
      expect({ verdict, own, some: checks.some((check) => own.includes(check)) }).toMatchObject({ some: true });
    }
    expect(findings.filter(({ message }) => !/[;,] /.test(message))).toEqual([]);
  });
});
