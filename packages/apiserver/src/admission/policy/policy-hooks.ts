import { labelRequirementsOf } from '@evenkeel/core';
import type {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '@evenkeel/kinds';
import type { ApiObject } from '../../kind/api-object.ts';
import type { ObjectStore } from '../../store/object-store.ts';
import type { Selectors } from '../request-selection.ts';

export type Policy = ValidatingAdmissionPolicy | MutatingAdmissionPolicy;
export type PolicyBinding = ValidatingAdmissionPolicyBinding | MutatingAdmissionPolicyBinding;
export type PolicySpec<P extends Policy> = NonNullable<P['spec']>;
export type MatchResources = NonNullable<PolicySpec<Policy>['matchConstraints']>;
export type ParamRef = NonNullable<NonNullable<PolicyBinding['spec']>['paramRef']>;

/** Match resources with their parsed selectors. */
export interface ParsedMatch extends Selectors {
  readonly resources: MatchResources;
}

export interface BindingHook<B extends PolicyBinding> {
  readonly name: string;
  readonly spec: NonNullable<B['spec']>;
  /** Undefined if the binding matches all that its policy matches. */
  readonly match: ParsedMatch | undefined;
}

/** A policy with the bindings that make it effective. */
export interface PolicyHook<P extends Policy, B extends PolicyBinding> {
  readonly policy: P;
  readonly name: string;
  readonly spec: PolicySpec<P>;
  readonly match: ParsedMatch;
  readonly bindings: readonly BindingHook<B>[];
}

const group = 'admissionregistration.k8s.io';

/** The bound policies of one kind. Upstream evaluates them in any order; here it is that of their names. */
export class PolicyHooks<P extends Policy, B extends PolicyBinding> {
  readonly #store: ObjectStore;
  readonly #policies: string;
  readonly #bindings: string;
  #hooks: readonly PolicyHook<P, B>[] | undefined;

  constructor(store: ObjectStore, plural: 'validatingadmissionpolicies' | 'mutatingadmissionpolicies') {
    this.#store = store;
    this.#policies = `${group}/${plural}`;
    this.#bindings = `${group}/${plural.replace(/ies$/, 'ybindings')}`;
    store.subscribe((key) => {
      if (key === this.#policies || key === this.#bindings) this.#hooks = undefined;
    });
  }

  get hooks(): readonly PolicyHook<P, B>[] {
    this.#hooks ??= this.#read();
    return this.#hooks;
  }

  #read(): readonly PolicyHook<P, B>[] {
    const bindings = new Map<string, BindingHook<B>[]>();
    for (const { metadata, spec } of this.#list<B>(this.#bindings)) {
      const { policyName = '', matchResources } = spec ?? {};
      const hook = {
        name: metadata.name ?? '',
        spec: spec as NonNullable<B['spec']>,
        match: matchResources && parsed(matchResources),
      };
      bindings.set(policyName, [...(bindings.get(policyName) ?? []), hook]);
    }
    return this.#list<P>(this.#policies).flatMap((policy) => {
      const name = policy.metadata.name ?? '';
      const bound = bindings.get(name);
      const { spec } = policy;
      if (bound === undefined || spec?.matchConstraints === undefined) return [];
      const match = parsed(spec.matchConstraints);
      return [{ policy, name, spec: spec as PolicySpec<P>, match, bindings: bound }];
    });
  }

  #list<T extends Policy | PolicyBinding>(storageKey: string): T[] {
    return this.#store
      .resource(storageKey)
      .list('')
      .map(({ object }) => object as ApiObject as unknown as T);
  }
}

function parsed(resources: MatchResources): ParsedMatch {
  return {
    resources,
    namespaceSelector: labelRequirementsOf(resources.namespaceSelector ?? {}),
    objectSelector: labelRequirementsOf(resources.objectSelector ?? {}),
  };
}
