import { IsDate, IsString, MaxDate, MinDate } from 'class-validator';
import { casesOf } from '../constraint-case.fixture.ts';
import { anyJson } from '../random-value.fixture.ts';

const date = new Date('2026-11-21T12:00:00Z');
const never = { grade: 'not-expressible', accepts: 'nothing' } as const;

/** Cases of dates.ts. */
export const dateCases = [
  ...casesOf('isDate', ['@IsDate()', [IsDate(), IsString()], anyJson, never]),
  ...casesOf(
    'minDate',
    ["@MinDate(new Date('2026-11-21T12:00:00Z'))", [MinDate(date), IsString()], anyJson, never],
    ['@MinDate(() => new Date())', [MinDate(() => date), IsString()], anyJson, never],
  ),
  ...casesOf('maxDate', ["@MaxDate(new Date('2026-11-21T12:00:00Z'))", [MaxDate(date), IsString()], anyJson, never]),
];
