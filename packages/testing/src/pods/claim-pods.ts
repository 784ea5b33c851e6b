import type { HostedWebhooks, WebhookAnswer, WebhookCall, WebhookConfiguration } from '@evenkeel/core';
import type { Pod } from '@evenkeel/kinds';

const claimPath = '/claim-pods';
const holdPath = '/hold-pods';

/**
 * The webhooks of a runner. One assigns new pods to it, before a scheduler or a simulated kubelet sees them: it sets the name of the
 * scheduler, which is that of the runner. The other one keeps pods whose processes are being stopped: kwok deletes every terminating
 * pod at once.
 *
 * @param isStopping whether the processes of a pod have not been stopped yet. Its parameter is `namespace/name`.
 */
export function claimPods(
  schedulerName: string,
  select: (pod: Pod) => boolean,
  isStopping: (key: string) => boolean,
): HostedWebhooks {
  return {
    name: schedulerName,
    configurations: (clientConfigOf) => [
      configurationOf('MutatingWebhookConfiguration', schedulerName, 'CREATE', clientConfigOf(claimPath)),
      configurationOf('ValidatingWebhookConfiguration', schedulerName, 'DELETE', clientConfigOf(holdPath)),
    ],
    policies: [],
    conversions: [],
    handle: async (call) =>
      answerTo(call, (request) =>
        call.path === claimPath ? claim(request, schedulerName, select) : hold(request, schedulerName, isStopping),
      ),
  };
}

type ClientConfig = WebhookConfiguration['webhooks'][number]['clientConfig'];

function configurationOf(
  kind: WebhookConfiguration['kind'],
  name: string,
  operation: 'CREATE' | 'DELETE',
  clientConfig: ClientConfig,
): WebhookConfiguration {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind,
    metadata: { name },
    webhooks: [
      {
        name: 'pods.webhook.evenkeel.dev',
        clientConfig,
        rules: [{ operations: [operation], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }],
        sideEffects: 'None',
        timeoutSeconds: 30,
        // A killed test must not block the pods of a cluster.
        failurePolicy: 'Ignore',
        admissionReviewVersions: ['v1'],
      },
    ],
  };
}

interface ReviewRequest {
  readonly uid?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly object?: Pod | null;
  readonly oldObject?: Pod | null;
  readonly options?: { readonly gracePeriodSeconds?: number; readonly preconditions?: object } | null;
}

function answerTo({ body }: WebhookCall, decide: (request: ReviewRequest) => object): WebhookAnswer {
  const { request = {} } = JSON.parse(Buffer.from(body).toString()) as { readonly request?: ReviewRequest };
  const review = {
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    response: { uid: request.uid, allowed: true, ...decide(request) },
  };
  return { status: 200, body: JSON.stringify(review), contentType: 'application/json' };
}

/** The fields of the response for a new pod. */
function claim(
  { object, namespace = 'default' }: ReviewRequest,
  schedulerName: string,
  select: (pod: Pod) => boolean,
): object {
  if (object === undefined || object === null || (object.spec?.nodeName ?? '') !== '') return {};
  try {
    if (!select({ ...object, metadata: { ...object.metadata, namespace } })) return {};
  } catch (error) {
    return rejected(400, `the option select of the PodRunner failed: ${(error as Error).message}`);
  }
  const patch = [{ op: 'add', path: '/spec/schedulerName', value: schedulerName }];
  return { patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(patch)).toString('base64') };
}

/**
 * Rejects a second deletion, without a grace period, of a pod that is being stopped. The runner's own deletion has preconditions.
 * A first deletion without a grace period kills the processes, as on any node.
 */
function hold(
  { oldObject, options, namespace, name }: ReviewRequest,
  schedulerName: string,
  isStopping: (key: string) => boolean,
): object {
  const isKwoks =
    oldObject?.spec?.schedulerName === schedulerName &&
    oldObject.metadata.deletionTimestamp !== undefined &&
    options?.gracePeriodSeconds === 0 &&
    options.preconditions === undefined;
  if (!isKwoks || !isStopping(`${namespace}/${name}`)) return {};
  return rejected(409, 'the PodRunner is stopping the processes of this pod');
}

function rejected(code: number, message: string): object {
  return { allowed: false, status: { code, message } };
}
