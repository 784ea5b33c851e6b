import { isJsonObject, type JsonObject, valueAt } from '@evenkeel/apimachinery/json';
import type { Bundle } from '../bundle/bundle.ts';

/** The examples in the annotation `alm-examples` of a bundle, or the reason why they cannot be read. */
export type BundleExamples =
  | { readonly examples: readonly JsonObject[]; readonly problem?: undefined }
  | { readonly examples: readonly []; readonly problem: string };

/** Reads the examples of a bundle. A bundle without the annotation has none. */
export function examplesOf({ csv }: Bundle): BundleExamples {
  const text = csv.metadata?.annotations?.['alm-examples'] ?? '';
  if (text === '') return { examples: [] };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    return { examples: [], problem: `alm-examples is not JSON (${(cause as Error).message}); correct it` };
  }
  if (value === null) return { examples: [] };
  const isList = Array.isArray(value) && value.every((each) => isJsonObject(each) && isNamed(each));
  if (isList) return { examples: value as JsonObject[] };
  return { examples: [], problem: 'alm-examples is not a list of objects with apiVersion and kind; correct it' };
}

function isNamed(example: JsonObject): boolean {
  return [valueAt(example, 'apiVersion'), valueAt(example, 'kind')].every(
    (text) => typeof text === 'string' && text !== '',
  );
}
