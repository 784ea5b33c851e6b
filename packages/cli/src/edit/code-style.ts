import type { Node } from 'oxc-parser';
import { nodesIn, SourceModule } from './source-module.ts';
import { edited, removal, type TextEdit } from './text-edit.ts';

/** The format of a module, as far as formatters differ in it. */
export interface CodeStyle {
  readonly newline: '\n' | '\r\n';
  readonly quote: "'" | '"';
  readonly hasSemicolons: boolean;
  /** One level of indentation. */
  readonly indentation: string;
  /** Whether lists with a line for each entry have a comma after the last one. */
  readonly hasTrailingCommas: boolean;
  /** Whether there is a blank inside the braces of imports. */
  readonly hasBraceBlanks: boolean;
  /** How relative imports end. */
  readonly importEnding: '.ts' | '.js' | '';
}

/** The style of our own templates. */
export const templateStyle: CodeStyle = {
  newline: '\n',
  quote: "'",
  hasSemicolons: true,
  indentation: '  ',
  hasTrailingCommas: true,
  hasBraceBlanks: true,
  importEnding: '.ts',
};

/**
 * Returns the style of the first module. What this module does not show is taken from the following modules, or else from our templates.
 */
export function styleOf(modules: readonly SourceModule[]): CodeStyle {
  const observed: Partial<Record<keyof CodeStyle, unknown>> = {};
  for (const module of modules) {
    for (const [name, value] of Object.entries(styleIn(module))) {
      if (value !== undefined) observed[name as keyof CodeStyle] ??= value;
    }
    if (Object.keys(observed).length === Object.keys(templateStyle).length) break;
  }
  return { ...templateStyle, ...observed } as CodeStyle;
}

function styleIn(module: SourceModule): { readonly [Name in keyof CodeStyle]: CodeStyle[Name] | undefined } {
  const { text } = module;
  const nodes = [...nodesIn(module.program)];
  const quotes = nodes.flatMap((node) =>
    node.type === 'Literal' && typeof node.value === 'string' && !/['"]/.test(node.value)
      ? (text[node.start] ?? [])
      : [],
  );
  const [newline] = /\r?\n/.exec(text) ?? [];
  const imports = nodes.filter((node) => node.type === 'ImportDeclaration');
  const braces = imports.flatMap((node) => /^import (?:type )?\{(.)/.exec(module.textOf(node))?.[1] ?? []);
  return {
    newline: newline as CodeStyle['newline'] | undefined,
    quote: majority(quotes.filter((quote): quote is CodeStyle['quote'] => quote === "'" || quote === '"')),
    hasSemicolons: majority(nodes.filter(endsWithSemicolon).map(({ end }) => text[end - 1] === ';')),
    indentation: indentationIn(module),
    hasTrailingCommas: majority(nodes.flatMap((node) => trailingCommaIn(node, module) ?? [])),
    hasBraceBlanks: majority(braces.map((character) => /\s/.test(character))),
    importEnding: majority(
      imports.flatMap(({ source: { value } }) =>
        /^\.\.?\//.test(value) ? (/\.[jt]s$/.exec(value)?.[0] ?? '') : [],
      ) as CodeStyle['importEnding'][],
    ),
  };
}

function majority<T>(votes: readonly T[]): T | undefined {
  const [first] = [...Map.groupBy(votes, (vote) => vote)].toSorted(([, left], [, right]) => right.length - left.length);
  return first?.[0];
}

const statements: ReadonlySet<Node['type']> = new Set<Node['type']>([
  'ImportDeclaration',
  'ExportAllDeclaration',
  'ExpressionStatement',
  'PropertyDefinition',
  'ReturnStatement',
  'ThrowStatement',
  'TSTypeAliasDeclaration',
  'VariableDeclaration',
]);

function endsWithSemicolon(node: Node): boolean {
  return statements.has(node.type) || (node.type === 'ExportNamedDeclaration' && node.declaration === null);
}

function indentationIn({ text }: SourceModule): string | undefined {
  const indented = text.split('\n').flatMap((line) => /^([ \t]+)[^\s*]/.exec(line)?.[1] ?? []);
  if (indented.length === 0) return undefined;
  if (indented.some((blanks) => blanks.startsWith('\t'))) return '\t';
  return indented.reduce((shortest, blanks) => (blanks.length < shortest.length ? blanks : shortest));
}

function trailingCommaIn(node: Node, { text }: SourceModule): boolean | undefined {
  if (node.type !== 'ArrayExpression' && node.type !== 'ObjectExpression') return undefined;
  const inside = text.slice(node.start + 1, node.end - 1);
  return /\n[ \t]*$/.test(inside) && /\S/.test(inside) ? /,\s*$/.test(inside) : undefined;
}

/** Returns a module of our templates in another style. */
export function restyled(template: string, style: CodeStyle): string {
  const module = new SourceModule('template.ts', template);
  const edits = new Map<number, TextEdit>();
  for (const node of nodesIn(module.program)) {
    if (!style.hasSemicolons && endsWithSemicolon(node) && template[node.end - 1] === ';') {
      edits.set(node.end - 1, removal(node.end - 1, node.end));
    }
    if (node.type !== 'Literal' || typeof node.value !== 'string') continue;
    const value = node.value.replace(/^(\.\.?\/.*)\.ts$/, `$1${style.importEnding}`);
    const isQuoted = node.value.includes(style.quote) || template[node.start] !== templateStyle.quote;
    const quote = isQuoted ? template[node.start] : style.quote;
    edits.set(node.start, { start: node.start, end: node.end, text: `${quote}${value}${quote}` });
  }
  const lines = edited(template, [...edits.values()]).split('\n');
  return lines
    .map((line) => line.replace(/^(?: {2})+/, (blanks) => style.indentation.repeat(blanks.length / 2)))
    .join(style.newline);
}
