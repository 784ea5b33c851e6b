import { ArrayMaxSize, IsStrongPassword, MaxLength } from 'class-validator';
import { matchOf } from '../../regular-expression/matching-text.ts';
import { casesOf } from '../constraint-case.fixture.ts';
import { textsNear } from '../random-value.fixture.ts';

const passwords = textsNear(matchOf(/[a-z]{1,3}[A-Z]{1,2}[0-9]{1,2}[-#!$@£%^&*()_+|~=`{}[\]:";'<>?,./\\ ]{1,2}.{0,3}/));
const weak = { minLength: 4, minLowercase: 0, minUppercase: 2, minNumbers: 0, minSymbols: 0 };

/** Cases of passwords.ts. */
export const passwordCases = casesOf(
  'isStrongPassword',
  ['@IsStrongPassword()', [IsStrongPassword()], passwords],
  [
    '@IsStrongPassword({}, { each: true }) @MaxLength(40, { each: true }) @ArrayMaxSize(3)',
    [IsStrongPassword({}, { each: true }), MaxLength(40, { each: true }), ArrayMaxSize(3)],
    (random) => [passwords(random)],
  ],
  ['@IsStrongPassword({ minLength: 4, minUppercase: 2, ... })', [IsStrongPassword(weak), MaxLength(4000)], passwords],
  [
    '@IsStrongPassword({ returnScore: true })',
    [IsStrongPassword({ returnScore: true } as never)],
    textsNear(['', 'a']),
    'not-expressible',
  ],
);
