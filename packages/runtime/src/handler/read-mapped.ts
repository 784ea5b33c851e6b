import type { ApiResource, ObjectKey } from '@evenkeel/core';
import { mistakeInKey } from './mistake-in-key.ts';

/** The checked result of a mapper. */
export interface MappedKeys {
  readonly keys: readonly ObjectKey[];
  readonly mistakes: readonly MappingMistake[];
}

export interface MappingMistake {
  /** What the mapper did, and the fix: `returned a promise; return ...`. */
  readonly what: string;
  /** The invalid key; undefined if the result is not a list. */
  readonly key?: unknown;
}

const noMistakes: readonly MappingMistake[] = [];

/** Separates the valid keys in a mapper's result, which are for objects of `resource`, from everything else. */
export function readMapped(answer: unknown, resource: ApiResource): MappedKeys {
  if (!Array.isArray(answer)) return { keys: [], mistakes: [notListed(answer)] };
  let mistakes: MappingMistake[] | undefined;
  const keys = (answer as unknown[]).filter((key): key is ObjectKey => {
    const mistake = mistakeInKey(key, resource);
    if (mistake === undefined) return true;
    leaveUnheard(key);
    mistakes ??= [];
    mistakes.push({ what: `returned ${mistake}`, key });
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

/** No code awaits a promise that a mapper returns. An unhandled rejection of it would end the process. */
function leaveUnheard(value: unknown): void {
  if (value instanceof Promise) value.catch(() => undefined);
}
