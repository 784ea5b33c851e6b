import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './imports.fixture.ts';

/** The scripts run on plain Node and have no type declarations. */
interface Integrity {
  withoutIntegrity(lock: object, platform?: object): { name: string; path: string }[];
}

describe('package-lock.json', () => {
  it('has every optional dependency, as npm ci requires, and the hash of all that installs on this platform', () => {
    const checked = spawnSync(process.execPath, [join(root, 'scripts/complete-lockfile.mjs'), '--check']);
    expect(String(checked.stderr)).toBe('');
    expect(checked.status).toBe(0);
  });

  it('has the hashes of all that installs where CI runs, and lacks only those of native packages of other platforms', async () => {
    const { withoutIntegrity }: Integrity = await import(join(root, 'scripts/without-integrity.mjs'));
    const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
    expect(withoutIntegrity(lock, { os: 'linux', cpu: 'x64', libc: 'glibc' })).toEqual([]);
    const unlimited = withoutIntegrity(lock).filter(({ path }) => !lock.packages[path].os && !lock.packages[path].cpu);
    expect(unlimited).toEqual([]);
  });

  it('is rejected where a package of the platform has no hash', async () => {
    const { withoutIntegrity }: Integrity = await import(join(root, 'scripts/without-integrity.mjs'));
    const lock = {
      packages: {
        '': {},
        'packages/core': { version: '1.0.0' },
        'node_modules/@evenkeel/core': { link: true, resolved: 'packages/core' },
        'node_modules/checked': { version: '1.0.0', integrity: 'sha512-AAAA' },
        'node_modules/plain': { version: '1.1.0' },
        'node_modules/a/node_modules/@scope/nested': { version: '1.2.0', os: ['!win32'] },
        'node_modules/other-system': { version: '1.3.0', os: ['win32'] },
        'node_modules/other-processor': { version: '1.4.0', os: ['linux'], cpu: ['arm64'] },
        'node_modules/other-libc': { version: '1.5.0', os: ['linux'], cpu: ['x64'], libc: ['musl'] },
      },
    };
    const platform = { os: 'linux', cpu: 'x64', libc: 'glibc' };
    expect(withoutIntegrity(lock, platform).map(({ name }) => name)).toEqual(['plain', '@scope/nested']);
    expect(withoutIntegrity(lock)).toHaveLength(5);
  });
});
