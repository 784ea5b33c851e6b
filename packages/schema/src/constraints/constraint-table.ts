import { addressRules } from './addresses.ts';
import { codeRules } from './codes.ts';
import { collectionRules } from './collections.ts';
import { colorRules } from './colors.ts';
import type { ConstraintRule, ConstraintRules } from './constraint.ts';
import { coordinateRules } from './coordinates.ts';
import { countryRules } from './countries.ts';
import { customRules } from './custom.ts';
import { dateRules } from './dates.ts';
import { domainNameRules } from './domain-names.ts';
import { emailRules } from './emails.ts';
import { encodingRules } from './encodings.ts';
import { identifierRules } from './identifiers.ts';
import { identityCardRules } from './identity-cards.ts';
import { numberRules } from './numbers.ts';
import { numeralRules } from './numerals.ts';
import { passwordRules } from './passwords.ts';
import { presenceRules } from './presence.ts';
import { stringRules } from './strings.ts';
import { textRules } from './texts.ts';
import { timeRules } from './times.ts';
import { urlRules } from './urls.ts';
import { valueRules } from './values.ts';

/** Rules by what they are about. */
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

/** What a schema can say of a decorator, by the name in class-validator's metadata; undefined where nothing is known. */
export function constraintRule(name: string): ConstraintRule | undefined {
  return rules.get(name);
}

/** The decorator of a rule as class-validator exports it: `IsIP` for `isIp`. */
export function decoratorOfRule(name: string): string {
  return rules.get(name)?.decorator ?? name.charAt(0).toUpperCase() + name.slice(1);
}
