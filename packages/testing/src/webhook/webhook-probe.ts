import type { ApiResource, WebhookAnswer, WebhookCall, WebhookConfiguration } from '@evenkeel/core';
import type { CustomResourceDefinition } from '@evenkeel/kinds';
import type { OpenDoor } from './webhook-door.ts';

/** Every call of a probe is rejected with this message, which shows the client that the API server uses the probe. */
export const probeMessage = 'the webhooks of this process are called';

/** The namespace of the ConfigMap that is never created. It exists on every server. */
export const probeNamespace = 'default';

/** The label of the ConfigMap that the probe of admission webhooks rejects. Its value is the name of the configuration. */
export const probeLabel = 'evenkeel.dev/webhook-probe';

const admissionPath = '/evenkeel-webhook-probe';
const conversionPath = '/evenkeel-conversion-probe';

/** How the probes answer, by path. */
export const probeAnswers: ReadonlyMap<string, (call: WebhookCall) => WebhookAnswer> = new Map([
  [
    admissionPath,
    (call) =>
      answer(call, 'admission.k8s.io/v1', 'AdmissionReview', {
        allowed: false,
        status: { code: 403, message: probeMessage },
      }),
  ],
  [
    conversionPath,
    (call) =>
      answer(call, 'apiextensions.k8s.io/v1', 'ConversionReview', {
        convertedObjects: [],
        result: { status: 'Failure', message: probeMessage },
      }),
  ],
]);

function answer({ body }: WebhookCall, apiVersion: string, kind: string, response: object): WebhookAnswer {
  const review = JSON.parse(Buffer.from(body).toString()) as { readonly request?: { readonly uid?: string } };
  const answered = { apiVersion, kind, response: { uid: review.request?.uid, ...response } };
  return { status: 200, body: JSON.stringify(answered), contentType: 'application/json' };
}

/** A configuration that rejects a certain ConfigMap. */
export function admissionProbe(kind: WebhookConfiguration['kind'], name: string, open: OpenDoor): WebhookConfiguration {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind,
    metadata: { name },
    webhooks: [
      {
        name: 'probe.webhook.evenkeel.dev',
        clientConfig: open.clientConfigOf(admissionPath),
        rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
        objectSelector: { matchLabels: { [probeLabel]: name } },
        sideEffects: 'None',
        timeoutSeconds: 5,
        admissionReviewVersions: ['v1'],
      },
    ],
  };
}

/** A kind whose objects cannot be converted once the API server uses {@link ConversionProbe.conversion}. */
export interface ConversionProbe {
  /** Without the conversion. */
  readonly definition: CustomResourceDefinition;
  readonly conversion: NonNullable<CustomResourceDefinition['spec']['conversion']>;
  /** The version that is not stored. A write through it is a conversion. */
  readonly resource: ApiResource;
}

const probeGroupSuffix = '.probe.evenkeel.dev';

/** Whether a CRD of this group is one of {@link conversionProbe}. */
export function isProbeGroup(group: string): boolean {
  return group.endsWith(probeGroupSuffix);
}

/** @param id is part of the name, so that several processes can probe one server at the same time. */
export function conversionProbe(id: string, open: OpenDoor): ConversionProbe {
  const group = `${id}${probeGroupSuffix}`;
  const names = { kind: 'ConversionProbe', plural: 'conversionprobes' };
  const schema = { openAPIV3Schema: { type: 'object' } };
  const webhook = { clientConfig: open.clientConfigOf(conversionPath), conversionReviewVersions: ['v1'] };
  return {
    definition: {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `${names.plural}.${group}` },
      spec: {
        ...{ group, names, scope: 'Cluster' },
        versions: [
          { name: 'v1', served: true, storage: true, schema },
          { name: 'v2', served: true, storage: false, schema },
        ],
      },
    } as CustomResourceDefinition,
    conversion: { strategy: 'Webhook', webhook },
    resource: { group, version: 'v2', ...names, namespaced: false },
  };
}
