import { readFileSync } from 'node:fs';
import { dirname, extname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A TypeScript source and its path. */
export interface LocatedSource {
  readonly path: string;
  readonly text: string;
}

const typescriptExtensions = new Set(['.ts', '.mts', '.cts', '.tsx']);

/**
 * The TypeScript source of a module: the module itself, or, for compiled JavaScript, the file in its source map. A source
 * map may contain the source of a file that was not shipped. Undefined if no source is found.
 */
export function locateSource(moduleUrl: string): LocatedSource | undefined {
  const path = fileURLToPath(moduleUrl);
  const text = textOf(path);
  if (text === undefined) return undefined;
  if (typescriptExtensions.has(extname(path))) return { path, text };
  const map = sourceMapOf(path, text);
  if (map === undefined) return undefined;
  const [source, another] = map.sources;
  // It is unknown which source of a bundle contains a class.
  if (another !== undefined || source === undefined || !typescriptExtensions.has(extname(source))) return undefined;
  const sourcePath = source.startsWith('file:')
    ? fileURLToPath(source)
    : resolve(dirname(map.path), map.sourceRoot, source);
  const sourceText = textOf(sourcePath) ?? map.sourcesContent[0];
  return typeof sourceText === 'string' ? { path: sourcePath, text: sourceText } : undefined;
}

interface SourceMap {
  readonly path: string;
  readonly sourceRoot: string;
  readonly sources: readonly string[];
  readonly sourcesContent: readonly unknown[];
}

function sourceMapOf(path: string, text: string): SourceMap | undefined {
  const marker = '//# sourceMappingURL=';
  const at = text.lastIndexOf(marker);
  if (at < 0) return undefined;
  const [url = ''] = text.slice(at + marker.length).split(/\s/, 1);
  const inline = /^data:application\/json[^,]*;base64,/.exec(url);
  const mapPath = inline === null ? resolve(dirname(path), decodeURIComponent(url)) : path;
  const json = inline === null ? textOf(mapPath) : Buffer.from(url.slice(inline[0].length), 'base64').toString('utf8');
  if (json === undefined) return undefined;
  try {
    const map = JSON.parse(json) as Readonly<Record<string, unknown>> | null;
    if (!Array.isArray(map?.['sources'])) return undefined;
    const { sources, sourceRoot, sourcesContent } = map;
    return {
      path: mapPath,
      sourceRoot: typeof sourceRoot === 'string' ? sourceRoot : '',
      sources: sources.map(String),
      sourcesContent: Array.isArray(sourcesContent) ? sourcesContent : [],
    };
  } catch {
    return undefined; // An invalid map is treated as missing.
  }
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
