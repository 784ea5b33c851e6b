import { didYouMean, type ErrorCode, type PropertyDeclaration, schemaFormats } from '@evenkeel/core';
import type { ApiProperty, PropertyType } from './api-class.ts';
import { checkSchemaKeywords } from './check-schema-keywords.ts';
import { checkSharedDeclaration, show, unknownOptions } from './check-shared-declaration.ts';
import { jsonOf } from './initial-values.ts';

type Report = (code: ErrorCode, message: string) => void;

/** Checks the arguments of Evenkeel's decorators on a property or its elements, and that they fit its type. */
export function checkPropertyDeclarations(
  says: readonly PropertyDeclaration[],
  type: PropertyType,
  isElement: boolean,
  report: Report,
): void {
  const seen = new Set<string>();
  for (const declaration of says) {
    const { says: name } = declaration;
    // Reported before the type was read.
    if (name === 'misplaced') continue;
    const decorator = decoratorNames[name];
    if (seen.has(name) && !repeatable.has(name)) {
      report('duplicate-declaration', `it has ${decorator} more than once; remove all but one`);
    }
    seen.add(name);
    if (isElement && notOfElements.has(name)) {
      report(
        'invalid-option',
        `${decorator} applies to a property, not to its elements; move it out of @Items() or @Values()`,
      );
    }
    checkArguments(declaration, type, report);
    const fits = fitting[name];
    const kind = kindOfType(type);
    if (fits === undefined || kind === undefined || fits.kinds.includes(kind)) continue;
    report(
      'conflicting-types',
      `${decorator} applies to ${fits.text}, but this is ${kindTexts[kind]}${fits.fix ?? ''}`,
    );
  }
  const types = says.filter((declaration) => typeDecorators.has(declaration.says)).map(({ says: name }) => name);
  if (new Set(types).size > 1) {
    const names = [...new Set(types)].map((name) => (name === 'misplaced' ? '' : decoratorNames[name]));
    report('conflicting-types', `${names.join(' and ')} name different types; remove all but one`);
  }
}

function checkArguments(declaration: PropertyDeclaration, type: PropertyType, report: Report): void {
  switch (declaration.says) {
    case 'example':
      if (jsonOf(declaration.value, true) === undefined) {
        report('invalid-option', '@Example(): the value is not JSON; pass the value in its JSON form');
      }
      return;
    case 'format':
      checkFormat(declaration.format, type, report);
      return;
    case 'minProperties':
    case 'maxProperties':
      if (!Number.isInteger(declaration.value) || declaration.value < 0) {
        const decorator = decoratorNames[declaration.says];
        report('invalid-option', `${decorator} takes an integer of at least 0, not ${show(declaration.value)}`);
      }
      return;
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      if (!Number.isFinite(declaration.value)) {
        report('invalid-option', `${decoratorNames[declaration.says]} takes a number, not ${show(declaration.value)}`);
      }
      return;
    case 'multipleOf':
      if (!Number.isFinite(declaration.value) || declaration.value <= 0) {
        report('invalid-option', `@MultipleOf() takes a number greater than 0, not ${show(declaration.value)}`);
      } else if (type.is === 'integer' && !Number.isInteger(declaration.value)) {
        report('invalid-option', `@MultipleOf() of an integer takes an integer, not ${show(declaration.value)}`);
      }
      return;
    case 'recursive':
      if (!Number.isInteger(declaration.levels) || declaration.levels < 0) {
        report(
          'invalid-option',
          `@Recursive() takes the number of levels, an integer of at least 0, not ${show(declaration.levels)}`,
        );
      }
      return;
    case 'embeddedResource': {
      const { says: _says, type: _type, ...options } = declaration;
      unknownOptions('@EmbeddedResource()', options, ['metadata'], report);
      if (options.metadata !== undefined && options.metadata !== true) {
        report('invalid-option', '@EmbeddedResource(): metadata must be true or omitted');
      }
      return;
    }
    case 'items':
    case 'values':
      for (const mistaken of declaration.mistaken) {
        const problem =
          typeof mistaken === 'function'
            ? `${mistaken.name} is not a decorator; write ${mistaken.name}()`
            : `${show(mistaken)} is not a decorator`;
        report('invalid-option', `${decoratorNames[declaration.says]}: ${problem}`);
      }
      return;
    case 'listType':
      checkListType(declaration, type, report);
      return;
    case 'schema':
      checkSchemaKeywords(declaration.keywords, '@Schema()', report);
      return;
    case 'rule':
    case 'title':
    case 'externalDocs':
    case 'mapType':
      checkSharedDeclaration(declaration, report);
      return;
  }
}

