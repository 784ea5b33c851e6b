import { childPath, jsonEqual, keyPath } from '../evaluate/apimachinery.ts';
import { compileSchema } from '../evaluate/custom-resource/compiled-schema.ts';
import { metaFields } from '../evaluate/custom-resource/schema-node.ts';
import { checkDepth } from '../evaluate/nesting.ts';
import type { StructuralSchema } from '../evaluate/structural-schema.ts';
import { ruleDifferences } from './rule-differences.ts';
import type { KeywordDifference, SchemaDifference } from './schema-difference.ts';
import { acceptedTypes, canHoldFields, valueDifferences } from './value-differences.ts';

/**
 * The differences between the schemas of two whole objects that affect their values, in both directions. The objects are
 * read and written as the API server does without conversion: it prunes, sets defaults and validates by the schema of the
 * request.
 *
 * If there is no difference in a direction, except `new-objects`, then each valid object of the one schema is read through
 * the other without a change, and is valid there. The opposite does not hold: what cannot be compared, such as two patterns
 * or two rules, is `undecided`, and a limit counts as exceeded even if another keyword prevents it.
 *
 * A value that is lost or has another type is one difference, without those below it. Descriptions are not compared. Both
 * schemas must be structural and must not form cycles. Throws a LimitError if they nest too deeply, or if a default is too
 * large.
 */
export function compareSchemas(first: StructuralSchema, second: StructuralSchema): SchemaDifference[] {
  return [...new Comparison('forward').of(first, second), ...new Comparison('backward').of(second, first)];
}

/** What an unspecified value that is preserved can be. */
const anything: StructuralSchema = { 'x-kubernetes-preserve-unknown-fields': true, nullable: true };

interface Side {
  readonly schema: StructuralSchema;
  readonly place: string;
}

interface Pair {
  readonly from: Side;
  readonly to: Side;
  readonly path: string;
  readonly depth: number;
  /** Whether it is a whole object, whose metadata is never pruned. */
  readonly isResource: boolean;
}

/** The comparison in one direction. */
class Comparison {
  readonly #direction: SchemaDifference['direction'];
  #found: SchemaDifference[] = [];

  constructor(direction: SchemaDifference['direction']) {
    this.#direction = direction;
  }

  of(from: StructuralSchema, to: StructuralSchema): SchemaDifference[] {
    const sides = { from: { schema: from, place: '' }, to: { schema: to, place: '' } };
    this.#compare({ ...sides, path: '', depth: 0, isResource: true });
    return this.#found;
  }

