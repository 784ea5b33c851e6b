import type { ConstraintRule, ConstraintRules } from './rule/constraint.ts';
import { addressRules } from './text/addresses.ts';
import { codeRules } from './text/codes.ts';
import { colorRules } from './text/colors.ts';
import { coordinateRules } from './text/coordinates.ts';
import { countryRules } from './text/countries.ts';
import { domainNameRules } from './text/domain-names.ts';
import { emailRules } from './text/emails.ts';
import { encodingRules } from './text/encodings.ts';
import { identifierRules } from './text/identifiers.ts';
import { identityCardRules } from './text/identity-cards.ts';
import { numeralRules } from './text/numerals.ts';
import { passwordRules } from './text/passwords.ts';
import { textRules } from './text/texts.ts';
import { timeRules } from './text/times.ts';
import { urlRules } from './text/urls.ts';
import { collectionRules } from './value/collections.ts';
import { customRules } from './value/custom.ts';
import { dateRules } from './value/dates.ts';
import { numberRules } from './value/numbers.ts';
import { presenceRules } from './value/presence.ts';
import { stringRules } from './value/strings.ts';
import { valueRules } from './value/values.ts';

/** Rules by their subject. */
export const constraintGroups: ReadonlyMap<string, ConstraintRules> = new Map([
  ['Presence', presenceRules],
  ['Values', valueRules],
  ['Numbers', numberRules],
  ['Places', coordinateRules],
  ['Dates', dateRules],
  ['Strings', stringRules],
  ['Letters', textRules],
  ['Passwords', passwordRules],
  ['Numbers in strings', numeralRules],
  ['Dates and times in strings', timeRules],
  ['Colours', colorRules],
  ['Encodings', encodingRules],
  ['Identifiers', identifierRules],
  ['Network addresses', addressRules],
  ['Domain names', domainNameRules],
  ['Email addresses', emailRules],
  ['URLs', urlRules],
  ['Codes', codeRules],
  ['Countries', countryRules],
  ['Identity cards', identityCardRules],
  ['Lists and objects', collectionRules],
  ['Validators of your own', customRules],
]);

const rules: ReadonlyMap<string, ConstraintRule> = new Map(
  [...constraintGroups.values()].flatMap((group) => Object.entries(group)),
);

/** The rule of a decorator, by its name in class-validator's metadata; undefined if there is none. */
export function constraintRule(name: string): ConstraintRule | undefined {
  return rules.get(name);
}

/** The decorator of a rule as class-validator exports it: `IsIP` for `isIp`. */
export function decoratorOfRule(name: string): string {
  return rules.get(name)?.decorator ?? name.charAt(0).toUpperCase() + name.slice(1);
}
