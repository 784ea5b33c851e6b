import { didYouMean, type SchemaDeclaration } from '@evenkeel/core';
import { escapeFieldName } from '../evaluate/cel/value/field-name.ts';
import type { Finding } from '../finding/finding.ts';
import type { ApiClass, ApiProperty } from './api-class.ts';
import { checkSharedDeclaration, show } from './check-shared-declaration.ts';

/** Checks what decorators of a class were given, and that the properties they name are there and fit. */
export function checkClassDeclarations(read: ApiClass, report: (finding: Finding) => void): void {
  const tell = (code: Finding['code'], message: string) =>
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
        checkMembers(declaration, read, tell);
        break;
      case 'union':
        checkUnion(declaration, read, tell);
        break;
      default:
        checkSharedDeclaration(declaration, tell);
    }
  }
}

type Tell = (code: Finding['code'], message: string) => void;

export const memberDecorators = {
  exactlyOne: '@ExactlyOneOf()',
  atMostOne: '@AtMostOneOf()',
  atLeastOne: '@AtLeastOneOf()',
} as const;

function checkMembers({ set, of }: Extract<SchemaDeclaration, { says: 'members' }>, read: ApiClass, tell: Tell): void {
  const decorator = memberDecorators[set];
  if (of.length < 2) tell('invalid-option', `${decorator} names two properties or more`);
  for (const [index, member] of of.entries()) {
    if (of.indexOf(member) !== index) tell('invalid-option', `${decorator} names ${show(member)} twice`);
    else checkMember(decorator, member, read, tell);
  }
}

function checkUnion(
  { discriminator, variants }: Extract<SchemaDeclaration, { says: 'union' }>,
  read: ApiClass,
  tell: Tell,
): void {
  const decorator = '@Union()';
  const property = propertyOf(decorator, discriminator, read, tell);
  if (typeof variants !== 'object' || variants === null || Object.keys(variants).length === 0) {
    tell(
      'invalid-option',
      `${decorator} names the member of each value: @Union('type', { Http: 'http', None: undefined })`,
    );
    return;
  }
  if (property !== undefined) {
    const name = `${read.name}.${property.name}`;
    if (!['string', 'values', 'unknown'].includes(property.type.is)) {
      tell('conflicting-types', `${decorator}: ${name} must be a string, whose values name the members`);
    }
    if (property.isOptional && property.defaultValue === undefined) {
      tell(
        'invalid-option',
        `${decorator}: ${name} says which member is there, so it must not be optional; give it a default or remove "?"`,
      );
    }
    if (property.says.some(({ says }) => says === 'nullable')) {
      tell(
        'invalid-option',
        `${decorator}: ${name} says which member is there, so it must not be null; remove @Nullable()`,
      );
    }
  }
  for (const member of new Set(Object.values(variants))) {
    if (member !== undefined) checkMember(decorator, member, read, tell);
  }
}

/** A property that is there or is not, as a rule can ask. */
function checkMember(decorator: string, member: unknown, read: ApiClass, tell: Tell): void {
  const property = propertyOf(decorator, member, read, tell);
  if (property === undefined) return;
  const name = `${read.name}.${property.name}`;
  if (property.defaultValue !== undefined) {
    tell('invalid-option', `${decorator}: ${name} has a default, so it is always there; remove the default`);
  } else if (property.isRequired) {
    tell(
      'invalid-option',
      `${decorator}: ${name} is not optional, so it is always there; write "?" or add @IsOptional()`,
    );
  }
}

function propertyOf(decorator: string, name: unknown, read: ApiClass, tell: Tell): ApiProperty | undefined {
  const names = read.properties.map((property) => property.name);
  const property = read.properties.find((candidate) => candidate.name === name);
  if (property === undefined) {
    const hint = typeof name === 'string' ? didYouMean(name, names) : '';
    tell('invalid-option', `${decorator}: ${read.name} has no property ${show(name)}${hint}`);
  } else if (escapeFieldName(property.name) === undefined) {
    tell('invalid-option', `${decorator}: CEL rules cannot name the property "${property.name}"; rename it`);
  }
  return property;
}
