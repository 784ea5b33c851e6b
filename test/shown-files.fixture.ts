import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './imports.fixture.ts';

/** The files in this folder that a guide shows, by the paths that it shows. */
export type ShownFiles = Readonly<Record<string, string>>;

/** Checks that a guide shows each file as it is, with the paths of the guide in its imports. */
export function showsFiles(guide: string, shown: ShownFiles): void {
  it.each(Object.entries(shown))('shows the %s that runs in this folder', (path, file) => {
    const [, code = ''] = new RegExp(`^\`\`\`ts ${path}\\n(.*?)^\`\`\`$`, 'ms').exec(guide) ?? [];
    const renamed = Object.entries(shown).reduce(
      (text, [to, from]) =>
        text.replaceAll(`'./${from.slice('test/'.length)}'`, `'./${to.slice('src/'.length)}'`).replaceAll(from, to),
      readFileSync(join(root, file), 'utf8'),
    );
    expect(code).toBe(renamed);
  });
}
