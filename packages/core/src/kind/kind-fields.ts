import { EvenkeelError } from '../errors/evenkeel-error.ts';

/**
 * The fields of kinds, by keys such as `nginxes.web.example.com/v1`. A field is a path such as `spec.image`. The fields below
 * a path can be in brackets: `spec.template(metadata(labels),spec(containers(image,name)))`. Lists and maps have the fields of
 * their elements. `evenkeel generate` writes them, and `Manager.run(operator, { fields })` reads them.
 */
export type KindFields = Readonly<Record<string, readonly string[]>>;

/** Fields by name, each with the fields below it. */
export type FieldTree = ReadonlyMap<string, FieldTree>;

/** Writes one line for each path of two levels, so that a change of a field changes one line. Deeper fields are in brackets. */
export function writeFieldTree(tree: FieldTree): string[] {
  return sorted(tree).flatMap(([name, below]) =>
    below.size === 0 ? [encoded(name)] : sorted(below).map((field) => `${encoded(name)}.${textOf(field)}`),
  );
}

function textOf([name, below]: [string, FieldTree]): string {
  return below.size === 0 ? encoded(name) : `${encoded(name)}(${sorted(below).map(textOf).join(',')})`;
}

function sorted(tree: FieldTree): [string, FieldTree][] {
  return [...tree].sort(([left], [right]) => (left < right ? -1 : 1));
}

/** Names of fields can be any string. Characters that the format uses are escaped as in a URL. */
function encoded(name: string): string {
  return name.replace(/[%.,()]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
}

function decoded(text: string): string {
  return text.replace(/%([0-9a-f]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

type MutableTree = Map<string, MutableTree>;

/** Parses the output of {@link writeFieldTree}. Throws `invalid-option` for anything else. */
export function readFieldTree(lines: readonly string[]): FieldTree {
  const tree: MutableTree = new Map();
  for (const line of lines) {
    if (typeof line !== 'string' || !read(line, tree)) {
      throw new EvenkeelError(
        'invalid-option',
        `fields: invalid field path ${JSON.stringify(line)}; pass the output of "evenkeel generate" unchanged`,
      );
    }
  }
  return tree;
}

/** Adds the fields of one line. Returns false if the line is invalid. */
function read(line: string, root: MutableTree): boolean {
  const open: MutableTree[] = [];
  let parent = root;
  let last: MutableTree | undefined;
  for (const [, name, sign] of line.matchAll(/([^.,()]+)|([.,()])/g)) {
    if (name !== undefined) {
      if (last !== undefined) return false;
      last = parent.get(decoded(name)) ?? new Map();
      parent.set(decoded(name), last);
      continue;
    }
    if (last === undefined) return false;
    if (sign === '.' || sign === '(') {
      if (sign === '(') open.push(parent);
      parent = last;
      last = undefined;
    } else if (sign === ',') {
      if (open.length === 0) return false;
      last = undefined;
    } else {
      const outer = open.pop();
      if (outer === undefined) return false;
      // A closing bracket must be followed by another one or by a comma.
      parent = outer;
    }
  }
  return last !== undefined && open.length === 0;
}
