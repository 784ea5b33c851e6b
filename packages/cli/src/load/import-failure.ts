import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** An import that cannot be resolved. The message names the import and the fix; the location is separate. */
export class ImportFailure extends Error {
  override readonly name = 'ImportFailure';
  readonly specifier: string;
  /** The URL of the importing module. */
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
    return `it imports "${specifier}" without an attribute for JSON; write from "${specifier}" with { type: "json" }`;
  }
  if (code !== 'ERR_MODULE_NOT_FOUND') return String(message);
  if (/^\.\.?(\/|$)/.test(specifier)) return `it imports "${specifier}", but the file does not exist; check the path`;
  if (importer.startsWith('file:') && isMappedByTypescript(specifier, dirname(fileURLToPath(importer)))) {
    return (
      `it imports "${specifier}", which is mapped by "paths" in tsconfig.json, and Node does not support "paths"; ` +
      'write a relative path, or use "imports" in package.json, with names that start with "#"'
    );
  }
  const unbuilt = /^Cannot find module '([^']+)'/.exec(String(message))?.[1];
  if (unbuilt !== undefined)
    return `it imports "${specifier}", whose file ${unbuilt} does not exist; build that package`;
  const name = /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;
  return `it imports "${specifier}", but the package is not installed; run npm install ${name}`;
}

/** Whether a tsconfig.json in a folder or above maps an import. Searches the text, because such files may have comments. */
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
