import type { ApiServerOptions } from '@evenkeel/apiserver';
import { ClusterServer } from './cluster-server.ts';
import type { EnvironmentKind, TestServer } from './test-server.ts';

export interface TestServerOptions {
  readonly kind?: EnvironmentKind | undefined;
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly embedded: ApiServerOptions;
}

/** Opens the requested server, or the one that the environment variables select. */
export async function openTestServer({ kind, variables, embedded }: TestServerOptions): Promise<TestServer> {
  switch (kind ?? kindFrom(variables)) {
    case 'cluster':
      return await ClusterServer.find(variables);
    case 'envtest': {
      const { EnvtestServer } = await import('./envtest-server.ts');
      return await EnvtestServer.start(variables['KUBEBUILDER_ASSETS']);
    }
    default: {
      const { EmbeddedServer } = await import('./embedded-server.ts');
      return await EmbeddedServer.start(embedded);
    }
  }
}

/** As in envtest, a requested cluster has precedence over assets (controller-runtime `pkg/envtest/server.go`). */
function kindFrom(variables: Readonly<Record<string, string | undefined>>): EnvironmentKind {
  if (variables['USE_EXISTING_CLUSTER']?.toLowerCase() === 'true') return 'cluster';
  return (variables['KUBEBUILDER_ASSETS'] ?? '') === '' ? 'embedded' : 'envtest';
}
