import { spawnSync } from 'node:child_process';

/** Whether kubectl is on this machine. If CI requires the real server, its absence is an error instead of a skip. */
export function hasKubectl(): boolean {
  if (spawnSync('kubectl', ['version', '--client']).status === 0) return true;
  if (process.env['EVENKEEL_REQUIRE_REAL_SERVER'] === '1') throw new Error('no kubectl on PATH');
  return false;
}
