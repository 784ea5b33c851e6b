import { didYouMean } from '@evenkeel/core';

/** The part of a CRD's schema that is needed to follow a path. */
export interface FieldSchema {
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly items?: unknown;
  readonly additionalProperties?: unknown;
}

/** `.spec.nam: field not declared in schema`, as the API server rejects an apply (structured-merge-diff, typed/validate.go). */
const undeclared = /(?:^|[\s;:,[(])((?:\.[\w$-]+|\[[^\]]*\])+): field not declared in schema/;

/**
 * Returns a hint for a field that is missing from the schema according to the server, to append to the server's
 * message; empty if nothing is similar.
 */
export function fieldHint(message: string, schema: FieldSchema | undefined): string {
  const path = undeclared.exec(message)?.[1];
  const steps = path?.match(/\.[\w$-]+|\[[^\]]*\]/g) ?? [];
  const wrong = steps.pop();
  if (wrong === undefined || !wrong.startsWith('.')) return '';
  let at: unknown = schema;
  for (const step of steps) {
    const { properties, items, additionalProperties } = fieldsOf(at);
    const name = step.slice(1);
    const isKnown = properties !== undefined && Object.hasOwn(properties, name);
    at = step.startsWith('[') ? items : isKnown ? properties[name] : additionalProperties;
  }
  return didYouMean(wrong.slice(1), Object.keys(fieldsOf(at).properties ?? {}));
}

function fieldsOf(schema: unknown): FieldSchema {
  return typeof schema === 'object' && schema !== null ? schema : {};
}
