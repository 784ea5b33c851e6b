import { goQuote, jsonKindOf } from '../go-format/go-format.ts';
import { isJsonObject, type JsonObject, jsonEqual, setKey, valueAt } from '../json/json-value.ts';
import { stringifyLiterals } from '../json/number-literal.ts';
import { requestBytesMax } from '../limits/limits.ts';

/** A JSON patch that cannot be applied. The message is that of the server's library. */
export class JsonPatchError extends Error {
  override readonly name = 'JsonPatchError';
  /** `malformed`: it is not a list of operations. `large`: it has too many. `mismatch`: it does not fit the document. */
  readonly reason: 'malformed' | 'large' | 'mismatch';

  constructor(reason: JsonPatchError['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

/** The server's limit: `maxJSONPatchOperations` in apiserver's `endpoints/handlers/patch.go`. */
export const jsonPatchOperationsMax = 10_000;

/**
 * The maximum number of bytes of JSON that the `copy` operations of one patch may add: the server's
 * `JSONPatchMaxCopyBytes`.
 */
export const jsonPatchCopyBytesMax = requestBytesMax;

export interface JsonPatchOptions {
  /** Only the library decodes the patch, and not the server before it. Default: false. */
  readonly isLazy?: boolean;
}

/**
 * Applies a JSON patch (RFC 6902) and returns the new document. The original is not changed; the result shares its
 * unchanged parts. The result is an object, unless a `replace` of the whole document sets another value.
 *
 * It follows the server's library (evanphx/json-patch v4) where that differs from the RFC: `replace` of a missing key
 * of an object sets the key, `copy` from a missing key copies null, an `add` without a value adds null, a negative
 * index counts from the end of an array, and everything before a path's first slash is ignored.
 *
 * Difference: numbers compare by value in `test`, not by their spelling (`1` equals `1.0`).
 *
 * @throws JsonPatchError `malformed` if the patch is not a list of operations, `large` if it has more than 10,000 of them, `mismatch`
 *   if one of them does not apply or the copies exceed 3 MiB. Then no part of the patch takes effect.
 */
export function applyJsonPatch(
  original: JsonObject,
  patch: unknown,
  { isLazy = false }: JsonPatchOptions = {},
): unknown {
  const operations = parseOperations(patch, isLazy);
  if (operations.length > jsonPatchOperationsMax) {
    const limit = `The allowed maximum operations in a JSON patch is ${jsonPatchOperationsMax}`;
    throw new JsonPatchError('large', `${limit}, got ${operations.length}`);
  }
  const document = new PatchedDocument(original);
  for (const operation of operations) applyOperation(document, operation);
  return document.root;
}

interface Operation {
  op: string;
  path: string | undefined;
  from: string | undefined;
  value: unknown;
}

function parseOperations(patch: unknown, isLazy: boolean): Operation[] {
  if (patch === null) return [];
  const [list, one] = isLazy
    ? ['jsonpatch.Patch', 'jsonpatch.Operation']
    : ['[]handlers.jsonPatchOp', 'handlers.jsonPatchOp'];
  const undecodable = (what: string): Error =>
    new JsonPatchError('malformed', `${isLazy ? '' : 'error decoding patch: '}json: cannot unmarshal ${what}`);
  const stringField = (operation: JsonObject, field: string): string | undefined => {
    const value = valueAt(operation, field);
    if (typeof value === 'string') return value;
    if (value === undefined || value === null || isLazy) return undefined;
    throw undecodable(`${jsonKindOf(value)} into Go struct field jsonPatchOp.${field} of type string`);
  };
  if (!Array.isArray(patch)) throw undecodable(`${jsonKindOf(patch)} into Go value of type ${list}`);
  return patch.map((item: unknown) => {
    if (item === null) return { op: 'unknown', path: undefined, from: undefined, value: undefined };
    if (!isJsonObject(item)) throw undecodable(`${jsonKindOf(item)} into Go value of type ${one}`);
    return {
      op: stringField(item, 'op') ?? 'unknown',
      path: stringField(item, 'path'),
      from: stringField(item, 'from'),
      value: valueAt(item, 'value'),
    };
  });
}

function applyOperation(document: PatchedDocument, { op, path, from, value }: Operation): void {
  switch (op) {
    case 'add': {
      const target = document.parentOf(op, path, 'path', goQuote);
      within(`error in add for path: '${path}'`, () => target.add(value ?? null));
      return;
    }
    case 'remove': {
      const target = document.parentOf(op, path, 'path', goQuote);
      within(`error in remove for path: '${path}'`, () => target.remove());
      return;
    }
    case 'replace': {
      if (path === '') {
        document.replaceRoot(value);
        return;
      }
      const target = document.parentOf(op, path, 'path');
      try {
        target.get();
      } catch (error) {
        if (!(error instanceof InvalidLocation)) throw error;
        throw new JsonPatchError(
          'mismatch',
          `replace operation does not apply: doc is missing key: ${path}: missing value`,
        );
      }
      target.write(value ?? null);
      return;
    }
    case 'move': {
      const source = document.parentOf(op, from, 'from path');
      const moved = within(`error in move for path: '${source.key}'`, () => {
        const found = source.get() ?? null;
        source.remove();
        return found;
      });
      const target = document.parentOf(op, path, 'destination path');
      within(`error in move for path: '${path}'`, () => target.add(moved));
      return;
    }
    case 'copy': {
      const source = document.parentOf(op, from, 'from path');
      const copied = within(`error in copy for from: '${from}'`, () => source.get() ?? null);
      document.countCopy(copied);
      const target = document.parentOf(op, path, 'destination path');
      within('error while adding value during copy', () => target.add(copied));
      return;
    }
    case 'test': {
      const read = (): unknown => (path === '' ? document.root : document.parentOf(op, path, 'path').get());
      const actual = within(`error in test for path: '${path}'`, read);
      if (!jsonEqual(actual ?? null, value ?? null))
        throw new JsonPatchError('mismatch', `testing value ${path} failed: test failed`);
      return;
    }
    default:
      throw new JsonPatchError('mismatch', `Unexpected kind: ${op}`);
  }
}

/** A key or index that is missing or invalid. */
class InvalidLocation extends Error {
  override readonly name = 'InvalidLocation';
}

function within<T>(what: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof InvalidLocation) throw new JsonPatchError('mismatch', `${what}: ${error.message}`);
    throw error;
  }
}

type Container = JsonObject | unknown[];

/** A document that is being patched. Containers are copied on the first write and then changed in place. */
class PatchedDocument {
  root: unknown;
  readonly #own = new Set<Container>();
  #copiedBytes = 0;

