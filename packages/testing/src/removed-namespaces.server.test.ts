import { createClient, httpsTransport, loadConnection } from '@evenkeel/client';
import type { Transport } from '@evenkeel/core';
import { describeWithRealServer, type RealServer, startRealCluster } from '../../../test/real-server.fixture.ts';
import { removedNamespacesContract } from './removed-namespaces-contract.fixture.ts';

describeWithRealServer('an environment on a real cluster', () => {
  let cluster: RealServer;
  let transport: Transport;
  beforeAll(async () => {
    cluster = await startRealCluster();
    transport = httpsTransport(await loadConnection({ kubeconfig: cluster.kubeconfig }));
  });
  afterAll(async () => {
    await transport?.close();
    await cluster?.stop();
  });

  removedNamespacesContract('25s', async () => ({
    client: createClient(transport, { fieldManager: 'cluster' }),
    variables: { USE_EXISTING_CLUSTER: 'true', KUBECONFIG: cluster.kubeconfig },
  }));
});
