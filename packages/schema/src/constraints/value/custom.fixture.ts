import {
  IsString,
  Validate,
  ValidateBy,
  ValidatorConstraint,
  type ValidatorConstraintInterface,
} from 'class-validator';
import { casesOf } from '../constraint-case.fixture.ts';
import { anyJson } from '../random-value.fixture.ts';

class IsShort implements ValidatorConstraintInterface {
  validate(value: unknown): boolean {
    return typeof value === 'string' && value.length < 3;
  }
}
ValidatorConstraint({ name: 'isShort' })(IsShort);

const validator = new IsShort();

/** Cases of custom.ts. */
export const customCases = [
  ...casesOf('validate', ['@Validate(IsShort)', [Validate(IsShort), IsString()], anyJson, 'not-expressible']),
  ...casesOf('validateBy', [
    "@ValidateBy({ name: 'isShort', validator })",
    [ValidateBy({ name: 'isShort', validator }), IsString()],
    anyJson,
    'not-expressible',
  ]),
];
