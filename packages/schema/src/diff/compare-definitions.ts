import type { CustomResourceDefinition } from '@evenkeel/kinds';
import { childPath, jsonEqual } from '../evaluate/apimachinery.ts';
import { checkDepth } from '../evaluate/nesting.ts';
import type { StructuralSchema } from '../evaluate/structural-schema.ts';
import { type ComparedVersion, compareVersions } from './compare-versions.ts';

/**
 * The checks of an upgrade of a CRD, with the names of crdify. `unhandled` is every other difference of a schema, such as a format, a
 * rule or a type of a list. The last two are not checks of crdify.
 */
export const definitionChecks = [
  'scope',
  'existingFieldRemoval',
  'storedVersionRemoval',
  'type',
  'required',
  'default',
  'enum',
  'maximum',
  'minimum',
  'maxLength',
  'minLength',
  'maxItems',
  'minItems',
  'maxProperties',
  'minProperties',
  'pattern',
  'nullable',
  'unhandled',
  'servedVersions',
  'servedVersionRemoval',
  'conversion',
] as const;

/** The checks of {@link compareDefinitions}. */
export type DefinitionCheck = (typeof definitionChecks)[number];

/** A change of a CRD that can break objects or clients. */
export interface DefinitionChange {
  readonly check: DefinitionCheck;
  /** The version with the changed schema; undefined if the change is not in one version. */
  readonly version?: string;
  /** The field in an object, such as `spec.ports[*].name`; empty for the whole object, or if it is not about a field. */
  readonly path: string;
  /** The change in words, without version and path. */
  readonly message: string;
}

/**
 * The changes of a CRD that can break existing objects or clients: the checks of crdify, and some more. It fails closed: a change of
 * a keyword that no check allows is reported. Changes of descriptions, titles and examples are allowed, and so are new optional
 * fields, new enum values, looser limits, and new versions.
 *
 * Served versions are also compared with each other, unless a webhook converts them: differences that the old definition did not
 * have are reported.
 *
 * @param before the installed definition. Its status says which versions are stored.
 * @returns in no particular order of importance; empty if the upgrade is safe.
 */
export function compareDefinitions(
  before: CustomResourceDefinition,
  after: CustomResourceDefinition,
): DefinitionChange[] {
  const changes: DefinitionChange[] = [];
  const add = (check: DefinitionCheck, message: string): void => void changes.push({ check, path: '', message });
  if (before.spec.scope !== after.spec.scope) {
    add('scope', `the scope changes from ${before.spec.scope} to ${after.spec.scope}`);
  }
  const remaining = new Map(after.spec.versions.map((version) => [version.name, version]));
  for (const name of before.status?.storedVersions ?? []) {
    if (!remaining.has(name)) add('storedVersionRemoval', `version ${name} is removed, but objects are stored in it`);
  }
  for (const { name, served } of before.spec.versions) {
    if (served && remaining.get(name)?.served !== true) {
      add('servedVersionRemoval', `version ${name} is no longer served, so clients that use it fail`);
    }
  }
  const isConverted = ({ spec }: CustomResourceDefinition): boolean => spec.conversion?.strategy === 'Webhook';
  if (isConverted(before) && !isConverted(after)) {
    add('conversion', 'the conversion webhook is removed, so objects of other versions are no longer converted');
  }
  for (const version of before.spec.versions) {
    const next = remaining.get(version.name);
    if (next === undefined) continue;
    changes.push(
      ...new SchemaChanges(version.name).between(
        (version.schema?.openAPIV3Schema ?? {}) as StructuralSchema,
        (next.schema?.openAPIV3Schema ?? {}) as StructuralSchema,
      ),
    );
  }
  if (!isConverted(after)) changes.push(...servedVersionChanges(before, after));
  return changes;
}

/** Differences between served versions that objects lose data by, and that the old definition did not have. */
function servedVersionChanges(before: CustomResourceDefinition, after: CustomResourceDefinition): DefinitionChange[] {
  const known = new Set(differencesOfServed(before).map(({ key }) => key));
  return differencesOfServed(after)
    .filter(({ key }) => !known.has(key))
    .map(({ change }) => change);
}

function differencesOfServed({ spec }: CustomResourceDefinition): { key: string; change: DefinitionChange }[] {
  const served = spec.versions.filter((version) => version.served);
  return served.flatMap((first, at) =>
    served.slice(at + 1).flatMap((second) =>
      compareVersions(comparedVersion(first), comparedVersion(second))
        .filter(({ effect }) => effect !== 'new-objects')
        .map(({ direction, path, keyword, effect }) => {
          const [from, to] = direction === 'forward' ? [first.name, second.name] : [second.name, first.name];
          const message = `${keyword} differs from version ${from}, so objects of ${from} can be ${effect}`;
          return {
            key: JSON.stringify([from, to, path, keyword, effect]),
            change: { check: 'servedVersions', version: to, path, message },
          };
        }),
    ),
  );
}

