import { SeededRandom } from '@evenkeel/core';
import { RE2JS } from 're2js';
import { seed } from '../../../../test/seed.fixture.ts';
import { textsNear } from '../constraints/random-value.fixture.ts';
import { type ExpressionValidations, expressionValidations, type TextValidation } from './expression-validations.ts';
import { matchOf } from './matching-text.ts';

type Said = Exclude<ExpressionValidations, { readonly refused: string }>;

function said(expressed: ExpressionValidations): Said {
  if ('refused' in expressed) throw new Error(expressed.refused);
  return expressed;
}

function accepts(all: readonly TextValidation[], text: string): boolean {
  const matches = (pattern: string | undefined) => pattern === undefined || RE2JS.compile(pattern).matcher(text).find();
  return all.every(({ pattern, not }) => matches(pattern) && (not === undefined || !matches(not.pattern)));
}

describe('expressionValidations()', () => {
  it.each([
    [/^(?=.*\d)(?=.*[a-z]).{4,8}$/u, /[a-z0-9]{3,9}/],
    [/^(?!admin$|root$)[a-z]+$/, /admin|root|roots|[a-z]{1,4}/],
    [/^(?!-)[a-z-]+$/, /[a-z-]{1,3}/],
    [/^(?=[a-z](?:b|\))[|)]*)(?![^)|]{4})[a-z)|]+/, /[ab)|]{1,5}/],
    [/^(?!.*(?:o))[A-Za-z]\d[\dw]\s\w{4}$/i, /[ad]\d[w0]\s[a-o]{4}/],
    [/^(?=a)$/, /a?/],
    [/^(?!a)/, /a?b/],
  ])('expresses %s without lookaheads', (expression, good) => {
    const { all, countsAstralOnce } = said(expressionValidations(expression));
    const random = new SeededRandom(seed);
    const near = textsNear(matchOf(good));
    for (let tries = 0; tries < 1000; tries++) {
      const text = near(random);
      if (countsAstralOnce && /[\ud800-\udfff]/.test(text)) continue;
      if (accepts(all, text) !== expression.test(text)) {
        throw new Error(`seed ${seed}: ${expression} and ${JSON.stringify(all)} differ about ${JSON.stringify(text)}`);
      }
    }
  });

  it.each([/^(?!a)b|c$/, /a(?=b)/, /(?:^(?=a))b/, /^(?=a)*b/, /^a(?!b)|^(?=c)/, /(?<=a)b/])(
    'does not apply a lookahead of one alternative or part to the whole string: %s',
    (expression) => {
      expect(expressionValidations(expression)).toEqual({ refused: expect.stringMatching(/^RE2 has no look/) });
    },
  );

  it('reports also for a lookahead that it counts characters beyond U+FFFF twice', () => {
    const { all, countsAstralOnce } = said(expressionValidations(/^(?![^)]{4})[a-z]+/));
    expect([/^(?![^)]{4})[a-z]+/.test('ab😀'), accepts(all, 'ab😀'), countsAstralOnce]).toEqual([false, true, true]);
    expect(expressionValidations(/^(?![^)]$)[a-z]*/)).toMatchObject({ countsAstralOnce: true });
    expect(expressionValidations(/^(?=[^)]+$)[a-z]*/)).toMatchObject({ countsAstralOnce: false });
  });

  it('returns the reason if a part cannot be expressed', () => {
    expect(expressionValidations(/^(?=(a)\1)b/)).toEqual({ refused: 'RE2 has no backreferences' });
  });

  it('omits lookaheads if the option is set, and reports it', () => {
    expect(expressionValidations(/^a(?!b)[a-z]|(?=x)?c$/, { leaveOutLookaheads: true })).toEqual({
      all: [{ pattern: '^a[a-z]|(?:)?c$' }],
      countsAstralOnce: false,
      leavesOutLookaheads: true,
    });
    expect(expressionValidations(/^(?!(\d)\1)\d+$/, { leaveOutLookaheads: true })).toEqual({
      all: [{ pattern: '^\\d+$' }],
      countsAstralOnce: false,
      leavesOutLookaheads: true,
    });
    expect(expressionValidations(/^[(?=]$/, { leaveOutLookaheads: true })).toMatchObject({
      leavesOutLookaheads: false,
    });
  });

  it('allows a string between the characters that an expression matches, and nowhere else', () => {
    const { all } = said(expressionValidations(/^[A-Z]{2}(?:\d|x\.)+$/, { between: ' *' }));
    for (const text of ['AB1', ' A B 1 2 ', 'ABx. ', 'AB x . 1']) expect(accepts(all, text)).toBe(true);
    for (const text of ['A B', 'AB-1', 'A  1', '', 'ABx']) expect(accepts(all, text)).toBe(false);
    const { all: braces } = said(expressionValidations(/^{a{2}}$/, { between: ' *' }));
    for (const text of ['{aa}', ' { a a } ']) expect(accepts(braces, text)).toBe(true);
    for (const text of ['{ a}', '{a{2}}']) expect(accepts(braces, text)).toBe(false);
  });
});
