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

// One mutation in some ten thousand finds a difference that nobody has seen: looking for them is for people, who set a seed.
const count = Number(process.env['EVENKEEL_MUTATIONS'] ?? 300);

const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All';
const folder = fileURLToPath(new URL('../../../../../../shared/crds/', import.meta.url));

/** Those that are small enough to be sent by the hundred. */
const publicDefinitions = (existsSync(folder) ? readdirSync(folder) : [])
  .filter((file) => file.endsWith('.yaml'))
  .map((file) => readFileSync(`${folder}${file}`, 'utf8'))
  .filter((text) => text.length < 100_000)
  .map((text): unknown => parse(text));

const good = Object.values(corpus)
  .flat()
  .filter(({ isAccepted, old }) => isAccepted && old === undefined)
  .map(({ crd }) => crd);

/** What the types of nested objects are called in messages of CEL depends on which of them were asked for before. */
function withoutTypeNames<T>(verdict: T): T {
  return JSON.parse(JSON.stringify(verdict).replace(/selfType(?:\.[\w@]+)+/g, 'selfType')) as T;
}

describeWithRealServer('definitions changed at random', () => {
  let server: RealServer | undefined;

  beforeAll(async () => {
    server = await startRealServer();
  });

  afterAll(() => server?.stop());

  it(`get the same verdict here and from a real API server: ${count} of seed ${seed}`, async () => {
    const random = new SeededRandom(seed);
    let brokenOff = 0;
    for (let i = 0; i < count; i++) {
      const from = publicDefinitions.length > 0 && random.next() < 0.05 ? publicDefinitions : good;
      const crd = mutated(from[random.integer(from.length)], random);
      const answer: RealAnswer | undefined = await server?.send('POST', path, { body: crd }).catch(() => undefined);
      if (answer === undefined) {
        brokenOff++;
        continue;
      }
      const theirs = withoutTypeNames(verdictIn(answer));
      const ours = withoutTypeNames(ownVerdict({ name: '', isAccepted: false, crd }, theirs));
      expect({ seed, i, crd, ...ours }).toEqual({ seed, i, crd, ...theirs });
    }
    // It panics about selectable fields, and rules below items of what is no list, in schemas that are broken besides.
    expect(brokenOff).toBeLessThan(count / 20);
  });
});
