import { compileSchema } from '../evaluate/custom-resource/compiled-schema.ts';
import type { StructuralSchema } from '../evaluate/structural-schema.ts';

type Keyword = keyof StructuralSchema;

/** Keywords that reject values, each written by one decorator; those in `allOf` count one by one. */
const refusing: readonly Keyword[] = [
  ...(['enum', 'not', 'anyOf', 'pattern', 'format', 'multipleOf'] as const),
  ...(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minLength', 'maxLength'] as const),
  ...(['minItems', 'maxItems', 'minProperties', 'maxProperties'] as const),
];

/** The decorators that wrote the keywords of schemas, except keywords that come with the type. */
export class KeywordOrigins {
  readonly #known = new Map<StructuralSchema, Map<string, { readonly value: unknown; readonly origin?: string }>>();

  /** Attributes the changes of a schema since the last call to a decorator, or to the type if none is given. */
  note(schema: StructuralSchema, origin?: string): void {
    const known = this.#known.get(schema) ?? new Map<string, { value: unknown; origin?: string }>();
    this.#known.set(schema, known);
    const now: readonly (readonly [string, unknown])[] = [
      ...refusing.map((keyword) => [keyword, schema[keyword]] as const),
      ...(schema.allOf ?? []).map((branch, index) => [`allOf ${index}`, branch] as const),
    ];
    for (const [keyword, value] of now) {
      if (known.get(keyword)?.value === value) continue;
      known.set(keyword, { value, ...(origin === undefined ? {} : { origin }) });
    }
  }

  /** `@Min`, or "its type". */
  of(schema: StructuralSchema, keyword: string): string {
    return this.#known.get(schema)?.get(keyword)?.origin ?? 'its type';
  }

  /** Whether the schema was noted before. */
  has(schema: StructuralSchema): boolean {
    return this.#known.has(schema);
  }

  /** Whether a decorator wrote anything into the schema. */
  knows(schema: StructuralSchema): boolean {
    return [...(this.#known.get(schema)?.values() ?? [])].some(({ origin }) => origin !== undefined);
  }
}

/**
 * A message about one or two decorators of a value that no value satisfies; undefined if bounds and listed values show no
 * contradiction. Expressions are not compared.
 */
export function contradictionIn(schema: StructuralSchema, origins: KeywordOrigins): string | undefined {
  const isText = schema['x-kubernetes-int-or-string'] !== true;
  const found =
    (isText ? countsIn(schema) : undefined) ?? numbersIn(schema) ?? (isText ? listedIn(schema, origins) : undefined);
  if (found === undefined) return undefined;
  const [left, right] = found.keywords.map((keyword) => origins.of(schema, keyword));
  return left === right
    ? `${left} contradicts itself: ${found.text}; change or remove it`
    : `${left} and ${right} contradict each other: ${found.text}; change or remove one of them`;
}

interface Contradiction {
  readonly keywords: readonly [string, string];
  readonly text: string;
}

const counts = [
  ['minLength', 'maxLength', 'string', 'characters'],
  ['minItems', 'maxItems', 'list', 'items'],
  ['minProperties', 'maxProperties', 'object', 'keys'],
] as const;

function countsIn(schema: StructuralSchema): Contradiction | undefined {
  for (const [lower, upper, whole, parts] of counts) {
    const [min = 0, max = Number.POSITIVE_INFINITY] = [schema[lower], schema[upper]];
    if (min > max) {
      return { keywords: [lower, upper], text: `no ${whole} has at least ${min} and at most ${max} ${parts}` };
    }
  }
  return undefined;
}

function numbersIn(schema: StructuralSchema): Contradiction | undefined {
  const { type, minimum, maximum, exclusiveMinimum = false, exclusiveMaximum = false } = schema;
  if (minimum === undefined || maximum === undefined) return undefined;
  const isEmpty =
    type === 'integer'
      ? Math.ceil(minimum) + (exclusiveMinimum && Number.isInteger(minimum) ? 1 : 0) >
        Math.floor(maximum) - (exclusiveMaximum && Number.isInteger(maximum) ? 1 : 0)
      : minimum > maximum || (minimum === maximum && (exclusiveMinimum || exclusiveMaximum));
  if (!isEmpty) return undefined;
  const [from, to] = [exclusiveMinimum ? 'greater than' : 'at least', exclusiveMaximum ? 'less than' : 'at most'];
  const what = type === 'integer' ? 'no whole number' : 'no number';
  return { keywords: ['minimum', 'maximum'], text: `${what} is ${from} ${minimum} and ${to} ${maximum}` };
}

/** A contradiction of listed values, all of which the other keywords reject. */
function listedIn(schema: StructuralSchema, origins: KeywordOrigins): Contradiction | undefined {
  const values = schema.enum ?? (schema.type === 'boolean' ? [true, false] : undefined);
  if (values === undefined) return undefined;
  const others = refusersOf(schema);
  const refuses = (refusers: readonly Refuser[]) => {
    if (refusers.length === 0) return false;
    const allOf = refusers.map(({ says }) => says);
    const compiled = compileSchema({ type: 'object', properties: { value: { allOf } } });
    return values.every((value) => compiled.validate({ value }).length > 0);
  };
  if (!refuses(others)) return undefined;
  const listed = values.map((value) => JSON.stringify(value)).join(', ');
  const one = others.find((refuser) => refuses([refuser]));
  // If only several keywords together reject all values, the last one is reported.
  const [last] = others.slice(-1);
  const keyword = (one ?? last)?.keyword ?? 'enum';
  const isSame = origins.of(schema, 'enum') === origins.of(schema, keyword);
  if (isSame) return undefined;
  return { keywords: ['enum', keyword], text: `none of ${listed} remains` };
}

interface Refuser {
  readonly keyword: string;
  readonly says: StructuralSchema;
}

function refusersOf(schema: StructuralSchema): Refuser[] {
  const { exclusiveMinimum, exclusiveMaximum } = schema;
  const exclusive = {
    ...(exclusiveMinimum === undefined ? {} : { exclusiveMinimum }),
    ...(exclusiveMaximum === undefined ? {} : { exclusiveMaximum }),
  };
  const alone = refusing
    .filter((keyword) => !['enum', 'exclusiveMinimum', 'exclusiveMaximum'].includes(keyword))
    .filter((keyword) => schema[keyword] !== undefined && (schema.type === 'string' || keyword !== 'format'))
    .map((keyword) => ({
      keyword,
      says: { [keyword]: schema[keyword], ...(keyword === 'minimum' || keyword === 'maximum' ? exclusive : {}) },
    }));
  return [...alone, ...(schema.allOf ?? []).map((says, index) => ({ keyword: `allOf ${index}`, says }))];
}
