import type { GroupVersionKind } from '@evenkeel/core';
import type { MutatingAdmissionPolicy, MutatingAdmissionPolicyBinding } from '@evenkeel/kinds';
import type { MutatingPolicy as CompiledPolicy } from '@evenkeel/schema/evaluate';
import { copyJson, type JsonObject, jsonEqual } from '../../apimachinery/index.ts';
import { fieldTypeOf } from '../../apply/field-type.ts';
import type { ApiObject } from '../../kind/api-object.ts';
import type { KindDescription } from '../../kind/kind-description.ts';
import { DecodingError } from '../../kind/object-codec.ts';
import type { AdmissionRequest } from '../../registry/write-request.ts';
import { internalError } from '../../status/refusal.ts';
import type { ObjectStore } from '../../store/object-store.ts';
import { decodedBack, inVersion } from '../admitted-request.ts';
import { type Evaluator, loadEvaluator } from '../evaluator.ts';
import type { MutatingTurn } from '../mutating-turn.ts';
import type { RequestSelection } from '../request-selection.ts';
import { CompiledPolicies } from './compiled-policies.ts';
import { PolicyConfigurationError } from './policy-configuration-error.ts';
import { type BindingHook, type PolicyHook, PolicyHooks } from './policy-hooks.ts';
import { matchedKind } from './policy-matching.ts';
import type { PolicyParams } from './policy-params.ts';
import { patchedByConfiguration } from './policy-patch.ts';
import { mutatingRefusal, type PolicyDenial } from './policy-refusal.ts';
import type { PolicyRequest } from './policy-request.ts';

type Hook = PolicyHook<MutatingAdmissionPolicy, MutatingAdmissionPolicyBinding>;
type Binding = BindingHook<MutatingAdmissionPolicyBinding>;

/** A policy to evaluate with one parameter of one binding. */
interface Invocation {
  readonly hook: Hook;
  readonly binding: string;
  readonly kind: KindDescription;
  readonly param: ApiObject | undefined;
}

/** Evaluates MutatingAdmissionPolicies. */
export class MutatingPolicies {
  readonly hooks: PolicyHooks<MutatingAdmissionPolicy, MutatingAdmissionPolicyBinding>;
  readonly #selection: RequestSelection;
  readonly #params: PolicyParams;
  #compiled: CompiledPolicies<MutatingAdmissionPolicy, CompiledPolicy> | undefined;

  constructor(store: ObjectStore, selection: RequestSelection, params: PolicyParams) {
    this.hooks = new PolicyHooks(store, 'mutatingadmissionpolicies');
    this.#selection = selection;
    this.#params = params;
  }

  /** The policies' turns for one request. */
  turn(requestOf: (admission: AdmissionRequest) => PolicyRequest): MutatingTurn {
    const { hooks } = this.hooks;
    return new PolicyTurn({
      requestOf,
      compiled: async (policy) => (await this.#compiledPolicies(hooks)).get(policy),
      invocations: (request, deny) => this.#invocations(hooks, request, deny),
    });
  }

  async #compiledPolicies(hooks: readonly Hook[]): Promise<CompiledPolicies<MutatingAdmissionPolicy, CompiledPolicy>> {
    const evaluator: Evaluator = await loadEvaluator();
    this.#compiled ??= new CompiledPolicies(({ spec }) => new evaluator.MutatingPolicy(spec ?? {}));
    this.#compiled.keepOnly(hooks);
    return this.#compiled;
  }

