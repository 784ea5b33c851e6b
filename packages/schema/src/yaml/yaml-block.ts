/** Writes a string or number: its first line for use after `key: `, the others from column 0. */
export type WriteScalar = (value: string | number) => string;

/**
 * Writes JSON as YAML in block style with sorted keys. Strings that are certainly plain, which are nearly all of a CRD, are
 * written directly; `writeScalar` writes the rest. Returns undefined if a key does not fit in one line.
 */
export function blockYaml(value: unknown, writeScalar: WriteScalar): string | undefined {
  const block = new Block(writeScalar);
  try {
    block.write(value, 0, '');
  } catch (error) {
    if (error === keyOfSeveralLines) return undefined;
    throw error;
  }
  return block.text;
}

const keyOfSeveralLines = new Error('a key does not fit in one line');

class Block {
  readonly #writeScalar: WriteScalar;
  text = '';

  constructor(writeScalar: WriteScalar) {
    this.#writeScalar = writeScalar;
  }

  /** `lead` is the end of the current line: nothing, `key:`, or `-`. */
  write(value: unknown, indent: number, lead: '' | ':' | '-'): void {
    const items: readonly unknown[] = Array.isArray(value) ? value : [];
    const entries = items.length > 0 ? [] : entriesOf(value);
    if (items.length > 0) this.#list(items, indent, lead);
    else if (entries.length > 0) this.#map(entries, indent, lead);
    else this.text += `${lead === '' ? '' : ' '}${this.#scalar(value, indent)}\n`;
  }

  #list(items: readonly unknown[], indent: number, lead: string): void {
    const inside = lead === '' ? indent : indent + 2;
    for (const [i, item] of items.entries()) {
      this.#start(i, inside, lead);
      this.text += '-';
      this.write(item, inside, '-');
    }
  }

  #map(entries: readonly (readonly [string, unknown])[], indent: number, lead: string): void {
    const inside = lead === '' ? indent : indent + 2;
    for (const [i, [key, value]] of entries.entries()) {
      this.#start(i, inside, lead);
      const written = isPlain(key) ? key : this.#writeScalar(key);
      if (written.length > longestKey || written.includes('\n')) throw keyOfSeveralLines;
      this.text += `${written}:`;
      this.write(value, inside, ':');
    }
  }

  /** The first line of a list item starts in the line of its dash. */
  #start(i: number, indent: number, lead: string): void {
    if (i === 0 && lead === '-') this.text += ' ';
    else if (i === 0 && lead === ':') this.text += `\n${' '.repeat(indent)}`;
    else this.text += ' '.repeat(indent);
  }

  #scalar(value: unknown, indent: number): string {
    if (typeof value === 'string') {
      if (isPlain(value)) return value;
      const [first = '', ...lines] = this.#writeScalar(value).split('\n');
      return [first, ...lines.map((line) => (line === '' ? '' : ' '.repeat(indent) + line))].join('\n');
    }
    if (typeof value === 'number') return this.#writeScalar(value);
    if (Array.isArray(value)) return '[]';
    return typeof value === 'object' && value !== null ? '{}' : String(value ?? null);
  }
}

/** A parser accepts a longer key only with an explicit key mark. */
const longestKey = 500;

function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value)
    .filter(([, entry]) => entry !== undefined)
    .sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0));
}

/**
 * Starts with a character that can only start a string, ends with a character that has no other meaning, and contains only
 * printable ASCII.
 */
const plain = /^(?:[A-Za-z^(/\\$_]|\.[a-df-hj-mo-z])(?:[!-~ ]*[!-9;-~])?$/;
/** Starts a mapping or a comment inside a string. */
const notInside = /: | #/;
/** Strings that some version of YAML reads as a boolean or as null. */
const otherValues = /^(?:y|yes|n|no|true|false|on|off|null)$/i;

function isPlain(text: string): boolean {
  return plain.test(text) && !notInside.test(text) && !(text.length <= 5 && otherValues.test(text));
}
