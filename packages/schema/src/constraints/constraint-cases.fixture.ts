import { addressCases } from './addresses.fixture.ts';
import { codeCases } from './codes.fixture.ts';
import { collectionCases } from './collections.fixture.ts';
import { colorCases } from './colors.fixture.ts';
import type { ConstraintCase } from './constraint-case.fixture.ts';
import { coordinateCases } from './coordinates.fixture.ts';
import { countryCases } from './countries.fixture.ts';
import { customCases } from './custom.fixture.ts';
import { dateCases } from './dates.fixture.ts';
import { domainNameCases } from './domain-names.fixture.ts';
import { emailCases } from './emails.fixture.ts';
import { encodingCases } from './encodings.fixture.ts';
import { identifierCases } from './identifiers.fixture.ts';
import { identityCardCases } from './identity-cards.fixture.ts';
import { numberCases } from './numbers.fixture.ts';
import { numeralCases } from './numerals.fixture.ts';
import { passwordCases } from './passwords.fixture.ts';
import { presenceCases } from './presence.fixture.ts';
import { stringCases } from './strings.fixture.ts';
import { textCases } from './texts.fixture.ts';
import { timeCases } from './times.fixture.ts';
import { urlCases } from './urls.fixture.ts';
import { valueCases } from './values.fixture.ts';

/**
 * Every case, in the order of the rules in constraint-table.ts. Beside each file of rules stands a fixture of the same
 * name with its cases: at least one for each rule, one for each set of parameters that is written differently. A rule of
 * its own in `identifiers.ts` needs a line in constraint-table.ts, its cases in `identifiers.fixture.ts` a line here.
 */
export const constraintCases: readonly ConstraintCase[] = [
  ...presenceCases,
  ...valueCases,
  ...numberCases,
  ...coordinateCases,
  ...dateCases,
  ...stringCases,
  ...textCases,
  ...passwordCases,
  ...numeralCases,
  ...timeCases,
  ...colorCases,
  ...encodingCases,
  ...identifierCases,
  ...addressCases,
  ...domainNameCases,
  ...emailCases,
  ...urlCases,
  ...codeCases,
  ...countryCases,
  ...identityCardCases,
  ...collectionCases,
  ...customCases,
];
