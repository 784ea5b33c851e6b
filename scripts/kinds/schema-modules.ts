import { type Definition, packageOf, referencesOf } from './definitions.ts';
import { banner, moduleFileOf } from './output.ts';
import { textModule } from './text-modules.ts';

/**
 * Generates one module for each definition package, with its definitions as JSON text, and an index that imports them
 * on demand.
 */
export function schemaModules(definitions: ReadonlyMap<string, Definition>): Map<string, string> {
  const packages = Map.groupBy(definitions, ([name]) => packageOf(name));
  const files = new Map<string, string>();
  const index = [banner, '', 'export const definitionModules = {'];
  for (const [name, members] of packages) {
    const file = `${moduleFileOf(name)}.ts`;
    const requires = new Set(members.flatMap(([, definition]) => [...referencesOf(definition)].map(packageOf)));
    requires.delete(name);
    index.push(
      `  '${name}': {`,
      `    requires: [${[...requires]
        .sort()
        .map((required) => `'${required}'`)
        .join(', ')}],`,
      `    load: () => import('./${file}'),`,
      '  },',
    );
    files.set(`schemas/${file}`, textModule(banner, 'definitions', members));
  }
  index.push(
    '} as const satisfies Record<string, { requires: readonly string[]; load: () => Promise<{ definitions: string }> }>;',
    '',
  );
  files.set('schemas/index.ts', index.join('\n'));
  return files;
}
