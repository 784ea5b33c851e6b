import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { StatusCause } from '@evenkeel/core';
import { parse } from 'yaml';
import { describeWithRealServer, type RealServer, startRealServer } from '../../../../../test/real-server.fixture.ts';
import { fieldErrorText, statusCauseOf } from '../field-error.ts';
import { copyJson } from '../json-value.ts';
import { costlyDefinitions } from './costly-definitions.fixture.ts';
import {
  type CustomResourceDefinition,
  type DefinitionSpec,
  isEstablished,
  type VersionSpec,
} from './custom-resource-definition.ts';
import { defaultCustomResourceDefinition } from './default-crd.ts';
import { sampleDefinitions } from './sample-definitions.fixture.ts';
import { validateCustomResourceDefinition } from './validate-crd.ts';

const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const publicDefinitions = fileURLToPath(new URL('../../../../../../shared/crds/', import.meta.url));

const publicFiles = existsSync(publicDefinitions)
  ? readdirSync(publicDefinitions).filter((file) => file.endsWith('.yaml'))
  : ['the definitions of public projects, which are not here'];

describeWithRealServer('definitions judged here and by a real API server', () => {
  let server: RealServer;

  beforeAll(async () => {
    server = await startRealServer();
  }, 60_000);

  afterAll(() => server?.stop());

  it.each([...sampleDefinitions, ...costlyDefinitions])('%s', async (_, crd) => {
    const answer = await server.send('POST', `${path}?dryRun=All`, { body: crd });
    const own = copyJson(crd);
    defaultCustomResourceDefinition(own);
    const ours = validateCustomResourceDefinition(own).map(statusCauseOf);
    const theirs = (answer.body['details'] as { causes?: StatusCause[] } | undefined)?.causes ?? [];
    expect(ours.map(comparable).sort()).toEqual(theirs.map(comparable).sort());
    expect(answer.status).toBe(ours.length === 0 ? 201 : 422);
    if (answer.status === 201) expect(withoutNulls(own.spec)).toEqual(answer.body['spec']);
  });

  const updates: [string, (spec: DefinitionSpec, version: VersionSpec) => void][] = [
    ['nothing', () => {}],
    ['scope', (spec) => Object.assign(spec, { scope: 'Cluster' })],
    ['kind', (spec) => Object.assign(spec.names ?? {}, { kind: 'Other' })],
    ['plural', (spec) => Object.assign(spec.names ?? {}, { plural: 'others' })],
    ['group', (spec) => Object.assign(spec, { group: 'other.example.com' })],
    ['the only version', (_, version) => Object.assign(version, { name: 'v2' })],
    ['the schema, to a broken one', (_, version) => Object.assign(version, { schema: {} })],
    ['short names', (spec) => Object.assign(spec.names ?? {}, { shortNames: ['t', 'T'] })],
    ['conversion', (spec) => Object.assign(spec, { conversion: { strategy: 'Webhook' } })],
  ];

  it.each(updates)('update of %s', async (_, change) => {
    const [, sample] = sampleDefinitions[0] ?? [];
    await server.send('POST', path, { body: sample });
    const at = `${path}/${sample?.metadata?.name}`;
    const { body } = await server.sendUntil((answer) => isEstablished(answer.body), 'GET', at);
    const old: CustomResourceDefinition = body;
    const crd = copyJson(old);
    change(crd.spec ?? {}, crd.spec?.versions?.[0] ?? {});
    const answer = await server.send('PUT', `${at}?dryRun=All`, { body: crd });
    const storage = crd.spec?.versions?.[0]?.name ?? '';
    crd.status = { ...crd.status, storedVersions: [...new Set(['v1', storage])] };
    const ours = validateCustomResourceDefinition(crd, old).map(statusCauseOf);
    const theirs = (answer.body['details'] as { causes?: StatusCause[] } | undefined)?.causes ?? [];
    expect(ours.map(comparable).sort()).toEqual(theirs.map(comparable).sort());
    expect(answer.status).toBe(ours.length === 0 ? 200 : 422);
  });

  it.each(publicFiles)('accepts %s', async (file) => {
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
