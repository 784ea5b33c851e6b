import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../test/imports.fixture.ts';

/**
 * Builds the webhook server of controller-runtime. Undefined if there is no Go, or if its modules cannot be downloaded.
 */
export function buildGoWebhook(): string | undefined {
  const program = join(tmpdir(), 'evenkeel-peers', 'go-webhook');
  const build = spawnSync('go', ['build', '-o', program, '.'], { cwd: join(root, 'bench/peers/go-webhook') });
  return build.status === 0 ? program : undefined;
}
