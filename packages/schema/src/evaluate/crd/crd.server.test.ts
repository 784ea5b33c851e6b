import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { StatusCause } from '@evenkeel/core';
import { parse } from 'yaml';
import { fieldErrorText, statusCauseOf } from '../field-error.ts';
import { copyJson } from '../json-value.ts';
import { hasEnvtest, RealServer } from '../real-server.fixture.ts';
import { defaultCustomResourceDefinition } from './default-crd.ts';
import { sampleDefinitions } from './sample-definitions.fixture.ts';
import { validateCustomResourceDefinition } from './validate-crd.ts';

const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const publicDefinitions = fileURLToPath(new URL('../../../../../../shared/crds/', import.meta.url));

if (!hasEnvtest)
  process.stderr.write('crd.server.test.ts: skipped, there is no real API server in ../shared/envtest\n');

(hasEnvtest ? describe : describe.skip)('definitions judged here and by a real API server', () => {
  let server: RealServer;

  beforeAll(() => {
    server = RealServer.start();
  }, 60_000);

  afterAll(() => {
    server?.stop();
  });

  it.each(sampleDefinitions)('%s', async (_, crd) => {
    const answer = await server.send('POST', `${path}?dryRun=All`, crd);
    const own = copyJson(crd);
    defaultCustomResourceDefinition(own);
    const ours = validateCustomResourceDefinition(own).map(statusCauseOf);
    const theirs = (answer.body['details'] as { causes?: StatusCause[] } | undefined)?.causes ?? [];
    expect(ours.map(comparable).sort()).toEqual(theirs.map(comparable).sort());
    expect(answer.code).toBe(ours.length === 0 ? 201 : 422);
    if (answer.code === 201) expect(withoutNulls(own.spec)).toEqual(answer.body['spec']);
  });

  it.each(readdirSync(publicDefinitions).filter((file) => file.endsWith('.yaml')))('accepts %s', async (file) => {
    const crd = parse(readFileSync(`${publicDefinitions}${file}`, 'utf8'));
    defaultCustomResourceDefinition(crd);
    expect(validateCustomResourceDefinition(crd).map(fieldErrorText)).toEqual([]);
  });
});

/** The server's decoder leaves nulls out. */
function withoutNulls(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_, member) => (member === null ? undefined : member)));
}

/** Structs that messages print in Go's internal form are left out. */
function comparable({ field, reason, message = '' }: StatusCause): string {
  return `${field} | ${reason} | ${message.replace(/^Invalid value: (?:\[\]apiextensions|[[{]).*?[}\]]: (?=must|only)/s, 'Invalid value: ...: ')}`;
}
