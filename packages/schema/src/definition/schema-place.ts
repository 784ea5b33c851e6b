import { isJsonObject, valueAt } from '@evenkeel/apimachinery/json';
import type { StructuralSchema } from '../evaluate/structural-schema.ts';
import type { ApiClass, ApiProperty, PropertyType } from '../model/api-class.ts';

/** One schema on a path into a schema, and the code that it was generated from. */
export interface SchemaStep {
  readonly schema: StructuralSchema;
  /** The innermost property of the path so far; undefined at the root. */
  readonly property: ApiProperty | undefined;
  /** The type that it was generated from; undefined if unknown. */
  readonly type: PropertyType | undefined;
  /** The class whose objects the schema describes; undefined if it describes other values. */
  readonly class: ApiClass | undefined;
}

/** The target of a path into the schema of a class. */
export interface SchemaPlace {
  /** From the root to the innermost schema. */
  readonly steps: readonly [SchemaStep, ...SchemaStep[]];
  readonly innermost: SchemaStep;
  /** The rest of the path within that schema: `.default`, `.x-kubernetes-validations[0].rule`. */
  readonly rest: string;
}

const branches = /^\.(?:(allOf|anyOf|oneOf)\[(\d+)\]|not(?![A-Za-z]))/;

/**
 * Follows a path in the API server's notation, `properties[spec].items.default`, from the schema of a class. The part that
 * does not lead to a schema stays in `rest`.
 */
export function schemaPlace(path: string, root: ApiClass, schema: StructuralSchema): SchemaPlace {
  const first: Walk = { schema, type: { is: 'object', class: root }, property: undefined };
  const steps: [SchemaStep, ...SchemaStep[]] = [stepOf(first)];
  let rest = path;
  for (let current: Walk | undefined = first; current !== undefined; ) {
    const next: Next | undefined = nextOf(current, rest);
    current = next?.walk;
    if (next === undefined) break;
    steps.push(stepOf(next.walk));
    rest = next.rest;
  }
  return { steps, innermost: steps.at(-1) ?? steps[0], rest };
}

interface Walk {
  readonly schema: StructuralSchema;
  readonly type: PropertyType | undefined;
  readonly property: ApiProperty | undefined;
}

interface Next {
  readonly walk: Walk;
  readonly rest: string;
}

function stepOf({ schema, type, property }: Walk): SchemaStep {
  return { schema, property, type, class: classOf(type) };
}

function nextOf(at: Walk, path: string): Next | undefined {
  const { schema, type } = at;
  const [branch, keyword, index] = branches.exec(path) ?? [];
  if (branch !== undefined) {
    const value = valueAt(schema as Record<string, unknown>, keyword ?? 'not');
    const below: unknown = keyword === undefined ? value : (value as readonly unknown[] | undefined)?.[Number(index)];
    return isJsonObject(below) ? { walk: { ...at, schema: below }, rest: path.slice(branch.length) } : undefined;
  }
  if (path.startsWith('.properties[')) {
    const name = propertyName(path.slice('.properties['.length), Object.keys(schema.properties ?? {}));
    const below = name === undefined ? undefined : schema.properties?.[name];
    if (name === undefined || below === undefined) return undefined;
    const own: ApiProperty | undefined = classOf(type)?.properties.find((candidate) => candidate.name === name);
    const walk: Walk =
      own === undefined ? { ...at, schema: below, type: undefined } : { schema: below, type: own.type, property: own };
    return { walk, rest: path.slice('.properties[]'.length + name.length) };
  }
  if (/^\.items(?![A-Za-z])/.test(path) && schema.items !== undefined) {
    const items = type?.is === 'array' ? type.items : undefined;
    return { walk: { ...at, schema: schema.items, type: items }, rest: path.slice('.items'.length) };
  }
  const { additionalProperties } = schema;
  if (path.startsWith('.additionalProperties') && typeof additionalProperties === 'object') {
    const values = type?.is === 'map' ? type.values : undefined;
    return {
      walk: { ...at, schema: additionalProperties, type: values },
      rest: path.slice('.additionalProperties'.length),
    };
  }
  return undefined;
}

/** The class of the objects of a type. */
export function classOf(type: PropertyType | undefined): ApiClass | undefined {
  return type !== undefined && 'class' in type ? type.class : undefined;
}

/** The longest property name that fits into the brackets: names may contain brackets and dots. */
function propertyName(rest: string, names: readonly string[]): string | undefined {
  return names
    .filter((name) => rest.startsWith(`${name}]`) && /^(?:[.[]|$)/.test(rest.slice(name.length + 1)))
    .sort((left, right) => right.length - left.length)[0];
}
