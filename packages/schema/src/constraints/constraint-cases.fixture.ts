import type { ConstraintCase } from './constraint-case.fixture.ts';
import { addressCases } from './text/addresses.fixture.ts';
import { codeCases } from './text/codes.fixture.ts';
import { colorCases } from './text/colors.fixture.ts';
import { coordinateCases } from './text/coordinates.fixture.ts';
import { countryCases } from './text/countries.fixture.ts';
import { domainNameCases } from './text/domain-names.fixture.ts';
import { emailCases } from './text/emails.fixture.ts';
import { encodingCases } from './text/encodings.fixture.ts';
import { identifierCases } from './text/identifiers.fixture.ts';
import { identityCardCases } from './text/identity-cards.fixture.ts';
import { numeralCases } from './text/numerals.fixture.ts';
import { passwordCases } from './text/passwords.fixture.ts';
import { textCases } from './text/texts.fixture.ts';
import { timeCases } from './text/times.fixture.ts';
import { urlCases } from './text/urls.fixture.ts';
import { collectionCases } from './value/collections.fixture.ts';
import { customCases } from './value/custom.fixture.ts';
import { dateCases } from './value/dates.fixture.ts';
import { numberCases } from './value/numbers.fixture.ts';
import { presenceCases } from './value/presence.fixture.ts';
import { stringCases } from './value/strings.fixture.ts';
import { valueCases } from './value/values.fixture.ts';

/**
 * All cases, in the order of the rules in constraint-table.ts. Each file of rules has a fixture of the same name with its
 * cases: at least one for each rule, and one for each set of parameters that changes the schema. A new file of rules needs
 * a line in constraint-table.ts; its fixture needs a line here.
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
