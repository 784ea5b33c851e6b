import { moduleFileOf } from './output.ts';

/**
 * Generates a module with an object as JSON text, for JSON.parse, because V8 parses it several times faster than an object
 * literal. It is declared as `string`, because otherwise the whole text would become a literal type in the declaration file.
 */
export function textModule(banner: string, exported: string, members: readonly (readonly [string, unknown])[]): string {
  const lines = members.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
  const text = `{\n${lines.join(',\n')}\n}`.replace(/[\\`]|\$\{/g, '\\$&');
  return `${banner}\n\nexport const ${exported}: string = \`${text}\`;\n`;
}

/** Generates the index that imports the text modules of definition packages on demand; `content` is what each exports. */
export function textModulesIndex(
  banner: string,
  exported: string,
  content: string,
  definitionPackages: Iterable<string>,
): string {
  const imports = [...definitionPackages].map((name) => `  '${name}': () => import('./${moduleFileOf(name)}.ts'),`);
  const type = `Record<string, () => Promise<{ ${content}: string }>>`;
  return [banner, '', `export const ${exported} = {`, ...imports, `} as const satisfies ${type};`, ''].join('\n');
}
