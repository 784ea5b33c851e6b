import { readFileSync } from 'node:fs';
import { corpus } from './corpus/index.fixture.ts';
import { ownVerdict, pathsOf, type Verdict } from './corpus/verdict.fixture.ts';
import { differentWords } from './corpus/wording.fixture.ts';

const entries = Object.values(corpus).flat();
const recorded: { readonly [name: string]: Verdict } = JSON.parse(
  readFileSync(new URL('corpus/verdicts.json', import.meta.url), 'utf8'),
);

describe('the corpus', () => {
  it('has at least 400 definitions, each of a name of its own, at least a third of them good and a third broken', () => {
    const accepted = entries.filter(({ isAccepted }) => isAccepted).length;
    expect(entries.length).toBeGreaterThanOrEqual(400);
    expect(accepted).toBeGreaterThan(entries.length / 3);
    expect(accepted).toBeLessThan((2 * entries.length) / 3);
    expect(new Set(entries.map(({ name }) => name)).size).toBe(entries.length);
  });

  it('has a verdict of the API server for each, and no other', () => {
    expect(Object.keys(recorded).sort()).toEqual(entries.map(({ name }) => name).sort());
  });

  it('says of no difference in words what is none', () => {
    for (const name of differentWords.keys()) {
      const entry = entries.find((candidate) => candidate.name === name);
      expect(entry && ownVerdict(entry, recorded[name])).not.toEqual(recorded[name]);
    }
  });
});

describe.each(Object.entries(corpus))('what the API server says of %s', (_, about) => {
  it.each(about)('is what we say: $name', (entry) => {
    const expected = recorded[entry.name] ?? {};
    const own = ownVerdict(entry, expected);
    if (differentWords.has(entry.name)) expect(pathsOf(own)).toEqual(pathsOf(expected));
    else expect(own).toEqual(expected);
    expect(own.errors === undefined && own.undecoded === undefined).toBe(entry.isAccepted);
  });
});
