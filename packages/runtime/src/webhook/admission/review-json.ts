import { isJsonObject, type JsonObject } from '@evenkeel/apimachinery/json';
import { isDeeperThan } from '@evenkeel/apimachinery/json-scan';

/** The API server decodes at most 10,000 levels (Go's encoding/json). The review around an object has a few more. */
const deepest = 10_010;

const decoder = new TextDecoder('utf-8', { fatal: true });

/** A body that is not a review. The message is for the caller, and contains nothing of the body. */
export class UndecodableReview extends Error {
  override readonly name = 'UndecodableReview';
}

/**
 * Parses the body of a call. Keys named `__proto__` are dropped, so that code that copies an object cannot change a prototype.
 *
 * @throws UndecodableReview for anything but a JSON object in UTF-8 of at most 10,010 levels.
 */
export function parseReviewJson(body: Uint8Array): JsonObject {
  if (isDeeperThan(body, deepest)) throw new UndecodableReview(`the body has more than ${deepest} levels`);
  let text: string;
  try {
    text = decoder.decode(body);
  } catch {
    throw new UndecodableReview('the body is not valid UTF-8');
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new UndecodableReview('the body is not valid JSON');
  }
  if (!isJsonObject(json)) throw new UndecodableReview('the body is not a JSON object');
  // The key may be written with escapes.
  if (text.includes('__proto__') || text.includes('\\u005')) dropPrototypeKeys(json);
  return json;
}

function dropPrototypeKeys(root: object): void {
  const open: object[] = [root];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (Object.hasOwn(next, '__proto__')) Reflect.deleteProperty(next, '__proto__');
    for (const value of Object.values(next)) if (typeof value === 'object' && value !== null) open.push(value);
  }
}

/** Freezes a JSON value of any depth. */
export function freezeDeep(root: unknown): void {
  const open: unknown[] = [root];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null || Object.isFrozen(next)) continue;
    Object.freeze(next);
    for (const value of Object.values(next)) if (typeof value === 'object' && value !== null) open.push(value);
  }
}
