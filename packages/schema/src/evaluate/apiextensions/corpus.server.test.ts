import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describeWithRealServer, type RealServer, startRealServer } from '../../../../../test/real-server.fixture.ts';
import { checkCustomResourceDefinition } from './check-crd.ts';
import { CorpusServer, verdictIn } from './corpus/corpus-server.fixture.ts';
import { corpus } from './corpus/index.fixture.ts';
import { storedOf, type Verdict } from './corpus/verdict.fixture.ts';
import { storedOtherwise } from './corpus/wording.fixture.ts';

/** `EVENKEEL_RECORD=1` records the server's current results instead of comparing them with the record. */
const isRecording = process.env['EVENKEEL_RECORD'] === '1';
const record = fileURLToPath(new URL('corpus/verdicts.json', import.meta.url));
const recorded: { readonly [name: string]: Verdict } = JSON.parse(readFileSync(record, 'utf8'));

describeWithRealServer("the record of the API server's results for the corpus", () => {
  let server: RealServer | undefined;
  let corpusServer: CorpusServer;
  const now: { [name: string]: Verdict } = {};

  beforeAll(async () => {
    server = await startRealServer();
    corpusServer = await CorpusServer.on(server);
  });

  afterAll(async () => {
    await server?.stop();
    if (isRecording) writeFileSync(record, `${JSON.stringify(now, undefined, 2)}\n`);
  });

  it.each(Object.entries(corpus))(
    'matches the server for %s, and the server stores what we would store',
    async (_, entries) => {
      const differing: unknown[] = [];
      for (const entry of entries) {
        const response = await corpusServer.answerTo(entry);
        const verdict = verdictIn(response);
        now[entry.name] = verdict;
        if (!isRecording && JSON.stringify(verdict) !== JSON.stringify(recorded[entry.name])) {
          differing.push({ name: entry.name, said: verdict, recorded: recorded[entry.name] });
        }
        if (!entry.isAccepted || storedOtherwise.has(entry.name)) continue;
        const { crd } = checkCustomResourceDefinition(entry.crd, entry.old && storedOf(entry.old));
        expect({ name: entry.name, spec: withoutEmpty(crd.spec) }).toEqual({
          name: entry.name,
          spec: withoutEmpty(response.body.spec),
        });
      }
      expect(differing).toEqual([]);
    },
  );
});

/** Go omits empty and false values, and writes null for required values that are nil. */
function withoutEmpty(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null), (key, member: unknown) => {
    const isEmptyList = Array.isArray(member) && member.length === 0;
    const isEmptyMap =
      ['properties', 'patternProperties', 'definitions', 'webhook'].includes(key) &&
      Object.keys(member as object).length === 0;
    return member === null || member === false || member === '' || isEmptyList || isEmptyMap ? undefined : member;
  });
}
