import type { Node } from 'oxc-parser';
import type { SourceModule } from './source-module.ts';
import type { TextEdit } from './text-edit.ts';

/** Returns the edits that rename the top-level names of a module wherever it uses them. Names of properties stay. */
export function renamed(module: SourceModule, names: ReadonlyMap<string, string>): TextEdit[] {
  const edits = new Map<number, TextEdit>();
  for (const { node, isShorthand } of referencesIn(module.program)) {
    const name = names.get(node.name);
    if (name === undefined) continue;
    // An identifier may include its type annotation.
    const end = node.start + node.name.length;
    edits.set(node.start, { start: node.start, end, text: isShorthand ? `${node.name}: ${name}` : name });
  }
  return [...edits.values()];
}

/** Returns the names that a node uses, except those of properties. */
export function namesUsedBy(node: Node): Set<string> {
  return new Set([...referencesIn(node)].map((reference) => reference.node.name));
}

interface Reference {
  readonly node: { readonly start: number; readonly name: string };
  /** Whether it is the name of a property too: `{ name }`. */
  readonly isShorthand: boolean;
}

function* referencesIn(node: Node, isShorthand = false): Generator<Reference> {
  if (node.type === 'Identifier') yield { node, isShorthand };
  const isKey = 'key' in node && !('computed' in node && node.computed === true);
  for (const [name, value] of Object.entries(node)) {
    if (name === 'parent' || (name === 'key' && isKey)) continue;
    if (name === 'property' && node.type === 'MemberExpression' && !node.computed) continue;
    const isShort = node.type === 'Property' && node.shorthand;
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child === 'object' && child !== null && typeof child.type === 'string') {
        yield* referencesIn(child as Node, isShort);
      }
    }
  }
}
