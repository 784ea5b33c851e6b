import { isMobilePhone } from 'class-validator';
import { validatorExpressions } from './validator-expressions.ts';

describe('validatorExpressions()', () => {
  it('returns the expressions that a function tests a string with, and those that it removes first', () => {
    expect(validatorExpressions('isPassportNumber', '', 'US')).toEqual([
      { use: 'replace', source: '\\s', flags: 'g' },
      { use: 'test', source: '^\\d{9}$|^[A-Z]\\d{8}$', flags: '' },
    ]);
    expect(validatorExpressions('isMobilePhone', '', ['de-DE', 'fr-FR'])).toHaveLength(2);
  });

  it('does not record expressions of other code, and does not change RegExp for it', () => {
    const test = RegExp.prototype.test;
    expect(validatorExpressions('isPostalCode', '', 'DE')).toHaveLength(1);
    expect(RegExp.prototype.test).toBe(test);
    expect(isMobilePhone('+4915112345678', 'de-DE')).toBe(true);
    expect(validatorExpressions('isPostalCode', '', 'DE')).toHaveLength(1);
  });

  it('throws what the function throws', () => {
    expect(() => validatorExpressions('isPostalCode', '', 'XX')).toThrow("Invalid locale 'XX'");
    expect(() => validatorExpressions('isNothing', '')).toThrow('validator.js has no isNothing');
  });

  it('does not let the library write its defaults into the options of a decorator', () => {
    const options = {};
    validatorExpressions('isDecimal', '0', options);
    expect(options).toEqual({});
  });
});
