import type { AnyClass, ElementsDeclaration } from '@evenkeel/core';
import { applyConstraints } from '../constraints/apply-constraints.ts';
import { decoratorName } from '../constraints/constraint-metadata.ts';
import type { StructuralSchema } from '../evaluate/structural-schema.ts';
import type { ApiClass, ApiProperty, ApiValue, PropertyType } from '../model/api-class.ts';
import { runtimeClassOf } from '../model/runtime-class.ts';

/**
 * A message about the decorators below a property that are never checked. The schema does not express them exactly, and
 * only TypeScript names their class, so the operator's validator does not find it. Undefined if there are none.
 */
export function uncheckedDecorators(property: ApiProperty, owner: ApiClass): string | undefined {
  // A property of an interface has no decorators; the property that leads to the interface is reported.
  if (owner.isInterface === true) return undefined;
  for (const { class: below, isKnown, isList } of classesBelow(property, owner.type)) {
    if (isKnown) continue;
    const found = [...looserDecorators(below, '')];
    if (found.length === 0) continue;
    const more = found.length > shown ? ` and ${found.length - shown} more` : '';
    const names = `${found.slice(0, shown).join(', ')}${more}`;
    return `the decorators of ${below.name} that the schema cannot express (${names}) are never checked; ${fixFor(below, isList)}`;
  }
  return undefined;
}

const shown = 3;

function fixFor({ name, isInterface, union }: ApiClass, isList: boolean): string {
  const mark = isList ? '@ValidateNested({ each: true })' : '@ValidateNested()';
  if (union !== undefined)
    return `give the classes a common base, and add ${mark} and @Type(() => Base, { discriminator })`;
  if (isInterface === true) return `declare it as a class, and add ${mark} and @Type(() => TheClass)`;
  return `add ${mark} and @Type(() => ${name})`;
}

interface ClassBelow {
  readonly class: ApiClass;
  /** Whether the running program knows that it is the class of the property. */
  readonly isKnown: boolean;
  /** Whether it is the class of the elements. */
  readonly isList: boolean;
}

function classesBelow({ name, type, ...value }: ApiProperty, owner: AnyClass): ClassBelow[] {
  return classesIn(type, { value, owner, name }, { isKnown: false, isList: false });
}

/** The place of decorators that may name the class: a property, or the hidden property of `@Items` and `@Values`. */
interface Words {
  readonly value: ApiValue;
  readonly owner: AnyClass;
  readonly name: string;
}

function classesIn(
  type: PropertyType,
  words: Words | undefined,
  above: { readonly isKnown: boolean; readonly isList: boolean },
): ClassBelow[] {
  const isMarked = words?.value.constraints.some((use) => use.name === 'nestedValidation') === true;
  const isKnown =
    above.isKnown || (words !== undefined && runtimeClassOf(words.owner, words.name, isMarked) !== undefined);
  switch (type.is) {
    case 'object':
      return [{ class: type.class, isKnown, isList: above.isList }];
    case 'embedded':
      return type.class === undefined ? [] : [{ class: type.class, isKnown, isList: above.isList }];
    case 'array':
      return classesIn(type.items, elementWords('items', type.element, words), { isKnown, isList: true });
    case 'map':
      return classesIn(type.values, elementWords('values', type.element, words), { isKnown, isList: true });
    default:
      return [];
  }
}

function elementWords(
  says: ElementsDeclaration['says'],
  value: ApiValue | undefined,
  words: Words | undefined,
): Words | undefined {
  const declaration = words?.value.says.find((one): one is ElementsDeclaration => one.says === says);
  return value === undefined || declaration === undefined
    ? undefined
    : { value, owner: declaration.element, name: 'element' };
}

/** `ports.name: @Matches`. Stops at further unknown classes, which are reported at the class that leads to them. */
function* looserDecorators(of: ApiClass, path: string): Generator<string> {
  if (of.union !== undefined) {
    for (const variant of of.union.variants) yield* looserDecorators(variant.class, path);
    return;
  }
  for (const property of of.properties) {
    const names = new Set(looserIn(property, property.type));
    if (names.size > 0) yield `${path}${property.name}: ${[...names].join(' ')}`;
    for (const below of classesBelow(property, of.type)) {
      if (below.isKnown || of.isInterface === true) yield* looserDecorators(below.class, `${path}${property.name}.`);
    }
  }
}

function* looserIn(value: ApiValue, type: PropertyType): Generator<string> {
  const found: string[] = [];
  applyConstraints(value.constraints, outlineOf(type, 2), (use, { grade }) => {
    if (grade === 'looser' || grade === 'not-expressible') found.push(decoratorName(use));
  });
  yield* found;
  if (type.is === 'array' && type.element !== undefined) yield* looserIn(type.element, type.items);
  if (type.is === 'map' && type.element !== undefined) yield* looserIn(type.element, type.values);
}

/** The part of the schema of a type that determines the grade of a decorator. */
function outlineOf(type: PropertyType, levels: number): StructuralSchema {
  switch (type.is) {
    case 'values':
      return { type: typeof type.values[0], enum: [...type.values] };
    case 'array':
      return { type: 'array', items: outlineOf(type.items, levels) };
    case 'map':
      return { type: 'object', additionalProperties: outlineOf(type.values, levels) };
    case 'object': {
      if (levels === 0) return { type: 'object' };
      const { properties } = type.class;
      return {
        type: 'object',
        properties: Object.fromEntries(properties.map(({ name, type }) => [name, outlineOf(type, levels - 1)])),
        required: properties.filter(({ isRequired }) => isRequired).map(({ name }) => name),
      };
    }
    case 'conditions':
      return { type: 'array', items: { type: 'object' } };
    case 'intOrString':
    case 'quantity':
      return { 'x-kubernetes-int-or-string': true };
    case 'duration':
      return { type: 'string' };
    case 'string':
    case 'integer':
    case 'number':
    case 'boolean':
      return { type: type.is };
    case 'schemaless':
    case 'unknown':
    case 'anyValue':
      return {};
    default:
      return { type: 'object' };
  }
}
