import type { ApiStatus } from '@evenkeel/apimachinery/status';
import type { CompiledRules, RuleDenial } from '@evenkeel/core';
import type { PlannedRules, PolicyPlan } from '@evenkeel/core/webhook';
import type { AdmissionRequest } from './admission-request.ts';

/** Finds the objects that rules read besides the request. Returns JSON. */
export interface RuleSources {
  /** The parameters for a request in this namespace. */
  readonly params: (namespace: string | undefined) => readonly unknown[];
  /** The namespace of a request. Throws StatusError 404 if it does not exist. */
  readonly namespaceObject: (name: string) => Promise<unknown>;
}

/** The result of the rules of a webhook for a request. */
export type RuleOutcome = { readonly status: ApiStatus } | { readonly object: AdmissionRequest['object'] };

/**
 * The rules of one webhook class. They decide as the API server decides for the policy with the same rules. It evaluates the
 * selectors itself.
 */
export class AdmissionRules {
  readonly #planned: PlannedRules;
  readonly #compiled: CompiledRules;
  readonly #sources: RuleSources;
  readonly #ignoresFailures: boolean;
  readonly #mutates: boolean;

  constructor({ rules, type, selection }: PolicyPlan, compiled: CompiledRules, sources: RuleSources) {
    this.#planned = rules;
    this.#compiled = compiled;
    this.#sources = sources;
    this.#ignoresFailures = selection.failurePolicy === 'Ignore';
    this.#mutates = type === 'mutating';
  }

  async review({ operation, object, oldObject, namespace, resource, given }: AdmissionRequest): Promise<RuleOutcome> {
    const { operations, params: planned, readsNamespace } = this.#planned;
    if (!operations.includes(operation)) return { object };
    const params = planned === undefined ? [null] : this.#sources.params(namespace);
    if (params.length === 0 && planned?.parameterNotFoundAction === 'Deny') {
      if (this.#ignoresFailures) return { object };
      const message = 'no params found for policy binding with `Deny` parameterNotFoundAction';
      return { status: this.#statusOf({ message: `failed to configure binding: ${message}` }) };
    }
    const isNamespace = resource.group === '' && resource.plural === 'namespaces';
    const namespaceObject =
      readsNamespace && namespace !== undefined && !isNamespace ? await this.#sources.namespaceObject(namespace) : null;
    let current = object;
    for (const param of params) {
      const input = { object: current ?? null, oldObject: oldObject ?? null, request: given, params: param };
      const denial = this.#compiled.deny({ ...input, namespaceObject });
      if (denial !== undefined) return { status: this.#statusOf(denial) };
      const mutated = this.#compiled.mutate({ ...input, namespaceObject });
      if ('denial' in mutated) return { status: this.#statusOf(mutated.denial) };
      current = (mutated.object ?? undefined) as AdmissionRequest['object'];
    }
    return { object: current };
  }

  #statusOf({ message, reason = this.#mutates ? 'Forbidden' : 'Invalid' }: RuleDenial): ApiStatus {
    // The API server rejects with 403 for a mutating policy, whatever the reason is.
    const code = this.#mutates ? 403 : (codes[reason] ?? 422);
    return {
      ...{ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure' },
      ...{ message, reason, code, details: { causes: [{ message }] } },
    };
  }
}

const codes: Readonly<Record<string, number>> = { Forbidden: 403, RequestEntityTooLarge: 413 };
