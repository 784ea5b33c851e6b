import { didYouMean } from '@evenkeel/core';

/** As much of a CRD's schema as it takes to follow a path. */
export interface FieldSchema {
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly items?: unknown;
  readonly additionalProperties?: unknown;
}

/** `.spec.nam: field not declared in schema`, as an apply is refused with (structured-merge-diff, typed/validate.go). */
const undeclared = /(?:^|[\s;:,[(])((?:\.[\w$-]+|\[[^\]]*\])+): field not declared in schema/;

/** What was meant by the field that a server says its schema lacks, to be put behind its message; empty where nobody can say. */
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