function checkFormat(format: unknown, type: PropertyType, report: Report): void {
  const known = formatsOf(type);
  if (known === undefined || known.some((name) => name === format)) return;
  const other = Object.entries(schemaFormats).find(([, names]) => names.some((name) => name === format));
  report(
    'invalid-option',
    other === undefined
      ? `@Format(${show(format)}): the API server does not know this format and would not enforce it${didYouMean(String(format), known)}`
      : `@Format(${show(format)}) is a format for ${other[0]}s, but this is ${kindTexts[kindOfType(type) ?? 'any']}`,
  );
}

/** The formats for a type; undefined if it has none, which is reported elsewhere. */
function formatsOf(type: PropertyType): readonly string[] | undefined {
  switch (type.is) {
    case 'string':
    case 'integer':
    case 'number':
      return schemaFormats[type.is];
    case 'values':
    case 'duration':
      return schemaFormats.string;
    case 'schemaless':
      return Object.values(schemaFormats).flat();
    default:
      return undefined;
  }
}

function checkListType(
  { type: listType, keys }: Extract<PropertyDeclaration, { says: 'listType' }>,
  type: PropertyType,
  report: Report,
): void {
  if (!['atomic', 'set', 'map'].includes(listType)) {
    report('invalid-option', `@ListType(${show(listType)}): the list type must be "atomic", "set" or "map"`);
    return;
  }
  if (listType !== 'map') {
    if (keys.length > 0) report('invalid-option', `@ListType("${listType}") takes no keys; only "map" does`);
    return;
  }
  if (keys.length === 0) {
    report('invalid-option', '@ListType("map") needs key properties: write @ListType("map", "name")');
  }
  const items = type.is === 'array' && type.items.is === 'object' ? type.items.class : undefined;
  for (const [index, key] of keys.entries()) {
    if (typeof key !== 'string') report('invalid-option', `@ListType("map"): ${show(key)} is not a property name`);
    else if (keys.indexOf(key) !== index) report('invalid-option', `@ListType("map") names "${key}" twice`);
    else if (items !== undefined) checkListKey(key, items.name, items.properties, report);
  }
}

function checkListKey(key: string, className: string, properties: readonly ApiProperty[], report: Report): void {
  const property = properties.find(({ name }) => name === key);
  if (property === undefined) {
    const names = properties.map(({ name }) => name);
    report(
      'invalid-option',
      `@ListType("map", "${key}"): ${className} has no property "${key}"${didYouMean(key, names)}`,
    );
    return;
  }
  const kind = kindOfType(property.type);
  if (kind !== undefined && kind !== 'string' && kind !== 'number' && kind !== 'boolean' && kind !== 'intOrString') {
    report(
      'invalid-option',
      `@ListType("map", "${key}"): ${className}.${key} is ${kindTexts[kind]}, but keys must be scalars`,
    );
  }
  if (!property.isRequired && property.defaultValue === undefined) {
    report(
      'invalid-option',
      `@ListType("map", "${key}"): ${className}.${key} may be missing, but every item needs its key; make it required or give it a default`,
    );
  }
}

type Kind = 'string' | 'number' | 'boolean' | 'intOrString' | 'list' | 'map' | 'object' | 'any';

