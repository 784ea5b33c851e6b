import { jest } from '@jest/globals';
import { describeWithRealServer, realServerAssets } from '../../../test/real-server.fixture.ts';
import { environmentContract } from './environment-contract.fixture.ts';

jest.setTimeout(90_000);

describeWithRealServer('an environment on envtest', () => {
  environmentContract('envtest', async () => ({ variables: { KUBEBUILDER_ASSETS: await realServerAssets() } }));
});
