import type { ApiResource, ObjectKey } from '@evenkeel/core';
import { mistakeInKey } from './mistake-in-key.ts';

/** What a mapper's answer comes to. */
export interface MappedKeys {
  readonly keys: readonly ObjectKey[];
  readonly mistakes: readonly MappingMistake[];
}

export interface MappingMistake {
  /** What the mapper did, and how to mend it: `returned a promise; return ...`. */
  readonly what: string;
  /** What stands where a key belongs; undefined where the answer is no list at all. */
  readonly key?: unknown;
}

const noMistakes: readonly MappingMistake[] = [];

/** Tells the keys that a mapper gave for objects of `resource` from all else that it gave. */
export function readMapped(answer: unknown, resource: ApiResource): MappedKeys {
  if (!Array.isArray(answer)) return { keys: [], mistakes: [notListed(answer)] };
  let mistakes: MappingMistake[] | undefined;
  const keys = (answer as unknown[]).filter((key): key is ObjectKey => {
    const mistake = mistakeInKey(key, resource);
    if (mistake === undefined) return true;
    leaveUnheard(key);
    mistakes ??= [];
    mistakes.push({ what: `gave ${mistake}`, key });
    return false;
  });
  return { keys, mistakes: mistakes ?? noMistakes };
}

function notListed(answer: unknown): MappingMistake {
  leaveUnheard(answer);
  const found = answer instanceof Promise ? 'a promise' : answer === null ? 'null' : typeof answer;
  return {
    what: `returned ${found}; return ObjectKey[] synchronously ([] enqueues nothing)`,
  };
}

/** Nobody waits for what a mapper promises, and a rejection of it would end the process. */
function leaveUnheard(value: unknown): void {
  if (value instanceof Promise) value.catch(() => undefined);
}
