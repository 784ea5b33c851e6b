import { describeWithRealServer, realServerAssets } from '../../../test/real-server.fixture.ts';
import { environmentContract } from './environment-contract.fixture.ts';

describeWithRealServer('an environment on envtest', () => {
  environmentContract('envtest', async () => ({ variables: { KUBEBUILDER_ASSETS: await realServerAssets() } }));
});
