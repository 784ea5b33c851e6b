import { isJsonObject } from '@evenkeel/apimachinery/json';

/** Formats a value of unknown type for a message, as its author wrote it. */
export function show(value: unknown): string {
  return typeof value === 'string' || isJsonObject(value) || Array.isArray(value)
    ? JSON.stringify(value)
    : String(value);
}
