import type { LabelSelectorSpec } from '@evenkeel/apimachinery/selector';
import type { NamedExpression } from '../contract/admission-policy.ts';
import type { AdmissionOperation } from '../contract/admission-review.ts';
import type { ObjectMeta } from '../object/kubernetes-object.ts';
import type { KindReference } from './class-reference.ts';

/** A condition of a webhook in CEL, with the variables of Kubernetes: `object`, `oldObject`, `request`, `authorizer`. */
export interface WebhookMatchCondition {
  /** Unique in its webhook. A qualified name, such as `exclude-leases`. */
  readonly name: string;
  readonly expression: string;
}

/** The objects that the rules of a webhook read as `params`: one by its name, or all with some labels. */
export interface WebhookParams {
  /** The class of the objects: one of your own, or of a built-in kind. */
  readonly kind: KindReference;
  /** Either this or `selector`. */
  readonly name?: string;
  /** The rules must hold for each selected object. `{}` selects all. */
  readonly selector?: LabelSelectorSpec;
  /** Default: the namespace of the request. Not for a cluster-scoped kind. */
  readonly namespace?: string;
  /** What happens if there is no such object: with `Deny`, `failurePolicy` decides; `Allow` accepts the request. Default `Deny`. */
  readonly parameterNotFoundAction?: 'Allow' | 'Deny';
}

/** The options that validating and mutating webhooks share. They are those of Kubernetes' webhook configurations. */
export interface WebhookOptions<S extends string | undefined = string | undefined> {
  /**
   * The name of the webhook in its configuration, in error messages of the API server and in the log: a domain of at least three
   * parts. Default: `v` or `m`, the kind and its version, such as `vcronjob-v1.batch.example.com`. With a subresource,
   * its name is in the middle.
   */
  name?: string;
  /**
   * The path of the URL. Default: that of kubebuilder, such as `/validate-batch-example-com-v1-cronjob`, and the subresource at
   * the end if there is one.
   */
  path?: string;
  /**
   * A subresource instead of the object: `status`, `scale`, `ephemeralcontainers`, `exec` ... For `scale` the object is a Scale of
   * `autoscaling/v1`. For a subresource with a kind of its own, such as `eviction`, it is an object of that kind. Default: none.
   */
  subresource?: S;
  /** `Fail` rejects a request if the webhook cannot be called. `Ignore` accepts it. Default `Fail`. */
  failurePolicy?: 'Fail' | 'Ignore';
  /**
   * `Equivalent` calls the webhook also for requests to other versions of the kind, with the object converted. `Exact` calls it
   * only for its own version. Default `Equivalent`.
   */
  matchPolicy?: 'Equivalent' | 'Exact';
  /** Select the namespaces by their labels. Objects without a namespace always match, except Namespaces themselves. Default: all. */
  namespaceSelector?: LabelSelectorSpec;
  /** Selects objects by their labels, before or after the change. A user can avoid it by leaving out the label. Default: all. */
  objectSelector?: LabelSelectorSpec;
  /** Conditions that a request must meet, at most 64. The API server evaluates them. Default: none. */
  matchConditions?: readonly WebhookMatchCondition[];
  /**
   * `None`: the methods change nothing but the object. `NoneOnDryRun`: they write elsewhere, except if `review.dryRun` is set.
   * Default `None`.
   */
  sideEffects?: 'None' | 'NoneOnDryRun';
  /** How long the API server waits, in seconds, from 1 to 30. Default 10. */
  timeoutSeconds?: number;
  /**
   * Whether `evenkeel generate` writes a policy, which the API server evaluates itself, instead of a webhook. The class then has only
   * `@Rule` or `@Mutation`. If `minServerVersion` of the operator is too low for the policy, the operator serves a webhook that evaluates
   * the same rules. Default: false.
   */
  policy?: boolean;
  /** The operations to which `@Rule` and `@Mutation` apply. Default: as those of `@Admit`. */
  operations?: readonly AdmissionOperation[];
  /** Expressions that rules and later variables read as `variables.NAME`. Default: none. */
  variables?: readonly NamedExpression[];
  /** The objects that rules read as `params`. Default: none. */
  params?: WebhookParams;
  /** `Namespaced` or `Cluster` objects only. Default `*`. */
  scope?: 'Namespaced' | 'Cluster' | '*';
}

/** Subresources whose requests carry the object itself. */
type OfTheObject = undefined | 'status' | 'ephemeralcontainers' | 'resize' | 'approval' | 'finalize';

/** A Scale of `autoscaling/v1`. The class of that name in `@evenkeel/kinds` has the same structure. */
export interface AdmittedScale {
  apiVersion: 'autoscaling/v1';
  kind: 'Scale';
  metadata: ObjectMeta;
  spec?: { replicas?: number };
  status?: { replicas: number; selector?: string };
}

/** The type of the object of a webhook for `T` with the subresource `S`; `unknown` if only the API documentation says it. */
export type AdmittedObject<T, S extends string | undefined> = [S] extends [OfTheObject]
  ? T
  : [S] extends ['scale']
    ? AdmittedScale
    : unknown;
