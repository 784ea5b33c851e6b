import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** An import that leads nowhere. Says what is written, and what to write instead; its place is told apart. */
export class ImportFailure extends Error {
  override readonly name = 'ImportFailure';
  readonly specifier: string;
  /** The module in which the import stands. */
  readonly importer: string;

  constructor(specifier: string, importer: string, cause: unknown) {
    super(reason(specifier, importer, cause), { cause });
    this.specifier = specifier;
    this.importer = importer;
  }
}

function reason(specifier: string, importer: string, cause: unknown): string {
  const { code, message } = cause as { code?: unknown; message?: unknown };
  if (code === 'ERR_IMPORT_ATTRIBUTE_MISSING') {
    return `it imports "${specifier}" without saying that it is JSON; write from "${specifier}" with { type: "json" }`;
  }
  if (code !== 'ERR_MODULE_NOT_FOUND') return String(message);
  if (/^\.\.?(\/|$)/.test(specifier)) return `it imports "${specifier}", and there is no such file`;
  if (importer.startsWith('file:') && isMappedByTypescript(specifier, dirname(fileURLToPath(importer)))) {
    return (
      `it imports "${specifier}", which "paths" in tsconfig.json maps for the compiler but Node does not follow: ` +
      'write a relative path, or name it under "imports" in package.json with a "#" in front'
    );
  }
  const unbuilt = /^Cannot find module '([^']+)'/.exec(String(message))?.[1];
  if (unbuilt !== undefined) return `it imports "${specifier}", whose file ${unbuilt} does not exist; is it built?`;
  const name = /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;
  return `it imports "${specifier}", and the package is not installed; run npm install ${name}`;
}

/** Whether a tsconfig.json around a folder maps an import. Read as text: such files have comments, and may be large. */
function isMappedByTypescript(specifier: string, folder: string): boolean {
  for (let at = folder; ; at = dirname(at)) {
    const file = join(at, 'tsconfig.json');
    if (existsSync(file)) {
      const text = readFileSync(file, 'utf8');
      const paths = text.indexOf('"paths"');
      if (paths < 0) return false;
      return [...text.slice(paths).matchAll(/"([^"\n]{1,200})"\s{0,20}:\s{0,20}\[/g)].some(([, pattern = '']) => {
        const [prefix = '', suffix] = pattern.split('*', 2);
        return suffix === undefined ? specifier === pattern : prefix !== '' && specifier.startsWith(prefix);
      });
    }
    if (at === dirname(at)) return false;
  }
}