  #add(pair: Pick<Pair, 'from' | 'to' | 'path'>, difference: KeywordDifference): void {
    const { path, from, to } = pair;
    this.#found.push({
      ...difference,
      direction: this.#direction,
      path,
      fromPlace: from.place,
      toPlace: to.place,
    });
  }

  #compare(pair: Pair): void {
    checkDepth(pair.depth);
    const from = pair.from.schema;
    const to = pair.to.schema;
    const given = acceptedTypes(from);
    const accepted = acceptedTypes(to);
    if (accepted !== undefined && given?.every((type) => accepted.includes(type)) !== true) {
      const effect = canHoldFields(from) ? 'lost' : 'invalid';
      this.#add(pair, { keyword: 'type', effect, from: given, to: accepted });
      return;
    }
    for (const difference of [...valueDifferences(from, to), ...ruleDifferences(from, to)]) this.#add(pair, difference);
    if (given === undefined || given.includes('array')) this.#compareLists(pair);
    if (given === undefined || given.includes('object')) this.#compareFields(pair);
  }

  #compareLists(pair: Pair): void {
    const from = pair.from.schema;
    const to = pair.to.schema;
    const keyword = 'x-kubernetes-list-type';
    const [given = 'atomic', wanted = 'atomic'] = [from[keyword], to[keyword]];
    const [keys, others] = [from, to].map((schema) => schema['x-kubernetes-list-map-keys'] ?? []);
    const described = { from: listText(given, keys), to: listText(wanted, others) };
    const other = new Set(others);
    const isUnique = given === wanted && keys?.every((key) => other.has(key));
    if (wanted !== 'atomic' && !isUnique) this.#add(pair, { keyword, effect: 'invalid', ...described });
    if (described.from !== described.to) this.#add(pair, { keyword, effect: 'merged', ...described });

    if (to.items === undefined) {
      if (from.items !== undefined && !preserves(to)) this.#add(pair, { keyword: 'items', effect: 'undecided' });
      return;
    }
    const items = below(pair, from.items ?? anything, to.items, '.items', '.items', `${pair.path}[*]`);
    if (isNullDropped(items) && acceptedTypes(to.items) !== undefined) {
      this.#add(items, { keyword: 'nullable', effect: 'invalid', from: true });
    }
    this.#compare(items);
  }

  #compareFields(pair: Pair): void {
    const from = pair.from.schema;
    const to = pair.to.schema;
    const keyword = 'x-kubernetes-map-type';
    const [given = 'granular', wanted = 'granular'] = [from[keyword], to[keyword]];
    if (given !== wanted) this.#add(pair, { keyword, effect: 'merged', from: given, to: wanted });
    this.#compareEmbedding(pair);
    this.#compareRequired(pair);
    this.#compareAdded(pair);
    this.#compareNamed(pair);
    this.#compareUnnamed(pair);
  }

  #compareEmbedding(pair: Pair): void {
    const { from, to } = pair;
    const [given, wanted] = [from, to].map(({ schema }) => schema['x-kubernetes-embedded-resource'] === true);
    if (given === wanted) return;
    const isKept = wanted || preserves(to.schema) || [...metaFields].every((name) => propertyOf(to.schema, name));
    const effect = wanted ? 'invalid' : isKept ? undefined : 'lost';
    if (effect !== undefined) {
      this.#add(pair, { keyword: 'x-kubernetes-embedded-resource', effect, from: given, to: wanted });
    }
  }

  #compareRequired(pair: Pair): void {
    const { from, to, path } = pair;
    const required = new Set(from.schema.required);
    for (const name of to.schema.required ?? []) {
      if (!canMiss(from.schema, name, required) || hasDefault(propertyOf(to.schema, name))) continue;
      if (pair.isResource && metaFields.has(name)) continue;
      const place = placeOf(name);
      const at = {
        from: { ...from, place: from.place + place },
        to: { ...to, place: to.place + place },
        path: childPath(path, name),
      };
      this.#add(at, { keyword: 'required', effect: 'invalid', to: true });
    }
  }

  /** Reports defaults of new fields that make an object invalid. */
  #compareAdded(pair: Pair): void {
    const from = pair.from.schema;
    const { properties = {}, maxProperties } = pair.to.schema;
    const added = Object.entries(properties).filter(([name, field]) => hasDefault(field) && !propertyOf(from, name));
    for (const [name, field] of added) {
      // The API server does not check defaults in maps.
      if (isDefaultValid(field)) continue;
      const child = below(pair, {}, field, placeOf(name), placeOf(name), childPath(pair.path, name));
      this.#add(child, { keyword: 'default', effect: 'invalid', to: field.default });
    }
    if (added.length === 0 || maxProperties === undefined || (from.maxProperties ?? Infinity) > maxProperties) return;
    this.#add(pair, { keyword: 'maxProperties', effect: 'invalid', from: from.maxProperties, to: maxProperties });
  }

  /** Compares the fields that `from` specifies by name. */
  #compareNamed(pair: Pair): void {
    const to = pair.to.schema;
    const { additionalProperties } = to;
    const required = new Set(pair.from.schema.required);
    for (const [name, field] of Object.entries(pair.from.schema.properties ?? {})) {
      const property = propertyOf(to, name);
      const other = property ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
      const otherPlace = property === undefined && other !== undefined ? '.additionalProperties' : placeOf(name);
      const child = below(pair, field, other ?? {}, placeOf(name), otherPlace, childPath(pair.path, name));
      if (isMetadata(pair, name)) {
        this.#compareMetadata(pair, name);
      } else if (other !== undefined) {
        this.#compareField(child, canMiss(pair.from.schema, name, required));
      } else if (additionalProperties !== undefined) {
        this.#add(child, { keyword: 'additionalProperties', effect: 'undecided', to: additionalProperties });
      } else if (!preserves(to)) {
        this.#add(child, { keyword: 'properties', effect: 'lost' });
      }
    }
  }

  /** Compares the fields whose names `from` does not specify: values of a map, and fields that are preserved. */
  #compareUnnamed(pair: Pair): void {
    const from = pair.from.schema;
    const to = pair.to.schema;
    const { properties = {}, additionalProperties } = to;
    const given = from.additionalProperties;
    const keepsAny = preserves(from);
    const known = Object.keys(properties).filter((name) => propertyOf(from, name) === undefined);
    if (pair.isResource) for (const name of known) if (isMetadata(pair, name)) this.#compareMetadata(pair, name);
    if (given === undefined && !keepsAny) return;
    const values = typeof given === 'object' ? given : anything;
    const others: Pair = below(
      pair,
      values,
      typeof additionalProperties === 'object' ? additionalProperties : {},
      '.additionalProperties',
      '.additionalProperties',
      childPath(pair.path, '*'),
    );
    if (typeof additionalProperties === 'object') {
      this.#compareField(others, false);
    } else if (additionalProperties !== undefined || typeof given === 'boolean') {
      if (additionalProperties !== given) {
        this.#add(pair, {
          keyword: 'additionalProperties',
          effect: 'undecided',
          from: given,
          to: additionalProperties,
        });
      }
    } else if (!preserves(to)) {
      const keyword = keepsAny ? 'x-kubernetes-preserve-unknown-fields' : 'additionalProperties';
      this.#add(keepsAny ? pair : others, { keyword, effect: 'lost' });
      return;
    }
    for (const name of known) {
      const property = propertyOf(to, name);
      if (property === undefined || isMetadata(pair, name)) continue;
      const path = childPath(pair.path, name);
      this.#compareField(below(pair, values, property, '.additionalProperties', placeOf(name), path), true);
    }
  }

  #compareField(pair: Pair, canBeMissing: boolean): void {
    const from = pair.from.schema;
    const to = pair.to.schema;
    if (isNullDropped(pair)) this.#add(pair, { keyword: 'nullable', effect: 'lost', from: true });
    if (hasDefault(to)) {
      const difference = { keyword: 'default', from: from.default, to: to.default };
      if (!hasDefault(from)) {
        if (canBeMissing) this.#add(pair, { ...difference, effect: 'defaulted' });
      } else if (!jsonEqual(from.default, to.default)) {
        this.#add(pair, { ...difference, effect: 'new-objects' });
      }
    } else if (hasDefault(from)) {
      this.#add(pair, { keyword: 'default', from: from.default, effect: 'new-objects' });
    }
    this.#compare(pair);
  }

  /** Compares the restrictions of apiVersion, kind and metadata, which every resource has even if its schema lacks them. */
  #compareMetadata(pair: Pair, name: string): void {
    const [from, to] = [pair.from.schema, pair.to.schema].map((schema) => metaSchema(name, propertyOf(schema, name)));
    if (from === undefined || to === undefined) return;
    const found = this.#found;
    this.#found = [];
    this.#compare(below(pair, from, to, placeOf(name), placeOf(name), childPath(pair.path, name)));
    this.#found = [...found, ...this.#found.filter(({ effect }) => effect !== 'lost')];
  }
}

