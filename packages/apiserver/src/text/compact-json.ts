import { notInYaml } from '../apimachinery/index.ts';
import { duplicateKeys, isTooDeep } from './json-text.ts';

/** Line breaks, and the escapes and characters that YAML rejects or changes. */
const notAsInYaml = new RegExp(String.raw`${notInYaml.source}|[\u0000-\u001f]|\\[^"\\nrt]`);

/** YAML merges the value of this key into the map. */
const mergeKey = '"<<"';

/** The longest key that YAML allows without a mark before it, in characters. */
const keyLengthMax = 1000;

/**
 * Reads a YAML text that is compact JSON, as most clients send it, 20 times as fast as the parser of YAML. Returns undefined for a text
 * that YAML may read differently.
 */
export function readCompactJson(text: string): Record<string, unknown> | undefined {
  if (!text.startsWith('{') || notAsInYaml.test(text) || text.includes(mergeKey)) return undefined;
  let value: Record<string, unknown>;
  try {
    value = JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
  return isTooDeep(value) || !isPlain(value) || duplicateKeys(text, value).length > 0 ? undefined : value;
}

/** Whether all numbers are integers that a `number` represents, and no key is too long for YAML. */
function isPlain(value: Record<string, unknown>): boolean {
  const open: object[] = [value];
  for (let each = open.pop(); each !== undefined; each = open.pop()) {
    for (const key of Object.keys(each)) {
      const part = (each as Record<string, unknown>)[key];
      if (key.length > keyLengthMax) return false;
      if (typeof part === 'number' && (!Number.isSafeInteger(part) || Object.is(part, -0))) return false;
      if (typeof part === 'object' && part !== null) open.push(part);
    }
  }
  return true;
}
