import type { ResourceQuota } from '@evenkeel/kinds';
import { compareText, copyJson, formatQuantity, subtractQuantities } from '../apimachinery/index.ts';
import type { KindCatalog } from '../catalog/kind-catalog.ts';
import type { ApiObject } from '../kind/api-object.ts';
import { quotaEvaluatorOf } from '../quota/evaluators.ts';
import { count } from '../quota/object-count-evaluator.ts';
import type { EvaluatedWrite, QuotaEvaluator, ScopeRequirement } from '../quota/quota-evaluator.ts';
import { isInScopes, scopesOf } from '../quota/quota-scopes.ts';
import type { ObjectRegistry } from '../registry/object-registry.ts';
import type { AdmissionQuota, AdmissionRequest, QuotaCharge, WriteRequest } from '../registry/write-request.ts';
import { forbidden } from '../status/refusal.ts';
import type { StoredObject } from '../store/stored-object.ts';
import { addAmounts, amountsOf, type ResourceAmounts } from '../strategy/resource-amounts.ts';

const quotasKey = '/resourcequotas';

/**
 * Charges writes to the ResourceQuotas of their namespace, or rejects them. Only quotas whose status has been calculated
 * take part, as upstream.
 *
 * Source: `CheckRequest` of apiserver `pkg/admission/plugin/resourcequota`.
 */
export class ResourceQuotaAdmission implements AdmissionQuota {
  readonly #registry: ObjectRegistry;
  readonly #catalog: KindCatalog;

  constructor(registry: ObjectRegistry, catalog: KindCatalog) {
    this.#registry = registry;
    this.#catalog = catalog;
  }

  check(admission: AdmissionRequest): QuotaCharge | undefined {
    const { request, operation, object, current } = admission;
    const { kind, namespace, subresource } = request;
    const all = this.#registry.store.resource(quotasKey);
    if (namespace === '' || object === undefined || operation === 'CONNECT' || all.size === 0) return undefined;
    const quotas = all.list(namespace);
    if (quotas.length === 0) return undefined;
    const evaluator = quotaEvaluatorOf(kind.names);
    const write = { operation, subresource: subresource?.name ?? '', object, current };
    if (evaluator?.handles(write) !== true) return undefined;
    const concerned = quotas.flatMap((quota) => concernedQuota(admission, write, evaluator, quota) ?? []);
    if (concerned.length === 0) return undefined;
    const usage = evaluator.usage(object, this.#registry.clock.now());
    const negative = [...usage].filter(([, { nanos }]) => nanos < 0n).map(([resource]) => resource);
    if (negative.length > 0) {
      const why = `quota usage is negative for resource(s): ${negative.sort(compareText).join(',')}`;
      throw forbidden(kind.names, admission.name, why);
    }
    const charged = concerned.flatMap((quota) => this.#charge(admission, write, evaluator, usage, quota) ?? []);
    if (charged.length === 0 || request.dryRun) return undefined;
    return { commit: () => this.#commit(admission, charged) };
  }

  /** What the write adds to a quota; undefined if that is nothing. */
  #charge(
    { request, name }: AdmissionRequest,
    { current, subresource }: EvaluatedWrite,
    evaluator: QuotaEvaluator,
    usage: ResourceAmounts,
    { stored, hard, used, scopes }: ConcernedQuota,
  ): ChargedQuota | undefined {
    const wasCharged = current !== undefined && isInScopes(evaluator, scopes, current);
    const before: ResourceAmounts = wasCharged ? evaluator.usage(current, this.#registry.clock.now()) : new Map();
    const added = new Map(
      [...usage]
        .filter(([resource]) => hard.has(resource))
        .map(([resource, amount]) => [resource, subtractQuantities(amount, before.get(resource) ?? count(0))] as const)
        .filter(([, { nanos }]) => nanos > 0n),
    );
    if (added.size === 0) return undefined;
    const total = new Map(used);
    addAmounts(total, added);
    const exceeded = [...added.keys()].filter(
      (resource) => (total.get(resource)?.nanos ?? 0n) > (hard.get(resource)?.nanos ?? 0n),
    );
    // What a controller has already allocated is only recorded.
    if (exceeded.length > 0 && subresource !== 'status') {
      const [requested, has, most] = [added, used, hard].map((amounts) => shown(amounts, exceeded));
      const why = `exceeded quota: ${stored.name}, requested: ${requested}, used: ${has}, limited: ${most}`;
      throw forbidden(request.kind.names, name, why);
    }
    return { stored, total };
  }

  #commit(admission: AdmissionRequest, charged: readonly ChargedQuota[]): void {
    const { store } = this.#registry;
    const { namespace } = admission.request;
    const isCurrent = ({ stored }: ChargedQuota): boolean => store.get(quotasKey, namespace, stored.name) === stored;
    if (!charged.every(isCurrent)) {
      // Another write was charged while this one waited.
      this.check(admission)?.commit();
      return;
    }
    for (const { stored, total } of charged) this.#store(stored, total);
  }

  #store({ namespace, name, object }: StoredObject, total: ResourceAmounts): void {
    const request = this.#request(namespace, name);
    const quota: ApiObject = copyJson(object);
    const used = Object.fromEntries([...total].map(([resource, amount]) => [resource, formatQuantity(amount)]));
    quota['status'] = { ...(object['status'] as object), used };
    this.#registry.overwrite(request, object, quota);
  }

  #request(namespace: string, name: string): WriteRequest {
    const kind = this.#catalog.find('', 'v1', 'resourcequotas');
    const rules = kind?.subresources.get('status');
    if (kind?.loadedCodec === undefined || rules === undefined) {
      throw new Error('resourcequotas are stored, but their codec is not loaded');
    }
    return {
      kind,
      codec: kind.loadedCodec,
      user: { name: 'system:apiserver', groups: ['system:masters'] },
      namespace,
      name,
      subresource: { name: 'status', rules },
      manager: 'kube-apiserver',
      dryRun: false,
      warn: () => undefined,
    };
  }
}

