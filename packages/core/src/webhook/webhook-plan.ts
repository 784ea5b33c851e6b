import type { NamedExpression } from '../contract/admission-policy.ts';
import type { AdmissionOperation } from '../contract/admission-review.ts';
import type { ConcreteClass } from '../declarations/class-reference.ts';
import type { CachedKind, PlannedKind } from '../declarations/planned-kind.ts';
import type { AdmissionRule } from '../declarations/rule-declaration.ts';
import type { WebhookOptions, WebhookParams } from '../declarations/webhook-options.ts';
import type { MutationDeclaration } from '../decorators/mutation.ts';
import type { PlannedRbac } from '../decorators/rbac.ts';

/** The options of a webhook that only its configuration needs, as they were declared. The API server has the defaults. */
export type WebhookSelection = Pick<
  WebhookOptions,
  'failurePolicy' | 'matchPolicy' | 'namespaceSelector' | 'objectSelector' | 'timeoutSeconds' | 'scope'
> &
  Pick<WebhookOptions, 'matchConditions'> & { readonly reinvocationPolicy?: 'Never' | 'IfNeeded' };

/** The plan of a class that the API server evaluates itself. */
export interface PolicyPlan extends WebhookPlan {
  readonly rules: PlannedRules;
}

/** A method with `@Admit`. */
export interface PlannedAdmit {
  readonly method: string;
  readonly operations: readonly AdmissionOperation[];
}

/** The objects that rules read as `params`. */
export interface PlannedParams extends Omit<WebhookParams, 'kind' | 'parameterNotFoundAction'> {
  readonly kind: CachedKind;
  readonly parameterNotFoundAction: 'Allow' | 'Deny';
}

/** The `@Rule`s and `@Mutation`s of a class. Their expressions have not been compiled. */
export interface PlannedRules {
  readonly operations: readonly AdmissionOperation[];
  readonly validations: readonly AdmissionRule[];
  readonly mutations: readonly MutationDeclaration[];
  readonly variables: readonly NamedExpression[];
  readonly params: PlannedParams | undefined;
  /** Whether an expression may read `namespaceObject`. */
  readonly readsNamespace: boolean;
  /** Whether the class asks for a policy. */
  readonly policy: boolean;
}

/** The resolved and checked declarations of a webhook class. The kind is that of the webhook. */
export interface WebhookPlan extends PlannedKind {
  readonly webhookClass: ConcreteClass;
  readonly type: 'validating' | 'mutating';
  /** The name in the configuration: a domain of at least three parts. */
  readonly name: string;
  /** The path of the URL. Unique in an operator. */
  readonly path: string;
  readonly subresource: string | undefined;
  /** In the order of the class. */
  readonly methods: readonly PlannedAdmit[];
  /** Undefined if the class has none. */
  readonly rules: PlannedRules | undefined;
  /** The operations of all methods, of the rules, and of `schema`. Never empty. In the order of {@link AdmissionOperation}. */
  readonly operations: readonly AdmissionOperation[];
  /** Whether the operator's validator checks the object too. */
  readonly schema: boolean;
  /** Whether the kind has a status subresource, according to its class. A built-in kind's class says nothing. */
  readonly declaresStatus: boolean;
  readonly sideEffects: 'None' | 'NoneOnDryRun';
  readonly selection: WebhookSelection;
  /** The namespaces of the operator, each once and sorted. Undefined for all, and for a cluster-scoped kind. */
  readonly namespaces: readonly string[] | undefined;
  /** The kinds that the manager caches for the class: those of its listers. */
  readonly cached: readonly CachedKind[];
  /** The permissions that the class adds with `@Rbac`. */
  readonly rbac: readonly PlannedRbac[];
}
