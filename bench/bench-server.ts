import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../test/imports.fixture.ts';
import { startRealServer } from '../test/real-server.fixture.ts';
import { withEmbeddedServer } from './run-program.ts';

const definition = join(root, 'bench/bench.crd.yaml');

/** Calls `use` with a kubeconfig of a server that has only the benchmarks' kind: an embedded or a real one. */
export async function withBenchServer<T>(
  which: 'embedded' | 'real',
  use: (kubeconfig: string) => T | Promise<T>,
): Promise<T> {
  if (which === 'embedded') return await withEmbeddedServer(definition, use);
  const server = await startRealServer();
  try {
    execFileSync('kubectl', ['--kubeconfig', server.kubeconfig, 'apply', '-f', definition]);
    return await use(server.kubeconfig);
  } finally {
    await server.stop();
  }
}
