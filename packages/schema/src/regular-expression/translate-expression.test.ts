import { SeededRandom } from '@evenkeel/core';
import { RE2JS } from 're2js';
import { seed } from '../../../../test/seed.fixture.ts';
import { textsNear } from '../constraints/random-value.fixture.ts';
import { expressionValidations } from './expression-validations.ts';
import { matchOf } from './matching-text.ts';
import { randomExpression, randomText } from './random-expression.fixture.ts';
import { literalPattern, translateExpression } from './translate-expression.ts';

/** Ordinary characters, and characters for which the two languages differ. */
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

function textsOf(characters: readonly string[], length: number): string[] {
  if (length === 0) return [''];
  const shorter = textsOf(characters, length - 1);
  return ['', ...shorter.flatMap((text) => characters.map((character) => text + character))];
}

function translatedOf(expression: RegExp) {
  const translated = translateExpression(expression);
  if ('refused' in translated) throw new Error(translated.refused);
  return translated;
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
    /(a|b|)+?c/,
    /[\b]/,
    /^$/,
    /é/,
  ])('translates %s so that RE2 accepts the same strings', (expression) => {
    const translated = translatedOf(expression);
    const random = new SeededRandom(seed);
    const compiled = RE2JS.compile(translated.pattern);
    const characters = translated.countsAstralOnce ? alphabet : [...alphabet, ...astral];
    for (const text of ['', 'ab', 'a b', 'aXb', ...randomTexts(random, characters, 2000)]) {
      expression.lastIndex = 0;
      const accepted = expression.test(text);
      if (compiled.matcher(text).find() === accepted) continue;
      throw new Error(
        `seed ${seed}: ${expression} ${accepted ? 'accepts' : 'rejects'} ${JSON.stringify(text)}, ${translated.pattern} does not`,
      );
    }
  });

  it.each([
    [/(?=a)b/, 'RE2 has no lookahead'],
    [/(?<!a)b/, 'RE2 has no lookbehind'],
    [/(a)\1/, 'RE2 has no backreferences'],
    [/(?<x>a)\k<x>/, 'RE2 has no backreferences'],
    [/ab/y, 'with the flag y it starts where the last match ended, so each result may differ; remove the flag'],
    [/\bk/iu, 'with the flags i and u \\b recognises more letters than in RE2; list the allowed characters'],
    [/a{1001}/, 'RE2 allows at most 1000 repetitions; use @MaxLength to limit the length'],
    [/^a$/m, 'with the flag m JavaScript also ends lines at \\r and U+2028, RE2 only at \\n'],
    [
      /é/iu,
      'with the flags i and u the case of letters outside of ASCII is folded differently in RE2; write both cases',
    ],
    [/\p{Script_Extensions=Greek}/u, 'RE2 supports \\p{...} only for scripts and short general categories'],
    [/😀+/, 'it contains a character beyond U+FFFF, which JavaScript reads as two; add the flag u'],
    [/\ud83d/, 'it contains half of a character beyond U+FFFF; add the flag u and write \\u{...}'],
    // biome-ignore lint/correctness/noEmptyCharacterClassInRegex: the case needs it
    [/[]/, '[] never matches'],
  ])('rejects %s', (expression, refused) => {
    expect(translateExpression(expression)).toEqual({ refused });
  });

  it('rejects the flag v, because RE2 does not have its sets', () => {
    expect(translateExpression({ source: '[a&&b]', flags: 'v' })).toEqual({
      refused: 'the flag v has no counterpart in RE2; use u',
    });
  });

  it('rejects repetitions that RE2 would have to unroll too far', () => {
    expect(translateExpression(/(a{1000}){1000}/)).toEqual({
      refused: 'its repetitions are too large for RE2; use @MaxLength',
    });
    expect(translateExpression(/(a{40}){40}/)).toEqual({ refused: expect.stringContaining('RE2 rejects it') });
  });

  it.each([
    [/a*?\B/g, 'a😀a'],
    [/-|\B_*/, 'b😀b'],
    [/-|\B_*/u, 'b😀b'],
    [/^.$/, '😀'],
    [/^.{1,2}$/, '😀😀'],
    [/^a.b$/, 'a😀b'],
    [/../, '😀'],
    [/^.+.+$/, '😀'],
    [/^.+\S+$/, '😀'],
    [/^.+a*[^b]$/, '😀'],
    [/^(?:.+){2}$/, '😀'],
    [/^(?:\D+a?|\W+b?)+?\D+$/, '😀'],
    [/^(?:a.)*$/, 'a😀'],
    [/(?:^|a)[^\\D]$/, '😀'],
  ])('reports that %s differs for characters beyond U+FFFF', (expression, text) => {
    const { pattern, countsAstralOnce } = translatedOf(expression);
    expect([countsAstralOnce, RE2JS.compile(pattern).test(text) === expression.test(text)]).toEqual([true, false]);
  });

  it.each([
    /\S/,
    /^./,
    /a.|b.|^$/,
    /[^a]$/,
    /^.*$/,
    /^\S.*$/,
    /^.*[^a]b/,
    /^(?:.|a)*$/,
    /^(?:(?:\S|@)+@)+$/,
    /^\S+@\S+$/,
    /^[^ab]+b[^ab]+(?:b[^ab]+)*$/,
    /^.+\b.+$/,
    /^.+(?:a|^).+$/,
    /^(?:.+a?)+$/,
    /^[^\D]{2}$/,
    /^.+.*$/,
    /^.{1,5}$/u,
  ])('agrees with JavaScript for every string of up to five characters: %s', (expression) => {
    const { pattern, countsAstralOnce } = translatedOf(expression);
    const compiled = RE2JS.compile(pattern);
    expect(countsAstralOnce).toBe(false);
    expect(
      textsOf(['a', 'b', '@', ' ', '😀'], 5).filter((text) => compiled.test(text) !== expression.test(text)),
    ).toEqual([]);
  });
});

