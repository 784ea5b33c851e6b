import {
  EvenkeelError,
  framesOf,
  isError,
  type LogKeys,
  StatusError,
  userFramesOf,
  withoutTokens,
} from '@evenkeel/core';

/** The number and the depth of the values that are written below one key of a line. */
const mostValues = 1000;
const deepest = 8;

const withheld = '(withheld)';

/** Keys of a Secret's contents. They are withheld in all objects, so `data` of a ConfigMap is withheld too. */
const secretKeys = new Set(['data', 'stringData', 'binaryData', 'kubectl.kubernetes.io/last-applied-configuration']);

/**
 * Returns the keys of a line in the form in which they are written:
 * - A Kubernetes object is its kind, namespace and name.
 * - An Error is its name, message, code, cause and stack. If the message explains the error, the stack has only the frames of
 *   the user's code.
 * - Any other value under `error`, such as a thrown string, is an object with a message.
 * - Values that may be the contents of a Secret, and bearer tokens in strings, are withheld.
 * - Circular references end, and large values are cut. The limits apply to each key separately.
 */
export function loggable(keys: LogKeys): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(keys).map(([name, value]) => [
      name,
      isContents(name, value) ? withheld : new Writer().written(name === 'error' ? asError(value) : value, 1),
    ]),
  );
}

/** Lines have a message under `error` even if a string was thrown. */
function asError(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? value : { message: String(value) };
}

function isContents(name: string, value: unknown): boolean {
  return secretKeys.has(name) && value !== undefined && value !== null;
}

interface Json {
  toJSON(): unknown;
}

class Writer {
  #left = mostValues;

  written(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return withoutTokens(value);
    if (typeof value === 'bigint') return String(value);
    if (typeof value !== 'object' || value === null) return value;
    if (--this.#left < 0 || depth > deepest) return '(more)';
    if (isError(value)) return this.#error(value, depth);
    const identity = identityOf(value);
    if (identity !== undefined) return identity;
    if ('toJSON' in value && typeof value.toJSON === 'function') return this.#json(value as Json, depth);
    if (Array.isArray(value)) return value.slice(0, this.#left + 1).map((item) => this.written(item, depth + 1));
    return this.#properties(value, depth);
  }

  #properties(value: object, depth: number): Record<string, unknown> {
    const written: [string, unknown][] = [];
    for (const [name, inner] of Object.entries(value)) {
      if (this.#left < 0) break;
      written.push([name, isContents(name, inner) ? withheld : this.written(inner, depth + 1)]);
    }
    return Object.fromEntries(written);
  }

  #json(value: Json, depth: number): unknown {
    try {
      return this.written(value.toJSON(), depth + 1);
    } catch {
      return withheld;
    }
  }

  #error(error: Error, depth: number): Record<string, unknown> {
    // For an error that the message explains, and for a failed connection, the frames of the framework do not help.
    const isExplained = error instanceof StatusError || error instanceof EvenkeelError || 'syscall' in error;
    const stack = isExplained ? framesShown(error) : error.stack;
    return {
      type: error.name,
      message: withoutTokens(error.message),
      ...(error instanceof StatusError ? { reason: error.reason } : {}),
      ...('code' in error ? { code: error.code } : {}),
      ...(stack === undefined || stack === '' ? {} : { stack: withoutTokens(stack) }),
      ...(isError(error.cause) ? { cause: this.written(error.cause, depth + 1) } : {}),
    };
  }
}

function framesShown(error: Error): string {
  // In a bundle, all frames are better than none for a rejected request, whose message does not lead to the code.
  const frames = userFramesOf(error) ?? (error instanceof StatusError ? framesOf(error) : []);
  return frames.map(({ text }) => text).join('\n');
}

/** Returns undefined for a value that is not a Kubernetes object. Any value with a name in its metadata is one. */
function identityOf(value: object): Record<string, unknown> | undefined {
  const { kind, metadata } = value as { readonly kind?: unknown; readonly metadata?: unknown };
  if (typeof metadata !== 'object' || metadata === null) return undefined;
  const { name, generateName, namespace } = metadata as Readonly<Record<string, unknown>>;
  if (typeof name !== 'string' && typeof generateName !== 'string') return undefined;
  return {
    ...(typeof kind === 'string' ? { kind } : {}),
    ...(typeof namespace === 'string' && namespace !== '' ? { namespace } : {}),
    name: name ?? `${String(generateName)}*`,
  };
}
