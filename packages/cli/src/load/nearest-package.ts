import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isJsonObject } from '@evenkeel/apimachinery/json';

/**
 * Returns the content of the nearest package.json, in this folder or above it; undefined if there is none. An unreadable one is
 * empty, because the check of the project's settings reports it.
 */
export function nearestPackage(folder: string): Readonly<Record<string, unknown>> | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const text = textOf(join(at, 'package.json'));
    if (text !== undefined) return parsed(text);
    if (dirname(at) === at) return undefined;
  }
}

/** Returns the nearest folder with a package.json: this folder or one above it; undefined if there is none. */
export function nearestPackageFolder(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, 'package.json'))) return at;
    if (dirname(at) === at) return undefined;
  }
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}
