import { copyJson } from '@evenkeel/apimachinery/json';
import { strict } from '../evaluate/apiextensions/old-definition.ts';
import { schemaErrors } from '../evaluate/apiextensions/schema-rules.ts';
import type { StructuralSchema } from '../evaluate/structural-schema.ts';
import type { PropertyType } from '../model/api-class.ts';
import { classOf, type SchemaPlace, type SchemaStep } from './schema-place.ts';

/** A missing limit of a schema. */
interface MissingLimit {
  readonly schema: StructuralSchema;
  readonly keyword: 'maxItems' | 'maxProperties' | 'maxLength';
  /** The decorator that sets it, and its place: `@ArrayMaxSize(100) on ThingSpec.items`. */
  readonly fix: (limit: number | string) => string;
}

/** The limits to try, the largest first. */
const limits = [10_000, 5000, 2000, 1000, 500, 200, 100, 64, 32, 16, 10, 5];
/** A rule that needs more limits than this must be simplified instead. */
const missingMax = 12;

/**
 * The limits that would bring one rule below the cost that the API server allows, found by trying them. Undefined if no
 * limits are enough. The cost of a rule depends on how often its data can occur (the lists and maps above it) and on how
 * large the data can be.
 */
export function limitsForRule(place: SchemaPlace, index: number): string[] | undefined {
  const way = new WayToRule(place, index);
  const { root, missing } = way;
  if (missing.length === 0 || missing.length > missingMax) return undefined;
  const isCheap = () => schemaErrors(root, '', strict, { compilesRules: true, limitsEachRule: true }).length === 0;
  const limit = limits.find((candidate) => {
    for (const { schema, keyword } of missing) schema[keyword] = candidate;
    return isCheap();
  });
  if (limit === undefined) return undefined;
  const needed = missing.filter(({ schema, keyword }) => {
    delete schema[keyword];
    if (isCheap()) return false;
    schema[keyword] = limit;
    return true;
  });
  return needed.map(({ fix }) => fix(limit));
}

/** The limits that are missing on the path to a rule and in the values that it reads, without numbers. */
export function limitsMissingFor(place: SchemaPlace, index: number): string[] {
  return new WayToRule(place, index).missing.slice(0, missingMax).map(({ fix }) => fix('n'));
}

/** Writes a decorator's call for its place: `Items(MaxLength(10))` for elements. */
type Decoration = (call: string) => string;

/** A copy of the schemas from the root to a rule, with everything below the innermost schema and without other rules. */
class WayToRule {
  readonly root: StructuralSchema;
  readonly missing: MissingLimit[] = [];
  readonly #words: ReadonlySet<string>;

  constructor({ steps, innermost }: SchemaPlace, index: number) {
    const rules = innermost.schema['x-kubernetes-validations']?.slice(index, index + 1) ?? [];
    this.#words = new Set(rules[0]?.rule.match(/\w+/g));
    let copy: StructuralSchema = { ...withoutRules(copyJson(innermost.schema)), 'x-kubernetes-validations': rules };
    const copies = [copy];
    for (const [i, step] of [...steps.entries()].reverse()) {
      const child = steps[i + 1];
      if (child === undefined) continue;
      copy = { type: 'object', ...withChild(step.schema, child.schema, copy) };
      copies.unshift(copy);
    }
    this.root = copy;
    let decoration: Decoration = (call) => call;
    for (const [i, step] of steps.entries()) {
      decoration = decorationOf(step, steps[i - 1], decoration);
      const own = copies[i];
      if (own === undefined) continue;
      const isLast = i === steps.length - 1;
      if (isLast) this.#addBelow(own, step.type, ownerOf(step), decoration);
      else if (own.properties === undefined) this.#add(own, ownerOf(step), decoration);
    }
  }

  /** Adds the missing limits of the properties that the rule names. */
  #addBelow(schema: StructuralSchema, type: PropertyType | undefined, owner: string, decoration: Decoration): void {
    this.#add(schema, owner, decoration);
    const objects = classOf(type);
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      if (!this.#words.has(name)) continue;
      const propertyType = objects?.properties.find((candidate) => candidate.name === name)?.type;
      this.#addBelow(property, propertyType, `${objects?.name ?? owner}.${name}`, (call) => call);
    }
    const { items, additionalProperties } = schema;
    if (items !== undefined) {
      const itemType = type?.is === 'array' ? type.items : undefined;
      this.#addBelow(items, itemType, owner, (call) => decoration(`Items(${call})`));
    }
    if (typeof additionalProperties === 'object') {
      const valueType = type?.is === 'map' ? type.values : undefined;
      this.#addBelow(additionalProperties, valueType, owner, (call) => decoration(`Values(${call})`));
    }
  }

  #add(schema: StructuralSchema, owner: string, decoration: Decoration): void {
    const add = (keyword: MissingLimit['keyword'], decorator: string) => {
      if (schema[keyword] !== undefined) return;
      const fix = (limit: number | string) => `@${decoration(`${decorator}(${limit})`)} on ${owner}`;
      this.missing.push({ schema, keyword, fix });
    };
    if (schema.type === 'array') add('maxItems', 'ArrayMaxSize');
    else if (typeof schema.additionalProperties === 'object') add('maxProperties', 'MaxProperties');
    else if (schema.type === 'string' && schema.enum === undefined) add('maxLength', 'MaxLength');
  }
}

function withChild(schema: StructuralSchema, child: StructuralSchema, copy: StructuralSchema): StructuralSchema {
  const { type = 'object', maxItems, maxProperties } = schema;
  if (schema.items === child) return { type, items: copy, ...(maxItems === undefined ? {} : { maxItems }) };
  if (schema.additionalProperties === child) {
    return { additionalProperties: copy, ...(maxProperties === undefined ? {} : { maxProperties }) };
  }
  const name = Object.keys(schema.properties ?? {}).find((key) => schema.properties?.[key] === child) ?? '';
  return { properties: { [name]: copy } };
}

function decorationOf(step: SchemaStep, parent: SchemaStep | undefined, decoration: Decoration): Decoration {
  if (parent?.schema.items === step.schema) return (call) => decoration(`Items(${call})`);
  if (parent?.schema.additionalProperties === step.schema) return (call) => decoration(`Values(${call})`);
  return (call) => call;
}

function ownerOf({ property, class: type }: SchemaStep): string {
  return property === undefined ? (type?.name ?? '') : `${property.className}.${property.name}`;
}

function withoutRules(schema: StructuralSchema): StructuralSchema {
  delete schema['x-kubernetes-validations'];
  for (const property of Object.values(schema.properties ?? {})) withoutRules(property);
  if (schema.items !== undefined) withoutRules(schema.items);
  if (typeof schema.additionalProperties === 'object') withoutRules(schema.additionalProperties);
  return schema;
}
