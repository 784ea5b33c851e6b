import { Deployment } from '@evenkeel/kinds';
import { describeWithRealServer, realServerAssets } from '../../../test/real-server.fixture.ts';
import { Environment } from './environment.ts';
import { environmentContract } from './environment-contract.fixture.ts';

describeWithRealServer('an environment on envtest', () => {
  environmentContract('envtest', async () => ({ variables: { KUBEBUILDER_ASSETS: await realServerAssets() } }));

  it('says in a failed wait for a Deployment that no controllers run there', async () => {
    await using environment = await Environment.create({ variables: { KUBEBUILDER_ASSETS: await realServerAssets() } });
    const { client } = environment;
    const containers = [{ name: 'web', image: 'web:1' }];
    const labels = { app: 'web' };
    await client.create(Deployment, {
      metadata: { name: 'web', namespace: 'default' },
      spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
    });
    const isReady = environment.eventually(
      async () => expect((await client.get(Deployment, 'default/web')).status?.readyReplicas).toBe(1),
      { timeout: '300ms' },
    );
    await expect(isReady).rejects.toThrow(
      'the server of this environment runs no controllers, because it is a kube-apiserver alone (kind envtest, from KUBEBUILDER_ASSETS): nothing changes the status of deployments.apps, starts Pods',
    );
  });
});
