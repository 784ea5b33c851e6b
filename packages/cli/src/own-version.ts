import { readFileSync } from 'node:fs';

/** The version of this package, and of all others of the framework. */
export function ownVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return version;
}
