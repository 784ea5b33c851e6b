import { packageOf } from './definitions.ts';
import { banner, moduleFileOf } from './output.ts';
import type { OpenApiSchema } from './recordings.ts';

/** The descriptions of a definition: its own, and those of its properties by name. */
export type Descriptions = readonly [own: string, properties: Readonly<Record<string, string>>];

/** Collects the descriptions of every definition that has any. Only definitions and their properties have descriptions. */
export function descriptionsOf(definitions: ReadonlyMap<string, OpenApiSchema>): Map<string, Descriptions> {
  const found = new Map<string, Descriptions>();
  for (const [name, { description = '', properties = {} }] of definitions) {
    const described = Object.entries(properties).flatMap(([property, node]) =>
      node.description === undefined ? [] : [[property, node.description] as const],
    );
    if (description !== '' || described.length > 0) found.set(name, [description, Object.fromEntries(described)]);
  }
  return found;
}

/** Generates one module for each definition package with its descriptions as JSON text, and an index that imports them on demand. */
export function descriptionModules(descriptions: ReadonlyMap<string, Descriptions>): Map<string, string> {
  const files = new Map<string, string>();
  const index = [banner, '', 'export const descriptionModules = {'];
  for (const [name, members] of Map.groupBy(descriptions, ([definition]) => packageOf(definition))) {
    const file = `${moduleFileOf(name)}.ts`;
    index.push(`  '${name}': () => import('./${file}'),`);
    const lines = members.map(([definition, texts]) => `${JSON.stringify(definition)}:${JSON.stringify(texts)}`);
    const text = `{\n${lines.join(',\n')}\n}`.replace(/[\\`]|\$\{/g, '\\$&');
    files.set(`descriptions/${file}`, `${banner}\n\nexport const descriptions: string = \`${text}\`;\n`);
  }
  index.push('} as const satisfies Record<string, () => Promise<{ descriptions: string }>>;', '');
  files.set('descriptions/index.ts', index.join('\n'));
  return files;
}

/**
 * Returns a description as a JSDoc comment, with the given indentation and a line break at the end. What follows
 * "Deprecated:" becomes a tag, so that editors strike the name through.
 */
export function docComment(description: string | undefined, indent: string): string {
  if (description === undefined || description === '') return '';
  const lines = description
    .replaceAll('*/', '*\\/')
    .replace(/(^|\.\s+|\n)Deprecated[:.] /, (_match, before: string) => `${before.trimEnd()}\n@deprecated `)
    .split('\n')
    .map((line) => line.trimEnd());
  while (lines[0] === '') lines.shift();
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} *${line === '' ? '' : ` ${line}`}\n`).join('')}${indent} */\n`;
}