/** The pair of two schemas below another pair. */
function below(
  pair: Pair,
  from: StructuralSchema,
  to: StructuralSchema,
  fromPlace: string,
  toPlace: string,
  path: string,
): Pair {
  const [given, other] = [from, to].map((schema) => schema['x-kubernetes-embedded-resource'] === true);
  return {
    from: { schema: from, place: pair.from.place + fromPlace },
    to: { schema: to, place: pair.to.place + toPlace },
    path,
    depth: pair.depth + 1,
    isResource: given === true && other === true,
  };
}

function placeOf(name: string): string {
  return keyPath('.properties', name);
}

function propertyOf({ properties = {} }: StructuralSchema, name: string): StructuralSchema | undefined {
  return Object.hasOwn(properties, name) ? properties[name] : undefined;
}

function isMetadata({ isResource }: Pair, name: string): boolean {
  return isResource && metaFields.has(name);
}

/** A schema may restrict only the names in metadata. */
function metaSchema(name: string, schema: StructuralSchema = {}): StructuralSchema {
  const string = { type: 'string' };
  if (name !== 'metadata') return { ...string, ...schema };
  return { type: 'object', ...schema, properties: { name: string, generateName: string, ...schema.properties } };
}

function preserves(schema: StructuralSchema): boolean {
  return schema['x-kubernetes-preserve-unknown-fields'] === true;
}

function hasDefault(schema: StructuralSchema | undefined): boolean {
  return schema?.default !== undefined && schema.default !== null;
}

function isDefaultValid(schema: StructuralSchema): boolean {
  const compiled = compileSchema({ type: 'object', properties: { value: schema } });
  const object = {};
  compiled.default(object);
  return compiled.validate(object).length === 0;
}

/** Whether a valid object can lack the field, with its default already set. */
function canMiss(schema: StructuralSchema, name: string, required: ReadonlySet<string>): boolean {
  return !required.has(name) && !hasDefault(propertyOf(schema, name));
}

/** Whether null is valid, but is removed, replaced or rejected through the other schema. No enum contains null. */
function isNullDropped({ from, to }: Pair): boolean {
  return from.schema.nullable === true && to.schema.nullable !== true && (from.schema.enum ?? []).length === 0;
}

function listText(type: string, keys: readonly string[] = []): string {
  return keys.length === 0 ? type : `${type} of ${keys.toSorted().join(', ')}`;
}
