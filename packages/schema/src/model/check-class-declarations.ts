import { didYouMean, type SchemaDeclaration } from '@evenkeel/core';
import { escapeFieldName } from '../evaluate/cel/value/field-name.ts';
import type { Finding } from '../finding/finding.ts';
import type { ApiClass, ApiProperty } from './api-class.ts';
import { checkSharedDeclaration, show } from './check-shared-declaration.ts';

/** Checks the arguments of a class's decorators, and that the properties that they name exist and have valid types. */
export function checkClassDeclarations(read: ApiClass, report: (finding: Finding) => void): void {
  const reportError = (code: Finding['code'], message: string) =>
    report({
      level: 'error',
      code,
      className: read.name,
      ...(read.location === undefined ? {} : { location: read.location }),
      message,
    });
  for (const declaration of read.says) {
    switch (declaration.says) {
      case 'members':
        checkMembers(declaration, read, reportError);
        break;
      case 'union':
        checkUnion(declaration, read, reportError);
        break;
      default:
        checkSharedDeclaration(declaration, reportError);
    }
  }
}

type ReportError = (code: Finding['code'], message: string) => void;

export const memberDecorators = {
  exactlyOne: '@ExactlyOneOf()',
  atMostOne: '@AtMostOneOf()',
  atLeastOne: '@AtLeastOneOf()',
} as const;

function checkMembers(
  { set, of }: Extract<SchemaDeclaration, { says: 'members' }>,
  read: ApiClass,
  reportError: ReportError,
): void {
  const decorator = memberDecorators[set];
  if (of.length < 2) reportError('invalid-option', `${decorator} needs the names of at least two properties`);
  for (const [index, member] of of.entries()) {
    if (of.indexOf(member) !== index) reportError('invalid-option', `${decorator} names ${show(member)} twice`);
    else checkMember(decorator, member, read, reportError);
  }
}

function checkUnion(
  { discriminator, variants }: Extract<SchemaDeclaration, { says: 'union' }>,
  read: ApiClass,
  reportError: ReportError,
): void {
  const decorator = '@Union()';
  const property = propertyOf(decorator, discriminator, read, reportError);
  if (typeof variants !== 'object' || variants === null || Object.keys(variants).length === 0) {
    reportError(
      'invalid-option',
      `${decorator} needs the member of each value: write @Union('type', { Http: 'http', None: undefined })`,
    );
    return;
  }
  if (property !== undefined) {
    const name = `${read.name}.${property.name}`;
    if (!['string', 'values', 'unknown'].includes(property.type.is)) {
      reportError('conflicting-types', `${decorator}: ${name} must be a string, whose values name the members`);
    }
    if (property.isOptional && property.defaultValue === undefined) {
      reportError(
        'invalid-option',
        `${decorator}: ${name} selects the member, so it must not be optional; give it a default or remove "?"`,
      );
    }
    if (property.says.some(({ says }) => says === 'nullable')) {
      reportError(
        'invalid-option',
        `${decorator}: ${name} selects the member, so it must not be null; remove @Nullable()`,
      );
    }
  }
  for (const member of new Set(Object.values(variants))) {
    if (member !== undefined) checkMember(decorator, member, read, reportError);
  }
}

/** Checks that a member is a property that can be missing, so that a rule can test its presence. */
function checkMember(decorator: string, member: unknown, read: ApiClass, reportError: ReportError): void {
  const property = propertyOf(decorator, member, read, reportError);
  if (property === undefined) return;
  const name = `${read.name}.${property.name}`;
  if (property.defaultValue !== undefined) {
    reportError('invalid-option', `${decorator}: ${name} has a default, so it is always present; remove the default`);
  } else if (property.isRequired) {
    reportError(
      'invalid-option',
      `${decorator}: ${name} is not optional, so it is always present; write "?" or add @IsOptional()`,
    );
  }
}

function propertyOf(
  decorator: string,
  name: unknown,
  read: ApiClass,
  reportError: ReportError,
): ApiProperty | undefined {
  const names = read.properties.map((property) => property.name);
  const property = read.properties.find((candidate) => candidate.name === name);
  if (property === undefined) {
    const hint = typeof name === 'string' ? didYouMean(name, names) : '';
    reportError('invalid-option', `${decorator}: ${read.name} has no property ${show(name)}${hint}`);
  } else if (escapeFieldName(property.name) === undefined) {
    reportError('invalid-option', `${decorator}: CEL rules cannot name the property "${property.name}"; rename it`);
  }
  return property;
}
