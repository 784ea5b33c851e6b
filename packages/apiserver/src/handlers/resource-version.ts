import { goIntegerError, goQuote } from '../apimachinery/index.ts';
import { badRequest, refusal } from '../status/refusal.ts';

/** The parameter `resourceVersion` of a get or watch as a number; 0 if it is empty. */
export function revisionOf(text: string): number {
  // Upstream passes an invalid value to its storage, and returns the storage's error.
  return parsed(text, (why) => refusal(500, '', why));
}

/** The parameter `resourceVersion` of a list as a number; 0 if it is empty. */
export function revisionOfList(text: string): number {
  return parsed(text, (why) => badRequest(`invalid resource version: ${why}`));
}

function parsed(text: string, errorOf: (why: string) => Error): number {
  if (text === '') return 0;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw errorOf(`resourceVersion: Invalid value: ${goQuote(text)}: ${goIntegerError('ParseUint', text)}`);
}