function comparedVersion({
  schema,
  subresources,
}: CustomResourceDefinition['spec']['versions'][number]): ComparedVersion {
  return {
    schema: (schema?.openAPIV3Schema ?? {}) as StructuralSchema,
    hasStatus: subresources?.status !== undefined,
    scale: subresources?.scale as ComparedVersion['scale'],
  };
}

type Node = Readonly<Record<string, unknown>>;

/** Returns why a change of a keyword is not safe; undefined if it is. */
type Check = (before: unknown, after: unknown) => string | undefined;

/** Keywords that do not affect objects. */
const documentation: ReadonlySet<string> = new Set(['title', 'description', 'example', 'externalDocs']);

/** Keywords whose schemas are compared separately. */
const nested: ReadonlySet<string> = new Set(['properties', 'items', 'additionalProperties', 'required']);

const changed: Check = (before, after) => `changes from ${shown(before)} to ${shown(after)}`;

/** A limit may become looser, or may be removed. */
function limit(isTighter: (before: number, after: number) => boolean): Check {
  return (before, after) => {
    if (after === undefined) return undefined;
    return typeof before !== 'number' || typeof after !== 'number' || isTighter(before, after)
      ? changed(before, after)
      : undefined;
  };
}

const upper = limit((before, after) => after < before);
const lower = limit((before, after) => after > before);

const checks: Readonly<Partial<Record<string, Check>>> = {
  type: changed,
  default: changed,
  pattern: changed,
  nullable: (before = false, after = false) => (before === after ? undefined : changed(before, after)),
  maximum: upper,
  maxLength: upper,
  maxItems: upper,
  maxProperties: upper,
  minimum: lower,
  minLength: lower,
  minItems: lower,
  minProperties: lower,
  enum: (before, after) => {
    if (!Array.isArray(after)) return undefined;
    if (!Array.isArray(before)) return `allows only ${shown(after)} now`;
    const missing = before.filter((value) => !after.some((other) => jsonEqual(value, other)));
    return missing.length === 0 ? undefined : `no longer allows ${missing.map(shown).join(', ')}`;
  },
};

class SchemaChanges {
  readonly #version: string;
  readonly #found: DefinitionChange[] = [];

  constructor(version: string) {
    this.#version = version;
  }

  between(before: StructuralSchema, after: StructuralSchema): readonly DefinitionChange[] {
    this.#compare(before, after, '', 0);
    return this.#found;
  }

  #add(check: DefinitionCheck, path: string, message: string): void {
    this.#found.push({ check, version: this.#version, path, message });
  }

  #compare(before: StructuralSchema, after: StructuralSchema, path: string, depth: number): void {
    checkDepth(depth);
    this.#compareKeywords(before as Node, after as Node, path);
    for (const name of after.required ?? []) {
      if (before.required?.includes(name) !== true) this.#add('required', childPath(path, name), 'becomes required');
    }
    const properties = new Map(Object.entries(after.properties ?? {}));
    for (const [name, schema] of Object.entries(before.properties ?? {})) {
      const next = properties.get(name);
      const below = childPath(path, name);
      if (next === undefined) this.#add('existingFieldRemoval', below, 'is removed');
      else this.#compare(schema, next, below, depth + 1);
    }
    this.#compareBelow('items', before.items, after.items, `${path}[*]`, depth);
    const { additionalProperties: values } = before;
    this.#compareBelow('additionalProperties', values, after.additionalProperties, childPath(path, '*'), depth);
  }

  #compareKeywords(before: Node, after: Node, path: string): void {
    for (const keyword of new Set([...Object.keys(before), ...Object.keys(after)])) {
      if (documentation.has(keyword) || nested.has(keyword)) continue;
      const [old, next] = [before, after].map((node) => (Object.hasOwn(node, keyword) ? node[keyword] : undefined));
      if (jsonEqual(old, next)) continue;
      const check = Object.hasOwn(checks, keyword) ? checks[keyword] : undefined;
      const why = (check ?? changed)(old, next);
      if (why === undefined) continue;
      const isHandled = check !== undefined;
      this.#add(isHandled ? (keyword as DefinitionCheck) : 'unhandled', path, isHandled ? why : `${keyword} ${why}`);
    }
  }

  #compareBelow(
    keyword: 'items' | 'additionalProperties',
    before: StructuralSchema | boolean | undefined,
    after: StructuralSchema | boolean | undefined,
    path: string,
    depth: number,
  ): void {
    if (typeof before === 'object' && typeof after === 'object') this.#compare(before, after, path, depth + 1);
    else if (typeof before === 'object' && after === undefined) this.#add('existingFieldRemoval', path, 'is removed');
    else if (!jsonEqual(before, after)) this.#add('unhandled', path, `${keyword} ${changed(before, after)}`);
  }
}

const shownMax = 60;

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > shownMax ? `${text.slice(0, shownMax)}...` : text;
}
