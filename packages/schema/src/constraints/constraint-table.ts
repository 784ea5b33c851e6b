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

const groups: readonly ConstraintRules[] = [
  presenceRules,
  valueRules,
  numberRules,
  coordinateRules,
  dateRules,
  stringRules,
  textRules,
  passwordRules,
  numeralRules,
  timeRules,
  colorRules,
  encodingRules,
  identifierRules,
  addressRules,
  domainNameRules,
  emailRules,
  urlRules,
  codeRules,
  countryRules,
  identityCardRules,
  collectionRules,
  customRules,
];

const rules: ReadonlyMap<string, ConstraintRule> = new Map(groups.flatMap((group) => Object.entries(group)));

/** What a schema can say of a decorator, by the name in class-validator's metadata; undefined where nothing is known. */
export function constraintRule(name: string): ConstraintRule | undefined {
  return rules.get(name);
}

/** The names of all decorators that have a rule. */
export function constraintNames(): readonly string[] {
  return [...rules.keys()];
}
