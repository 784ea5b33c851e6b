import { describeWithRealServer, type RealServer, startRealServer } from '../../../../test/real-server.fixture.ts';
import { podRunnerContract } from './pod-runner-contract.fixture.ts';

describeWithRealServer('a PodRunner on a cluster with simulated nodes', () => {
  let cluster: RealServer;
  beforeAll(async () => {
    cluster = await startRealServer('nodes');
  });
  afterAll(() => cluster?.stop());
  const variables = () => ({ USE_EXISTING_CLUSTER: 'true', KUBECONFIG: cluster.kubeconfig });
  // Closed before the cluster.
  describe('with a node for processes', () => podRunnerContract(async () => ({ variables: variables() }), true));
});
