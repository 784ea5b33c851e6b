import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const version = '3.6.16';

/**
 * Returns the path of etcdutl, which restores snapshots: in a folder with etcd, or else built once by Go, if this machine has it.
 * Undefined without both.
 */
export async function etcdutlIn(programs: string): Promise<string | undefined> {
  const beside = join(programs, 'etcdutl');
  const cached = join(
    process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'),
    `evenkeel/etcdutl-${version}/etcdutl`,
  );
  const found = [beside, cached].find((path) => existsSync(path));
  return found ?? ((await build(cached).catch(() => false)) ? cached : undefined);
}

/** `go install` rejects the module, because its go.mod has replacements, which count only in their own checkout. */
async function build(path: string): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'evenkeel-etcdutl-'));
  const go = (...args: string[]) =>
    promisify(execFile)('go', args, { cwd: folder, env: { ...process.env, GOFLAGS: '-mod=mod' }, timeout: 540_000 });
  try {
    const module = 'go.etcd.io/etcd/etcdutl/v3';
    await go('mod', 'init', 'example.com/tools');
    await writeFile(join(folder, 'tools.go'), `//go:build tools\n\npackage tools\n\nimport _ "${module}"\n`);
    await go('get', `${module}@v${version}`);
    await go('build', '-o', 'etcdutl', module);
    await mkdir(dirname(path), { recursive: true });
    await rename(join(folder, 'etcdutl'), path);
    return true;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
