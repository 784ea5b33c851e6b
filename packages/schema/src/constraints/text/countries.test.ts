import { createRequire } from 'node:module';
import { SeededRandom } from '@evenkeel/core';
import * as validators from 'class-validator';
import { seed } from '../../../../../test/seed.fixture.ts';
import { compileSchema } from '../../evaluate/custom-resource/compiled-schema.ts';
import type { StructuralSchema } from '../../evaluate/structural-schema.ts';
import { matchOf } from '../../regular-expression/matching-text.ts';
import { constraintRule } from '../constraint-table.ts';
import { textsNear } from '../random-value.fixture.ts';
import type { Grade, Outcome } from '../rule/constraint.ts';
import { validatorExpressions } from './validator-expressions.ts';

/** The locales that validator.js itself lists. */
function localesOf(name: string): readonly string[] {
  const nearby = createRequire(createRequire(import.meta.url).resolve('class-validator'));
  return (nearby(`validator/lib/${name}`) as { readonly locales: readonly string[] }).locales;
}

function applied(rule: string, locale: string): { schema: StructuralSchema; outcomes: readonly Outcome[] } {
  const schema: StructuralSchema = { type: 'string' };
  const outcome = constraintRule(rule)?.apply?.(schema, [locale], {});
  return { schema, outcomes: outcome === undefined ? [] : [outcome].flat() };
}

/** The functions, with the grades of the locales that are not exact. */
const tables: readonly (readonly [
  name: string,
  accepts: (text: string, locale: string) => boolean,
  usual: Grade,
  others: Readonly<Record<string, readonly Grade[]>>,
])[] = [
  ['isAlpha', (text, locale) => validators.isAlpha(text, locale as never), 'exact', {}],
  ['isAlphanumeric', (text, locale) => validators.isAlphanumeric(text, locale as never), 'exact', {}],
  [
    'isMobilePhone',
    (text, locale) => validators.isMobilePhone(text, locale as never),
    'exact',
    { 'el-GR': ['looser'] },
  ],
  [
    'isPostalCode',
    (text, locale) => validators.isPostalCode(text, locale as never),
    'exact',
    { IN: ['looser'], IR: ['looser'], NL: ['looser'] },
  ],
  ['isPassportNumber', validators.isPassportNumber, 'stricter', { CN: ['stricter', 'looser'] }],
];

describe('every locale of validator.js', () => {
  it.each(tables)('%s', (rule, accepts, usual, others) => {
    const random = new SeededRandom(seed);
    const found: Record<string, readonly Grade[]> = {};
    for (const locale of localesOf(rule)) {
      const { schema, outcomes } = applied(rule, locale);
      const grades = outcomes.map(({ grade }) => grade);
      if (grades.join() !== usual) found[locale] = grades;
      const isLooser = grades.includes('looser');
      const isStricter = grades.includes('stricter');
      const compiled = compileSchema(schema);
      const [expression] = validatorExpressions(rule, '', locale).filter(({ use }) => use === 'test');
      const near = textsNear(matchOf(new RegExp(expression?.source ?? '', expression?.flags)));
      for (let tries = 0; tries < 200; tries++) {
        const text = near(random);
        const byValidator = accepts(text, locale);
        const bySchema = compiled.validate(text).length === 0;
        if (byValidator === bySchema || (bySchema && isLooser) || (byValidator && isStricter)) continue;
        throw new Error(`seed ${seed}: ${rule} ${locale} differs about ${JSON.stringify(text)}: ${schema.pattern}`);
      }
    }
    expect(found).toEqual(others);
  });

  it('reports that an unknown locale fails', () => {
    expect(applied('isPostalCode', 'XX')).toEqual({
      schema: { type: 'string' },
      outcomes: [{ grade: 'not-expressible', reason: "it fails: Invalid locale 'XX'" }],
    });
  });

  it('reports tax numbers that no pattern can check', () => {
    expect(applied('isTaxId', 'mt-MT').outcomes).toEqual([
      { grade: 'not-expressible', reason: 'RE2 has no backreferences; use @Matches for the format that you need' },
    ]);
  });
});
