import { addRule, type ConstraintRules, exact, notExpressible } from '../rule/constraint.ts';
import { optionsOf } from './text-rule.ts';

/** The defaults of validator.js, and its symbols, which include the space. */
const defaults = { minLength: 8, minLowercase: 1, minUppercase: 1, minNumbers: 1, minSymbols: 1 } as const;
const symbols = '[-#!$@£%^&*()_+|~=`{}\\[\\]:";\'<>?,./\\\\ ]';

const counted = [
  ['minLowercase', '[a-z]', 'small letters'],
  ['minUppercase', '[A-Z]', 'capital letters'],
  ['minNumbers', '[0-9]', 'digits'],
  ['minSymbols', symbols, 'symbols'],
] as const;

/** The decorator for passwords: a CEL rule whose message lists the requirements. */
export const passwordRules: ConstraintRules = {
  isStrongPassword: {
    grade: 'exact',
    implies: () => 'string',
    apply: (schema, parameters) => {
      const options = optionsOf(parameters);
      if (options['returnScore']) {
        return notExpressible('with returnScore the validator accepts every password with a score, however weak it is');
      }
      const numberOf = (name: keyof typeof defaults) => Math.ceil(Number(options[name] ?? defaults[name]));
      const length = numberOf('minLength');
      const terms: string[] = [];
      const needs: string[] = [];
      if (length > 0) {
        // Characters beyond U+FFFF count twice in JavaScript.
        terms.push(`size(self) + size(self.findAll("[\\\\x{10000}-\\\\x{10FFFF}]")) >= ${length}`);
        needs.push(`${length} characters`);
      }
      for (const [name, characters, words] of counted) {
        const min = numberOf(name);
        if (min <= 0) continue;
        terms.push(`size(self.findAll(${JSON.stringify(characters)})) >= ${min}`);
        needs.push(`${min} ${words}`);
      }
      if (terms.some((term) => term.endsWith('NaN'))) return notExpressible('one of its bounds is not a number');
      if (terms.length > 0) addRule(schema, terms.join(' && '), `must have at least ${needs.join(', ')}`);
      return exact;
    },
  },
};