  constructor(original: JsonObject) {
    this.root = original;
  }

  replaceRoot(value: unknown): void {
    if (!isContainer(value)) throw new JsonPatchError('mismatch', 'replace operation value must be object or array');
    this.root = value;
  }

  /** Marks that `value` is now in two places: containers that are written from now on are copied again first. */
  countCopy(value: unknown): void {
    this.#own.clear();
    this.#copiedBytes += Buffer.byteLength(stringifyLiterals(value));
    if (this.#copiedBytes > jsonPatchCopyBytesMax) {
      const grown = `the accumulated size increase of copy is ${this.#copiedBytes}`;
      throw new JsonPatchError(
        'mismatch',
        `Unable to complete the copy, ${grown}, exceeding the limit ${jsonPatchCopyBytesMax}`,
      );
    }
  }

  /**
   * Returns the container of the value that `pointer`'s last part names. Copies the containers above it first.
   * `what` and `quote` show the pointer in the message of a missing container.
   */
  parentOf(
    op: string,
    pointer: string | undefined,
    what: string,
    quote: (pointer: string) => string = String,
  ): Location {
    if (pointer === undefined) throw new JsonPatchError('mismatch', `${op} operation misses a path: missing value`);
    const missing = `${op} operation does not apply: doc is missing ${what}: ${quote(pointer)}: missing value`;
    const [, ...parts] = pointer.split('/');
    const key = parts.pop();
    if (key === undefined || !isContainer(this.root)) throw new JsonPatchError('mismatch', missing);
    let container = this.#owned(this.root);
    this.root = container;
    for (const part of parts) {
      const location = new Location(container, decodePart(part));
      const next = location.find();
      if (!isContainer(next)) throw new JsonPatchError('mismatch', missing);
      container = this.#owned(next);
      if (container !== next) location.write(container);
    }
    return new Location(container, decodePart(key));
  }

  #owned(container: Container): Container {
    if (this.#own.has(container)) return container;
    const copy = Array.isArray(container) ? [...container] : { ...container };
    this.#own.add(copy);
    return copy;
  }
}

/** One key of an object or one index of an array, with the operations on it. */
class Location {
  readonly key: string;
  readonly #container: Container;

  constructor(container: Container, key: string) {
    this.#container = container;
    this.key = key;
  }

  find(): unknown {
    if (!Array.isArray(this.#container)) return valueAt(this.#container, this.key);
    const index = parseIndex(this.key);
    return index === undefined ? undefined : this.#container.at(index);
  }

  write(value: unknown): void {
    if (!Array.isArray(this.#container)) setKey(this.#container, this.key, value);
    else this.#container[this.#index(this.#container.length)] = value;
  }

  get(): unknown {
    if (Array.isArray(this.#container)) return this.#container[this.#index(this.#container.length)];
    return valueAt(this.#container, this.key);
  }

  add(value: unknown): void {
    if (!Array.isArray(this.#container)) setKey(this.#container, this.key, value);
    else if (this.key === '-') this.#container.push(value);
    else this.#container.splice(this.#index(this.#container.length + 1), 0, value);
  }

  remove(): void {
    if (Array.isArray(this.#container)) {
      this.#container.splice(this.#index(this.#container.length), 1);
      return;
    }
    if (!Object.hasOwn(this.#container, this.key)) {
      throw new InvalidLocation(`Unable to remove nonexistent key: ${this.key}: missing value`);
    }
    delete this.#container[this.key];
  }

  #index(length: number): number {
    const index = parseIndex(this.key);
    if (index === undefined) throw new InvalidLocation(`strconv.Atoi: parsing ${goQuote(this.key)}: invalid syntax`);
    if (index >= length || index < -length) {
      throw new InvalidLocation(`Unable to access invalid index: ${index}: invalid index referenced`);
    }
    return index < 0 ? index + length : index;
  }
}

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null;
}

function decodePart(part: string): string {
  return part.includes('~') ? part.replace(/~[01]/g, (code) => (code === '~1' ? '/' : '~')) : part;
}

function parseIndex(key: string): number | undefined {
  return /^[+-]?\d{1,15}$/.test(key) ? Number(key) : undefined;
}