/** A quota that limits the kind of a write, and whose scopes the object is in. */
interface ConcernedQuota {
  readonly stored: StoredObject;
  readonly hard: ResourceAmounts;
  readonly used: ResourceAmounts;
  readonly scopes: readonly ScopeRequirement[];
}

function concernedQuota(
  { request, name }: AdmissionRequest,
  { object }: EvaluatedWrite,
  evaluator: QuotaEvaluator,
  stored: StoredObject,
): ConcernedQuota | undefined {
  const quota = stored.object as unknown as ResourceQuota;
  const hard = amountsOf(quota.status?.hard);
  const used = amountsOf(quota.status?.used);
  const resources = [...hard.keys()].filter((resource) => evaluator.matches(resource)).sort(compareText);
  const scopes = scopesOf(quota);
  if (resources.length === 0 || !isInScopes(evaluator, scopes, object)) return undefined;
  const missing = evaluator.missing?.(resources, object);
  if (missing !== undefined) throw forbidden(request.kind.names, name, `failed quota: ${stored.name}: ${missing}`);
  if (resources.some((resource) => !used.has(resource))) {
    const why = `status unknown for quota: ${stored.name}, resources: ${resources.join(',')}`;
    throw forbidden(request.kind.names, name, why);
  }
  return { stored, hard, used, scopes };
}

/** A quota with its new usage. */
interface ChargedQuota {
  readonly stored: StoredObject;
  readonly total: ResourceAmounts;
}

function shown(amounts: ResourceAmounts, resources: readonly string[]): string {
  const present = [...resources].sort(compareText).flatMap((resource) => {
    const amount = amounts.get(resource);
    return amount === undefined ? [] : [`${resource}=${formatQuantity(amount)}`];
  });
  return present.join(',');
}
