import { IsIdentityCard } from 'class-validator';
import { casesOf } from '../constraint-case.fixture.ts';
import { textsNear } from '../random-value.fixture.ts';
import type { Grade } from '../rule/constraint.ts';

const samples: readonly (readonly [locale: string, samples: readonly string[], grade?: Grade])[] = [
  ['PL', ['99012229019', '09210215408'], 'looser'],
  ['ES', ['99999999R', '12345678z', ' 01234567L '], 'looser'],
  ['FI', ['131052-308T', '010101-0101'], 'looser'],
  ['IN', ['298448863364', '2984 4886 3364'], 'looser'],
  ['IR', ['0499370899', '0790419904'], 'looser'],
  ['IT', ['CA79382RA', 'cr43675tm', 'CA00000AA']],
  ['NO', ['09053426694', '26028338723'], 'looser'],
  ['TH', ['1101230000001', '1101230000060'], 'looser'],
  ['LK', ['722222222v', '999999999X', '199722222222']],
  ['he-IL', ['219472156', '219486610'], 'looser'],
  ['ar-LY', ['119803455876', ' 120024679875']],
  ['ar-TN', ['09958092', '09151092 ']],
  ['zh-CN', ['235407195106112745', '210203197503102721'], 'looser'],
  ['zh-HK', ['OV290326[A]', 'Q803337[0]', 'z0103270', 'ß123456[7]'], 'looser'],
  ['zh-TW', ['B176944193', 'k101189797'], 'looser'],
  ['PK', ['45504-4185771-3', ' 39915-6182971-9']],
];

/** Cases of identity-cards.ts: every locale. */
export const identityCardCases = casesOf(
  'isIdentityCard',
  ...samples.map(
    ([locale, texts, grade = 'exact']) =>
      [`@IsIdentityCard('${locale}')`, [IsIdentityCard(locale as never)], textsNear(texts), grade] as const,
  ),
  [
    "@IsIdentityCard('any')",
    [IsIdentityCard('any' as never)],
    textsNear(samples.flatMap(([, texts]) => texts)),
    'looser',
  ],
);
