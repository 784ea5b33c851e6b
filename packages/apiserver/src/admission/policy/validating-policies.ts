import type { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } from '@evenkeel/kinds';
import type { ValidatingPolicy } from '@evenkeel/schema/evaluate';
import type { KindDescription } from '../../kind/kind-description.ts';
import type { ObjectStore } from '../../store/object-store.ts';
import { inVersion } from '../admitted-request.ts';
import type { Evaluator } from '../evaluator.ts';
import type { RequestSelection } from '../request-selection.ts';
import { CompiledPolicies } from './compiled-policies.ts';
import { PolicyConfigurationError } from './policy-configuration-error.ts';
import { type BindingHook, type PolicyHook, PolicyHooks } from './policy-hooks.ts';
import { matchedKind } from './policy-matching.ts';
import type { PolicyParams } from './policy-params.ts';
import { type PolicyDenial, validatingRefusal } from './policy-refusal.ts';
import type { PolicyRequest } from './policy-request.ts';

type Hook = PolicyHook<ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding>;
type Binding = BindingHook<ValidatingAdmissionPolicyBinding>;

/**
 * Evaluates ValidatingAdmissionPolicies.
 *
 * Source: apiserver `pkg/admission/plugin/policy/validating/dispatcher.go`.
 */
export class ValidatingPolicies {
  readonly hooks: PolicyHooks<ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding>;
  readonly #selection: RequestSelection;
  readonly #params: PolicyParams;
  #compiled: CompiledPolicies<ValidatingAdmissionPolicy, ValidatingPolicy> | undefined;

  constructor(store: ObjectStore, selection: RequestSelection, params: PolicyParams) {
    this.hooks = new PolicyHooks(store, 'validatingadmissionpolicies');
    this.#selection = selection;
    this.#params = params;
  }

  /** Throws a StatusError if a policy rejects the request. */
  async validate(evaluator: Evaluator, request: PolicyRequest): Promise<void> {
    const { hooks } = this.hooks;
    this.#compiled ??= new CompiledPolicies(({ spec }) => new evaluator.ValidatingPolicy(spec ?? {}));
    this.#compiled.keepOnly(hooks);
    const denials: PolicyDenial[] = [];
    for (const hook of hooks) {
      const { name: policy, spec } = hook;
      const denyConfiguration = (error: unknown, binding?: string): void => {
        if (!(error instanceof PolicyConfigurationError)) throw error;
        if (spec.failurePolicy === 'Ignore') return;
        const message = `failed to configure ${binding === undefined ? 'policy' : 'binding'}: ${error.message}`;
        denials.push({ policy, message, ...(binding !== undefined && { binding }) });
      };
      try {
        const kind = matchedKind(this.#selection, hook.match, request.attributes, request.admission);
        if (kind === undefined) continue;
        const paramKind = spec.paramKind && this.#params.kindOf(spec.paramKind);
        for (const binding of hook.bindings) {
          try {
            denials.push(...(await this.#evaluate(hook, binding, kind, paramKind, request)));
          } catch (error) {
            denyConfiguration(error, binding.name);
          }
        }
      } catch (error) {
        denyConfiguration(error);
      }
    }
    const [first] = denials;
    if (first !== undefined) throw validatingRefusal(request.admission, first);
  }

  async #evaluate(
    { name: policy, policy: definition }: Hook,
    { name: binding, spec, match }: Binding,
    kind: KindDescription,
    paramKind: KindDescription | undefined,
    request: PolicyRequest,
  ): Promise<readonly PolicyDenial[]> {
    const { attributes, admission } = request;
    if (match !== undefined && matchedKind(this.#selection, match, attributes, admission) === undefined) return [];
    const params = await this.#params.collect(paramKind, spec.paramRef, attributes.namespace);
    if (params.length === 0) return [];
    const objects = await inVersion(kind, admission);
    const compiled = this.#compiled?.get(definition);
    const denials: PolicyDenial[] = [];
    for (const param of params) {
      const verdict = compiled?.evaluate(request.input(kind, objects, param));
      for (const denial of verdict?.denials ?? []) {
        for (const action of spec.validationActions) {
          if (action === 'Deny') denials.push({ ...denial, policy, binding });
          if (action === 'Warn') {
            const what = `Validation failed for ValidatingAdmissionPolicy '${policy}' with binding '${binding}'`;
            admission.request.warn(`${what}: ${denial.message}`);
          }
        }
      }
      denials.push(...(verdict?.failures ?? []).map((denial) => ({ ...denial, policy, binding })));
    }
    return denials;
  }
}