  /** Source: `Dispatch` of apiserver `pkg/admission/plugin/policy/generic/policy_dispatcher.go`. */
  async #invocations(
    hooks: readonly Hook[],
    request: PolicyRequest,
    deny: (hook: Hook, denial: Omit<PolicyDenial, 'policy'>) => void,
  ): Promise<readonly Invocation[]> {
    const found: Invocation[] = [];
    for (const hook of hooks) {
      const denyConfiguration = (error: unknown, binding?: string): void => {
        if (!(error instanceof PolicyConfigurationError)) throw error;
        const message = `failed to configure ${binding === undefined ? 'policy' : 'binding'}: ${error.message}`;
        deny(hook, { message, ...(binding !== undefined && { binding }) });
      };
      try {
        const kind = matchedKind(this.#selection, hook.match, request.attributes, request.admission);
        if (kind === undefined) continue;
        const paramKind = hook.spec.paramKind && this.#params.kindOf(hook.spec.paramKind);
        for (const binding of hook.bindings) {
          try {
            const params = await this.#paramsOf(binding, paramKind, request);
            found.push(...params.map((param) => ({ hook, binding: binding.name, kind, param })));
          } catch (error) {
            denyConfiguration(error, binding.name);
          }
        }
      } catch (error) {
        denyConfiguration(error);
      }
    }
    return found;
  }

  async #paramsOf(
    { spec, match }: Binding,
    paramKind: KindDescription | undefined,
    { attributes, admission }: PolicyRequest,
  ): Promise<readonly (ApiObject | undefined)[]> {
    if (match !== undefined && matchedKind(this.#selection, match, attributes, admission) === undefined) return [];
    const params = await this.#params.collect(paramKind, spec.paramRef, attributes.namespace);
    // Upstream shows the kind of built-in parameters only to validating policies.
    return paramKind === undefined || paramKind.custom ? params : params.map(withoutKind);
  }
}

function withoutKind(param: ApiObject | undefined): ApiObject | undefined {
  if (param === undefined) return undefined;
  const { apiVersion: _, kind: __, ...members } = param;
  return members as ApiObject;
}

interface TurnParts {
  requestOf(admission: AdmissionRequest): PolicyRequest;
  compiled(policy: MutatingAdmissionPolicy): Promise<CompiledPolicy>;
  invocations(
    request: PolicyRequest,
    deny: (hook: Hook, denial: Omit<PolicyDenial, 'policy'>) => void,
  ): Promise<readonly Invocation[]>;
}

/** Source: `dispatchInvocations` of apiserver `pkg/admission/plugin/policy/mutating/dispatcher.go`. */
class PolicyTurn implements MutatingTurn {
  readonly #parts: TurnParts;
  /** Invocations that want to see later changes and have been evaluated since the latest one. */
  readonly #invoked = new Set<string>();
  readonly #toReinvoke = new Set<string>();
  #output: ApiObject | undefined;

  constructor(parts: TurnParts) {
    this.#parts = parts;
  }

  async run(admission: AdmissionRequest, reinvocation: boolean): ReturnType<MutatingTurn['run']> {
    const denials: PolicyDenial[] = [];
    const deny = (hook: Hook, denial: Omit<PolicyDenial, 'policy'>): void => {
      if (hook.spec.failurePolicy !== 'Ignore') denials.push({ ...denial, policy: hook.name });
    };
    const { CelError } = await loadEvaluator();
    const invocations = await this.#parts.invocations(this.#parts.requestOf(admission), deny);
    if (reinvocation && !jsonEqual(this.#output, admission.object)) this.#requireReinvocation();
    let current = admission;
    let changed = false;
    for (const invocation of invocations) {
      const key = keyOf(invocation);
      const { hook, binding } = invocation;
      const policy = await this.#parts.compiled(hook.policy);
      const match = policy.matches(await this.#input(invocation, current));
      if (typeof match === 'object') deny(hook, { binding, message: match.failure, reason: 'Invalid' });
      if (match !== true || (reinvocation && !this.#toReinvoke.has(key))) continue;
      const before = current.object;
      for (const mutation of policy.mutations) {
        if (current.object === undefined) continue;
        try {
          const patch = policy.patch(mutation, await this.#input(invocation, current));
          current = { ...current, object: await patchedObject(invocation.kind, current, patch) };
          changed = true;
        } catch (error) {
          if (!(error instanceof PolicyConfigurationError || error instanceof CelError)) throw error;
          deny(hook, { binding, message: error.message, reason: 'Invalid' });
        }
      }
      if (!jsonEqual(before, current.object)) this.#requireReinvocation();
      if (hook.spec.reinvocationPolicy === 'IfNeeded') this.#invoked.add(key);
    }
    if (changed) this.#requireReinvocation();
    this.#output = current.object && copyJson(current.object);
    if (denials.length > 0) throw mutatingRefusal(admission, denials);
    return { object: current.object, changed };
  }

  async #input({ kind, param }: Invocation, admission: AdmissionRequest) {
    return this.#parts.requestOf(admission).input(kind, await inVersion(kind, admission), param);
  }

  #requireReinvocation(): void {
    for (const key of this.#invoked) this.#toReinvoke.add(key);
    this.#invoked.clear();
  }
}

function keyOf({ hook, binding, param }: Invocation): string {
  return [hook.name, binding, param?.metadata.namespace, param?.metadata.name].join('/');
}

/** The object of the request after a patch, with its defaults. Throws StatusError 500 for a patch with unknown fields. */
async function patchedObject(
  kind: KindDescription,
  admission: AdmissionRequest,
  patch: ReturnType<CompiledPolicy['patch']>,
): Promise<ApiObject> {
  const { object = admission.object as ApiObject } = await inVersion(kind, admission);
  const { patchedByOperations } = await loadEvaluator();
  const patched =
    'configuration' in patch
      ? await mergedConfiguration(kind, object, patch.configuration)
      : await strictlyPatched(kind, admission, patchedByOperations(object as unknown as JsonObject, patch.operations));
  checkConversion(kind.names, admission.request.kind.names);
  try {
    return await decodedBack(kind, admission, patched);
  } catch (error) {
    if (error instanceof DecodingError) throw internalError(error.message);
    throw error;
  }
}

async function mergedConfiguration(
  kind: KindDescription,
  object: ApiObject,
  configuration: JsonObject,
): Promise<JsonObject> {
  if (object.kind !== kind.names.kind) {
    // Upstream looks for the schema of a subresource's kind in the group of the resource.
    const shown = `${object.apiVersion}, Kind=${object.kind}`;
    const why = `failed to convert patch object to typed object: no corresponding type for ${shown}`;
    throw new PolicyConfigurationError(`error applying patch: ${why}`);
  }
  return patchedByConfiguration(object, configuration, fieldTypeOf((await kind.codec()).schema));
}

/** Throws StatusError 500 for unknown fields, which the server would drop of a request: upstream decodes strictly here. */
async function strictlyPatched(
  kind: KindDescription,
  admission: AdmissionRequest,
  patched: JsonObject,
): Promise<JsonObject> {
  if (admission.decode !== undefined || kind.custom) return patched;
  const codec = await kind.codec();
  try {
    const { strictErrors } = codec.decode(copyJson(patched));
    if (strictErrors.length === 0) return patched;
    throw internalError(`strict decoding error: ${strictErrors.join(', ')}`);
  } catch (error) {
    if (error instanceof DecodingError) throw internalError(error.message);
    throw error;
  }
}

/** Upstream converts a patched object to the version of the request only within its group. */
function checkConversion({ group, version, kind }: GroupVersionKind, asked: GroupVersionKind): void {
  if (group === asked.group) return;
  const target = asked.group === '' ? asked.version : `${asked.group}/${asked.version}`;
  const what = `${version}.${kind} is not suitable for converting to "${target}"`;
  throw new PolicyConfigurationError(`${what} in scheme "pkg/runtime/scheme.go:111"`);
}
