import { didYouMean } from './did-you-mean.ts';

const known = ['shortNames', 'singular', 'scope', 'plural'];

describe('didYouMean', () => {
  it.each([
    ['shortname', 'shortNames'],
    ['SHORTNAMES', 'shortNames'],
    ['shrotNames', 'shortNames'],
    ['plurals', 'plural'],
    ['scop', 'scope'],
    ['socpe', 'scope'],
  ])('suggests a known word for %j', (word, expected) => {
    expect(didYouMean(word, known)).toBe(`; did you mean "${expected}"?`);
  });

  it.each(['categories', 'x', 'group', ''])('suggests nothing for %j', (word) => {
    expect(didYouMean(word, known)).toBe('');
  });

  it('does not suggest the word itself, nor a similar one', () => {
    expect(didYouMean('port', ['sort', 'ports', 'port'])).toBe('');
  });

  it('prefers the most similar word, and the first of equally similar words', () => {
    expect(didYouMean('Port', ['sort', 'ports', 'port'])).toBe('; did you mean "port"?');
    expect(didYouMean('pork', ['sork', 'port'])).toBe('; did you mean "sork"?');
    expect(didYouMean('nmae', ['size', 'name'])).toBe('; did you mean "name"?');
    expect(didYouMean('port', [])).toBe('');
  });
});
