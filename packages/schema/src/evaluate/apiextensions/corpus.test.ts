import { readFileSync } from 'node:fs';
import { corpus } from './corpus/index.fixture.ts';
import { ownVerdict, pathsOf, type Verdict } from './corpus/verdict.fixture.ts';
import { differentWords } from './corpus/wording.fixture.ts';

const entries = Object.values(corpus).flat();
const recorded: { readonly [name: string]: Verdict } = JSON.parse(
  readFileSync(new URL('corpus/verdicts.json', import.meta.url), 'utf8'),
);

describe('the corpus', () => {
  it('has at least 400 definitions with unique names, at least a third of them valid and a third invalid', () => {
    const accepted = entries.filter(({ isAccepted }) => isAccepted).length;
    expect(entries.length).toBeGreaterThanOrEqual(400);
    expect(accepted).toBeGreaterThan(entries.length / 3);
    expect(accepted).toBeLessThan((2 * entries.length) / 3);
    expect(new Set(entries.map(({ name }) => name)).size).toBe(entries.length);
  });

  it('has exactly one result of the API server for each definition', () => {
    expect(Object.keys(recorded).sort()).toEqual(entries.map(({ name }) => name).sort());
  });

  it('declares no difference in messages that does not exist', () => {
    for (const name of differentWords.keys()) {
      const entry = entries.find((candidate) => candidate.name === name);
      expect(entry && ownVerdict(entry, recorded[name])).not.toEqual(recorded[name]);
    }
  });
});

describe.each(Object.entries(corpus))('checkCrd compared with the API server: %s', (_, about) => {
  it.each(about)('returns the same result: $name', (entry) => {
    const expected = recorded[entry.name] ?? {};
    const own = ownVerdict(entry, expected);
    if (differentWords.has(entry.name)) expect(pathsOf(own)).toEqual(pathsOf(expected));
    else expect(own).toEqual(expected);
    expect(own.errors === undefined && own.undecoded === undefined).toBe(entry.isAccepted);
  });
});