function kindOfType(type: PropertyType): Kind | undefined {
  switch (type.is) {
    case 'string':
    case 'duration':
      return 'string';
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'values':
      return typeof type.values[0] as 'string' | 'number' | 'boolean';
    case 'intOrString':
    case 'quantity':
      return 'intOrString';
    case 'array':
    case 'conditions':
      return 'list';
    case 'map':
      return 'map';
    case 'object':
    case 'embedded':
    case 'builtIn':
    case 'anyObject':
      return 'object';
    case 'anyValue':
    case 'schemaless':
      return 'any';
    default:
      return undefined;
  }
}

const kindTexts: Readonly<Record<Kind, string>> = {
  string: 'a string',
  number: 'a number',
  boolean: 'a boolean',
  intOrString: 'a number or a string',
  list: 'a list',
  map: 'a map',
  object: 'an object',
  any: 'any value',
};

interface Fitting {
  readonly kinds: readonly Kind[];
  readonly text: string;
  readonly fix?: string;
}

const ofElements = '; for its elements use @Items() or @Values()';
const objects: Fitting = { kinds: ['map', 'object', 'any'], text: 'maps and objects', fix: ofElements };
const numbers: Fitting = { kinds: ['number', 'any'], text: 'numbers', fix: ofElements };

/** The types that a decorator applies to, if not all. */
const fitting: Readonly<Partial<Record<PropertyDeclaration['says'], Fitting>>> = {
  listType: { kinds: ['list', 'any'], text: 'lists' },
  mapType: objects,
  minProperties: objects,
  maxProperties: objects,
  exclusiveMinimum: numbers,
  exclusiveMaximum: numbers,
  multipleOf: numbers,
  format: { kinds: ['string', 'number', 'any'], text: 'strings and numbers', fix: ofElements },
  items: { kinds: ['list', 'any'], text: 'lists', fix: '; for the values of a map use @Values()' },
  values: { kinds: ['map', 'any'], text: 'maps', fix: '; for the items of a list use @Items()' },
  recursive: { kinds: ['object', 'list', 'map', 'any'], text: 'recursive classes' },
  preserveUnknownFields: { kinds: ['object', 'list', 'map', 'any'], text: 'objects' },
};

const typeDecorators: ReadonlySet<PropertyDeclaration['says']> = new Set([
  'conditions',
  'intOrString',
  'quantity',
  'duration',
  'embeddedResource',
  'schemaless',
]);

const repeatable: ReadonlySet<PropertyDeclaration['says']> = new Set(['rule', 'schema']);

const notOfElements: ReadonlySet<PropertyDeclaration['says']> = new Set(['spec', 'status', 'conditions', 'default']);

/** `@ListType()`. */
export function nameOfDeclaration({ says }: PropertyDeclaration): string {
  return says === 'misplaced' ? '' : decoratorNames[says];
}

const decoratorNames: Readonly<Record<Exclude<PropertyDeclaration['says'], 'misplaced'>, string>> = {
  spec: '@Spec()',
  status: '@Status()',
  conditions: '@Conditions()',
  nullable: '@Nullable()',
  default: '@Default()',
  example: '@Example()',
  format: '@Format()',
  immutable: '@Immutable()',
  intOrString: '@IsIntOrString()',
  quantity: '@IsQuantity()',
  duration: '@IsDuration()',
  embeddedResource: '@EmbeddedResource()',
  schemaless: '@Schemaless()',
  schema: '@Schema()',
  listType: '@ListType()',
  minProperties: '@MinProperties()',
  maxProperties: '@MaxProperties()',
  exclusiveMinimum: '@ExclusiveMinimum()',
  exclusiveMaximum: '@ExclusiveMaximum()',
  multipleOf: '@MultipleOf()',
  recursive: '@Recursive()',
  items: '@Items()',
  values: '@Values()',
  rule: '@Rule()',
  title: '@Title()',
  externalDocs: '@ExternalDocs()',
  mapType: '@MapType()',
  preserveUnknownFields: '@PreserveUnknownFields()',
};
