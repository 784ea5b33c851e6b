import { SeededRandom } from '@evenkeel/core';
import { RE2JS } from 're2js';
import { literalPattern, translateExpression } from './regular-expression.ts';

const seed = Date.now() % 1_000_000;

/** Characters on which the two languages differ, among ordinary ones. */
const alphabet = [
  ...'abkszABKSZ019_-. ',
  ...['\n', '\r', '\t', '\v', '\u00a0', '\u2028', '\ufeff', '\u017f', '\u212a', 'é', 'É', 'ß', '\u0000', ']', '['],
  ...'{}()^$|*+?\\/',
];
const astral = ['😀', '𝒳'];

function randomTexts(random: SeededRandom, characters: readonly string[], count: number): string[] {
  return Array.from({ length: count }, () =>
    Array.from({ length: random.integer(6) }, () => characters[random.integer(characters.length)] ?? '').join(''),
  );
}

describe('translateExpression()', () => {
  it.each([
    /^[a-z][a-z0-9-]*$/,
    /a.b/,
    /a.b/s,
    /^\s*\S+\s*$/,
    /[\s\S]/,
    /[^\s]/,
    /[\d_]+\D/,
    /\w\W/,
    /\bab\b/,
    /^(?:a|b){1,3}$/,
    /(?<first>a)(?<second>b)/,
    /[[\]^-]/,
    /[-a]/,
    /[a-]/,
    /[+--]/,
    // biome-ignore lint/correctness/noEmptyCharacterClassInRegex: JavaScript reads it as any character
    /^[^]$/u,
    /{}|a{,2}/,
    /a{2}/,
    /[a-k]S/i,
    /[^a-k]/i,
    /k/i,
    /[k-s]/iu,
    /s/iu,
    /é/i,
    /^[ß-ſ]+$/i,
    /^[a-zǅµΩ]+$/i,
    /^[\u00a1-\uffff]+$/,
    /^[a-\uffff]*$/i,
    /\x41\u0042\t\0/,
    /\u{1F600}|\uD83D\uDE00/u,
    /^.$/u,
    /^.+$/,
    /\//,
    /\p{L}\p{Lu}/u,
    /\P{Script=Greek}/u,
    /-Za/,
    /ab/g,
    /ab/y,
    /(a|b|)+?c/,
    /[\b]/,
    /^$/,
    /é/,
  ])('%s accepts the same texts in RE2', (expression) => {
    const translated = translateExpression(expression);
    if ('refused' in translated) throw new Error(translated.refused);
    const random = new SeededRandom(seed);
    const compiled = RE2JS.compile(translated.pattern);
    const characters = translated.countsAstralOnce ? alphabet : [...alphabet, ...astral];
    for (const text of ['', 'ab', 'a b', 'aXb', ...randomTexts(random, characters, 2000)]) {
      expression.lastIndex = 0;
      const accepted = expression.test(text);
      if (compiled.matcher(text).find() === accepted) continue;
      throw new Error(
        `seed ${seed}: ${expression} ${accepted ? 'accepts' : 'refuses'} ${JSON.stringify(text)}, ${translated.pattern} does not`,
      );
    }
  });

  it.each([
    [/(?=a)b/, 'RE2 has no lookahead'],
    [/(?<!a)b/, 'RE2 has no lookbehind'],
    [/(a)\1/, 'RE2 has no backreferences'],
    [/(?<x>a)\k<x>/, 'RE2 has no backreferences'],
    [/a{1001}/, 'RE2 repeats at most 1000 times; use @MaxLength for the length'],
    [/^a$/m, 'with the flag m JavaScript ends lines also at \\r and U+2028, RE2 only at \\n'],
    [/é/iu, 'with the flags i and u letters outside of ASCII are folded differently in RE2; spell both cases out'],
    [/\p{Script_Extensions=Greek}/u, 'RE2 knows \\p{...} only for scripts and short general categories'],
    [/😀+/, 'it names a character beyond U+FFFF, which JavaScript reads as two; add the flag u'],
    [/\ud83d/, 'it names half of a character beyond U+FFFF; add the flag u and write \\u{...}'],
    // biome-ignore lint/correctness/noEmptyCharacterClassInRegex: it is what is refused
    [/[]/, '[] matches nothing'],
  ])('refuses %s', (expression, refused) => {
    expect(translateExpression(expression)).toEqual({ refused });
  });

  it('refuses the flag v, whose sets RE2 does not have', () => {
    expect(translateExpression({ source: '[a&&b]', flags: 'v' })).toEqual({
      refused: 'the flag v has no counterpart in RE2; use u',
    });
  });

  it('refuses what RE2 would have to unroll too far', () => {
    expect(translateExpression(/(a{1000}){1000}/)).toEqual({ refused: expect.stringContaining('RE2 refuses it') });
  });

  it('says where characters beyond U+FFFF count differently', () => {
    expect(translateExpression(/^.{1,5}$/)).toMatchObject({ countsAstralOnce: true });
    expect(translateExpression(/^.{1,5}$/u)).toMatchObject({ countsAstralOnce: false });
    expect(translateExpression(/^.*$/)).toMatchObject({ countsAstralOnce: false });
  });
});

describe('literalPattern()', () => {
  it('matches a text and no other', () => {
    for (const text of ['a.b', '(', '[x]', '\\d', '😀', '\n', '^$']) {
      const pattern = RE2JS.compile(`^${literalPattern(text)}$`);
      expect(pattern.matcher(text).find()).toBe(true);
      expect(pattern.matcher(`${text}x`).find()).toBe(false);
    }
    expect(RE2JS.compile(literalPattern('a.b')).matcher('axb').find()).toBe(false);
  });
});
