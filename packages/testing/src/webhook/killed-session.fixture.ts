// Registers a webhook, a policy and a conversion, and waits to be killed. Arguments: a kubeconfig, and a part of the path of the dry run to which
// it gets no response, so that it is killed in between. Prints a line when it waits.
import { createClient, httpsTransport, loadConnection } from '@evenkeel/client';
import { SystemClock } from '@evenkeel/core';
import { HttpsDoor } from './https-door.ts';
import { ServingWebhookHost } from './serving-webhook-host.ts';

const [, , kubeconfig, stuckAt = ''] = process.argv;
const transport = httpsTransport(await loadConnection({ kubeconfig }));
const stuck: Pick<typeof transport, 'request' | 'close'> = {
  request: (sent) => {
    if (!sent.path.includes('dryRun=All') || !sent.path.includes(stuckAt)) return transport.request(sent);
    console.log('waiting');
    return new Promise(() => undefined);
  },
  close: () => transport.close(),
};
const host = new ServingWebhookHost({
  client: createClient(stuck, { fieldManager: 'killed' }),
  door: new HttpsDoor(async () => '127.0.0.1', Date.now),
  clock: new SystemClock(),
});
const rule = { operations: ['DELETE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] };
await host.serve({
  name: 'killed',
  configurations: (clientConfigOf) => [
    {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: 'killed' },
      webhooks: [
        {
          name: 'maps.webhook.example.com',
          clientConfig: clientConfigOf('/maps'),
          rules: [rule],
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
        },
      ],
    },
  ],
  policies: [
    {
      policy: {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingAdmissionPolicy',
        metadata: { name: 'killed' },
        spec: { matchConstraints: { resourceRules: [rule] }, validations: [{ expression: 'true' }] },
      },
      binding: {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingAdmissionPolicyBinding',
        metadata: { name: 'killed' },
        spec: { policyName: 'killed', validationActions: ['Deny'] },
      },
    },
  ],
  conversions: [{ group: 'docs.example.com', plural: 'books' }],
  handle: async () => ({ status: 500, body: '', contentType: 'text/plain' }),
});
console.log('serving');
setInterval(() => undefined, 60_000);
