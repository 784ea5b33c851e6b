import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from './imports.fixture.ts';

describe('package-lock.json', () => {
  it('has every optional dependency, as npm ci requires', () => {
    const checked = spawnSync(process.execPath, [join(root, 'scripts/complete-lockfile.mjs'), '--check']);
    expect(String(checked.stderr)).toBe('');
    expect(checked.status).toBe(0);
  });
});
