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
  ])('finds for %j the word that was meant', (word, meant) => {
    expect(didYouMean(word, known)).toBe(`; did you mean "${meant}"?`);
  });

  it.each(['categories', 'x', 'group', ''])('guesses nothing for %j', (word) => {
    expect(didYouMean(word, known)).toBe('');
  });

  it('prefers the nearest, and of equals the first', () => {
    expect(didYouMean('port', ['sort', 'ports', 'port'])).toBe('; did you mean "port"?');
    expect(didYouMean('pork', ['sork', 'port'])).toBe('; did you mean "sork"?');
    expect(didYouMean('nmae', ['size', 'name'])).toBe('; did you mean "name"?');
    expect(didYouMean('port', [])).toBe('');
  });
});
