import { packageOf } from './definitions.ts';
import { banner, moduleFileOf } from './output.ts';
import type { OpenApiSchema } from './recordings.ts';
import { textModule, textModulesIndex } from './text-modules.ts';

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
  const packages = Map.groupBy(descriptions, ([definition]) => packageOf(definition));
  const index = textModulesIndex(banner, 'descriptionModules', 'descriptions', packages.keys());
  const files = new Map([['descriptions/index.ts', index]]);
  for (const [name, members] of packages) {
    files.set(`descriptions/${moduleFileOf(name)}.ts`, textModule(banner, 'descriptions', members));
  }
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
