import { readFileSync } from 'node:fs';

/** The changelog of the framework since its first release, which the build puts into this package; empty without a build. */
export function ownChangelog(): string {
  try {
    return readFileSync(new URL('../dist/CHANGELOG.md', import.meta.url), 'utf8');
  } catch {
    return '';
  }
}
