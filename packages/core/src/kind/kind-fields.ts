import { EvenkeelError } from '../errors/evenkeel-error.ts';

/**
 * The fields of kinds, by `nginxes.web.example.com/v1`: paths such as `spec.image`, where what stands below a field may be
 * gathered in brackets, `spec.template(metadata(labels),spec(containers(image,name)))`. Lists and maps have the fields of
 * their elements. Written by `evenkeel generate`, read by `Manager.run({ fields })`.
 */
export type KindFields = Readonly<Record<string, readonly string[]>>;

/** Fields by their names, each with those below it. */
export type FieldTree = ReadonlyMap<string, FieldTree>;

/** Two levels of names are a path, so that a change of them is a change of one line; what is deeper is in brackets. */
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

/** Names of fields may be any text; those of the form's own signs are written as in a URL. */
function encoded(name: string): string {
  return name.replace(/[%.,()]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
}

function decoded(text: string): string {
  return text.replace(/%([0-9a-f]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

type MutableTree = Map<string, MutableTree>;

/** Reads what {@link writeFieldTree} wrote. Throws `invalid-option` where it is something else. */
export function readFieldTree(lines: readonly string[]): FieldTree {
  const tree: MutableTree = new Map();
  for (const line of lines) {
    if (typeof line !== 'string' || !read(line, tree)) {
      throw new EvenkeelError(
        'invalid-option',
        `fields: ${JSON.stringify(line)} is no path of fields; hand over what "evenkeel generate" wrote, unchanged`,
      );
    }
  }
  return tree;
}

/** Adds the fields of one line; false where it is none. */
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
      // Behind a bracket comes another one, or a comma.
      parent = outer;
    }
  }
  return last !== undefined && open.length === 0;
}
