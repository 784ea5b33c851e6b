import type { LabelSelectorSpec } from '@evenkeel/apimachinery/selector';
import {
  type AdmissionOperation,
  type AdmissionReview,
  type ConcreteClass,
  CustomResource,
  type KindReference,
  KubernetesObject,
  type MutatingWebhookOptions,
  Spec,
  Status,
  type ValidatingWebhookOptions,
} from '@evenkeel/core';
import { ConfigMap } from '@evenkeel/kinds';
import { mutatingWebhookFor, validatingWebhookFor } from '@evenkeel/runtime';
import type { SendOptions } from '../real-server.fixture.ts';

class GadgetSpec {
  size = 1;
}

/** A kind of the operator itself. */
@CustomResource({ group: 'cases.example.com', version: 'v1' })
export class Gadget extends KubernetesObject {
  @Spec() spec!: GadgetSpec;
  @Status() status!: { ready?: boolean };
}

/** A cluster-scoped kind of another operator. */
@CustomResource({ group: 'foreign.example.org', version: 'v1alpha1', scope: 'Cluster' })
export class Region extends KubernetesObject {
  @Spec() spec!: { code?: string };
}

// biome-ignore lint/suspicious/noExplicitAny: the cases review objects of many kinds, also invalid ones
export type Reviewed = any;

/** Reports something that a webhook has seen, which the case compares. */
export type See = (value: unknown) => void;

type Reviews = (object: Reviewed, review: AdmissionReview<Reviewed>, see: See) => unknown;

/** A webhook of a case. Its name and path follow from the case if the options have none. */
export interface CaseWebhook {
  readonly type: 'validating' | 'mutating';
  /** Default: ConfigMap. */
  readonly kind?: KindReference<Reviewed>;
  /** `{ns}` is the namespace of the case. */
  readonly options?: ValidatingWebhookOptions | MutatingWebhookOptions;
  /** Default: those of `@Admit`. */
  readonly operations?: readonly AdmissionOperation[];
  /** Not needed with the option `schema`. */
  readonly reviews?: Reviews;
}

/** A request of a case, and what its response must contain. `{ns}` in paths and in bodies is the namespace of the case. */
export interface CaseStep {
  readonly request: readonly [method: string, path: string, body?: object, options?: SendOptions];
  /** Default: any code below 300. */
  readonly code?: number;
  /** Parts of the body, as `toMatchObject` compares them. */
  readonly body?: object;
  /** The message of a Status: the end of it, or a pattern. */
  readonly message?: string | RegExp;
  readonly warnings?: readonly string[];
  /** What the webhooks have seen, in this order. Default: not compared with a list, only between servers. */
  readonly seen?: readonly unknown[];
}

export interface WebhookCase {
  readonly title: string;
  /** Webhooks of functions. Default: none. */
  readonly webhooks?: readonly CaseWebhook[];
  /** Decorated classes. They must use the selector, which selects the namespace of the case. */
  readonly classes?: (namespaceSelector: LabelSelectorSpec, see: See) => readonly ConcreteClass[];
  readonly steps: readonly CaseStep[];
  /**
   * Whether only requests to the namespace of the case call its webhooks. A case without that selects its objects itself. Default:
   * true.
   */
  readonly isolated?: boolean;
}

/** The webhook classes of all cases, which one operator serves, and what they have seen since the last call of `take`. */
export interface DeclaredCases {
  readonly classes: readonly ConcreteClass[];
  namespaceOf(index: number): string;
  take(): unknown[];
}

/** Sets the namespace of a case in a value. */
export function filledIn<T>(value: T, namespace: string): T {
  return JSON.parse(JSON.stringify(value).replaceAll('{ns}', namespace)) as T;
}

/** Declares the webhooks of all cases. `prefix` keeps several declarations on one server apart. */
export function declareCases(cases: readonly WebhookCase[], prefix: string): DeclaredCases {
  const seen: unknown[] = [];
  const namespaceOf = (index: number): string => `${prefix}-${index}`;
  const see: See = (value) => void seen.push(value);
  const classes = cases.flatMap((one, index) => {
    const namespace = namespaceOf(index);
    const own = { 'kubernetes.io/metadata.name': namespace };
    const { webhooks = [], classes: decorated, isolated = true } = one;
    const functions = webhooks.map((webhook, place) => {
      const { type, kind = ConfigMap, operations = [], reviews } = webhook;
      const options = filledIn(webhook.options ?? {}, namespace);
      const id = `${type[0]}${place}-${namespace}`;
      const { namespaceSelector = {} } = options;
      const all = {
        name: `${id}.cases.example.com`,
        path: `/${id}`,
        ...options,
        ...(isolated && {
          namespaceSelector: { ...namespaceSelector, matchLabels: { ...namespaceSelector.matchLabels, ...own } },
        }),
      } as ValidatingWebhookOptions;
      const builder = type === 'validating' ? validatingWebhookFor(kind, all) : mutatingWebhookFor(kind, all);
      return builder.admit(operations, (object, review) => reviews?.(object, review, see) as undefined);
    });
    return [...functions, ...(decorated?.({ matchLabels: own }, see) ?? [])];
  });
  return { classes, namespaceOf, take: () => seen.splice(0) };
}

const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

/** The CRDs of the kinds of the cases. */
export const definitions: readonly object[] = [
  {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'gadgets.cases.example.com' },
    spec: {
      group: 'cases.example.com',
      names: { plural: 'gadgets', singular: 'gadget', kind: 'Gadget', listKind: 'GadgetList' },
      scope: 'Namespaced',
      versions: ['v1', 'v2'].map((name) => ({
        name,
        served: true,
        storage: name === 'v1',
        subresources: {
          status: {},
          scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' },
        },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { ...anything, properties: { size: { type: 'integer' } } }, status: anything },
          },
        },
      })),
    },
  },
  {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'regions.foreign.example.org' },
    spec: {
      group: 'foreign.example.org',
      names: { plural: 'regions', singular: 'region', kind: 'Region', listKind: 'RegionList' },
      scope: 'Cluster',
      versions: [
        {
          name: 'v1alpha1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec: anything } } },
        },
      ],
    },
  },
];

export const gadgets = '/apis/cases.example.com/v1/namespaces/{ns}/gadgets';
export const regions = '/apis/foreign.example.org/v1alpha1/regions';
export const core = '/api/v1/namespaces/{ns}';
export const maps = `${core}/configmaps`;

export const map = (data: object = {}, metadata: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'map', ...metadata },
  data,
});

export const gadget = (spec: object = {}, metadata: object = {}): object => ({
  apiVersion: 'cases.example.com/v1',
  kind: 'Gadget',
  metadata: { name: 'gadget', ...metadata },
  spec,
});
