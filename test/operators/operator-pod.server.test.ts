import { describeWithRealServer, type RealServer, startRealServer } from '../real-server.fixture.ts';
import { operatorPodCases } from './operator-pod-cases.fixture.ts';

describeWithRealServer('an operator in a pod of a cluster with simulated nodes', () => {
  let cluster: RealServer;
  beforeAll(async () => {
    cluster = await startRealServer('nodes');
  });
  afterAll(() => cluster?.stop());
  const variables = () => ({ USE_EXISTING_CLUSTER: 'true', KUBECONFIG: cluster.kubeconfig });
  // Closed before the cluster.
  describe('with a node for processes', () => operatorPodCases(async () => ({ variables: variables() })));
});
