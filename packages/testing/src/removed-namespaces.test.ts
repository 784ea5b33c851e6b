import { Environment } from './environment.ts';
import { removedNamespacesContract } from './removed-namespaces-contract.fixture.ts';

describe('an environment on the embedded server as an existing cluster', () => {
  let cluster: Environment;
  afterEach(() => cluster.close());

  removedNamespacesContract('5s', async () => {
    cluster = await Environment.create({ variables: {} });
    const variables = { USE_EXISTING_CLUSTER: 'true', KUBECONFIG: await cluster.kubeconfig() };
    return { client: cluster.client, variables };
  });
});