describe('translateExpression() with random expressions', () => {
  it('returns a pattern that accepts the same strings, or a reason', () => {
    const random = new SeededRandom(seed);
    let pairs = 0;
    let refused = 0;
    let accepted = 0;
    for (let round = 0; round < 3000; round++) {
      const expression = randomExpression(random);
      const translated = translateExpression(expression);
      if ('refused' in translated) {
        refused++;
        continue;
      }
      const compiled = RE2JS.compile(translated.pattern);
      const near = textsNear(matchOf(expression));
      for (let tries = 0; tries < 10; tries++) {
        // Short, because JavaScript needs exponential time for `(?:(\W+)*)+`.
        const text = (tries % 2 === 0 ? near(random) : randomText(random)).slice(0, 12).toWellFormed();
        if (translated.countsAstralOnce && /[\ud800-\udfff]/.test(text)) continue;
        expression.lastIndex = 0;
        const isMatch = expression.test(text);
        pairs++;
        if (isMatch) accepted++;
        if (compiled.test(text) === isMatch) continue;
        throw new Error(
          `seed ${seed}: ${expression} ${isMatch ? 'accepts' : 'rejects'} ${JSON.stringify(text)}, ${translated.pattern} does not`,
        );
      }
    }
    expect(pairs).toBeGreaterThan(10_000);
    expect(refused).toBeGreaterThan(100);
    expect(accepted).toBeGreaterThan(pairs / 10);
    expect(accepted).toBeLessThan((pairs * 9) / 10);
  });
});

describe('translateExpression() with hostile expressions', () => {
  it.each([
    ['a long string', 'a'.repeat(10_000)],
    ['many alternatives', Array.from({ length: 3000 }, (_unused, at) => `a${at}`).join('|')],
    ['deep groups', `${'('.repeat(5000)}a${')'.repeat(5000)}`],
    ['deep lookaheads', `^${'(?='.repeat(3000)}a${')'.repeat(3000)}`],
    ['many lookaheads', `^${'(?=a)'.repeat(2000)}`],
    ['repeated repetitions', `${'('.repeat(50)}a${'{30})'.repeat(50)}`],
    ['many repetitions', 'a{1000}'.repeat(1000)],
    ['many classes', '[^a-z]'.repeat(1500)],
    ['folded ranges', '[\u0000-\uffff]'.repeat(500)],
    ['a name without an end', `(?<${'a'.repeat(9000)}>x)`],
    ['braces that are not quantifiers', '{'.repeat(9000)],
    ['stars in stars', `${'(?:'.repeat(500)}a${')*'.repeat(500)}`],
  ])('takes bounded time for %s', (_name, source) => {
    const started = process.cpuUsage();
    for (const flags of ['', 'i', 'iu']) {
      const said = expressionValidations({ source, flags });
      if ('refused' in said) expect(said.refused).not.toBe('');
      else
        for (const { pattern } of said.all) if (pattern !== undefined) expect(pattern.length).toBeLessThan(1_000_000);
    }
    expect(process.cpuUsage(started).user / 1e6).toBeLessThan(5);
  });
});

describe('literalPattern()', () => {
  it('matches only the string itself', () => {
    for (const text of ['a.b', '(', '[x]', '\\d', '😀', '\n', '^$']) {
      const pattern = RE2JS.compile(`^${literalPattern(text)}$`);
      expect(pattern.matcher(text).find()).toBe(true);
      expect(pattern.matcher(`${text}x`).find()).toBe(false);
    }
    expect(RE2JS.compile(literalPattern('a.b')).matcher('axb').find()).toBe(false);
  });
});
