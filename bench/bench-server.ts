import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../test/imports.fixture.ts';
import { startRealServer } from '../test/real-server.fixture.ts';
import { withEmbeddedServer } from './run-program.ts';

/**
 * Calls `use` with a kubeconfig of a server that has only the benchmarks' kind: an embedded or a real one.
 *
 * @param definitionFile its CRD, in the folder of the benchmarks.
 * @param flags more flags of a real server.
 */
export async function withBenchServer<T>(
  which: 'embedded' | 'real',
  use: (kubeconfig: string) => T | Promise<T>,
  definitionFile = 'bench.crd.yaml',
  flags: readonly string[] = [],
): Promise<T> {
  const definition = join(root, 'bench', definitionFile);
  if (which === 'embedded') return await withEmbeddedServer(definition, use);
  const server = await startRealServer(undefined, [], flags);
  try {
    execFileSync('kubectl', ['--kubeconfig', server.kubeconfig, 'apply', '-f', definition]);
    return await use(server.kubeconfig);
  } finally {
    await server.stop();
  }
}
