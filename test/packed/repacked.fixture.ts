import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../imports.fixture.ts';

/** The scripts run on plain Node and have no type declarations. */
interface Changelog {
  shippedChangelog(text: string): string;
}

/**
 * Makes tarballs of another version from those of the packages, as a release does: by `scripts/version.mjs`.
 *
 * @param from the folder of the tarballs.
 * @param to a folder that does not exist yet.
 * @param changelog what is not released yet.
 */
export async function repack(from: string, to: string, version: string, changelog: string): Promise<void> {
  const checkout = join(to, 'checkout');
  const packages = readdirSync(from).filter((name) => name.endsWith('.tgz'));
  for (const tarball of packages) {
    const folder = join(checkout, 'packages', tarball.replace(/\.tgz$/, ''));
    mkdirSync(folder, { recursive: true });
    execFileSync('tar', ['-xzf', join(from, tarball), '-C', folder, '--strip-components=1']);
  }
  const path = join(checkout, 'CHANGELOG.md');
  const first = '## 0.0.1 (2026-01-01)\n\n### Added\n\n- The first version.\n';
  writeFileSync(path, `# Changelog\n\n## Unreleased\n\n${changelog}\n${first}`);
  const program = join(root, 'scripts/version.mjs');
  execFileSync(process.execPath, [program, version, '--root', checkout, '--date', '2026-12-24'], { stdio: 'pipe' });
  const { shippedChangelog }: Changelog = await import(join(root, 'scripts/changelog.mjs'));
  const released = execFileSync('cat', [path], { encoding: 'utf8' });
  for (const name of readdirSync(join(checkout, 'packages'))) {
    const folder = join(checkout, 'packages', name);
    if (name.startsWith('evenkeel-cli-')) writeFileSync(join(folder, 'dist/CHANGELOG.md'), shippedChangelog(released));
    const packed = join(to, `${name.replace(/-\d.*$/, '')}-${version}.tgz`);
    execFileSync('tar', ['-czf', packed, '-C', folder, '--transform', 's,^\\.,package,', '.']);
  }
}
