import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { SeededRandom } from '@evenkeel/core';
import { parse } from 'yaml';
import {
  describeWithRealServer,
  type RealAnswer,
  type RealServer,
  startRealServer,
} from '../../../../../test/real-server.fixture.ts';
import { seed } from '../../../../../test/seed.fixture.ts';
import { verdictIn } from './corpus/corpus-server.fixture.ts';
import { corpus } from './corpus/index.fixture.ts';
import { mutated } from './corpus/mutation.fixture.ts';
import { ownVerdict } from './corpus/verdict.fixture.ts';

// About one in ten thousand mutations finds a new difference. To search for them, set a seed by hand.
const count = Number(process.env['EVENKEEL_MUTATIONS'] ?? 300);

const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All';
const folder = fileURLToPath(new URL('../../../../../../shared/crds/', import.meta.url));

/** Definitions that are small enough to send hundreds of them. */
const publicDefinitions = (existsSync(folder) ? readdirSync(folder) : [])
  .filter((file) => file.endsWith('.yaml'))
  .map((file) => readFileSync(`${folder}${file}`, 'utf8'))
  .filter((text) => text.length < 100_000)
  .map((text): unknown => parse(text));

const good = Object.values(corpus)
  .flat()
  .filter(({ isAccepted, old }) => isAccepted && old === undefined)
  .map(({ crd }) => crd);

/** The names of nested object types in CEL's messages depend on which of them were used before. */
function withoutTypeNames<T>(verdict: T): T {
  return JSON.parse(JSON.stringify(verdict).replace(/selfType(?:\.[\w@]+)+/g, 'selfType')) as T;
}

describeWithRealServer('randomly changed definitions', () => {
  let server: RealServer | undefined;

  beforeAll(async () => {
    server = await startRealServer();
  });

  afterAll(() => server?.stop());

  it(`get the same result here and from a real API server: ${count} of seed ${seed}`, async () => {
    const random = new SeededRandom(seed);
    let brokenOff = 0;
    for (let i = 0; i < count; i++) {
      const from = publicDefinitions.length > 0 && random.next() < 0.05 ? publicDefinitions : good;
      const crd = mutated(from[random.integer(from.length)], random);
      const response: RealAnswer | undefined = await server?.send('POST', path, { body: crd }).catch(() => undefined);
      if (response === undefined) {
        brokenOff++;
        continue;
      }
      const theirs = withoutTypeNames(verdictIn(response));
      const ours = withoutTypeNames(ownVerdict({ name: '', isAccepted: false, crd }, theirs));
      expect({ seed, i, crd, ...ours }).toEqual({ seed, i, crd, ...theirs });
    }
    // It panics for selectable fields, and for rules below items of a non-list, in schemas with other errors.
    expect(brokenOff).toBeLessThan(count / 20);
  });
});
