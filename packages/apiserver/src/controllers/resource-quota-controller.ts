import type { ResourceQuota } from '@evenkeel/kinds';
import { formatQuantity, jsonEqual } from '../apimachinery/index.ts';
import type { ApiObject } from '../kind/api-object.ts';
import { quotaEvaluatorOf } from '../quota/evaluators.ts';
import { quotaUsage } from '../quota/quota-usage.ts';
import { amountsOf, type ResourceAmounts } from '../strategy/resource-amounts.ts';
import type { ResourceList } from '../strategy/resource-list-defaults.ts';
import type { ControllerContext, EmbeddedController } from './controller.ts';
import { keyOf, splitKey } from './controller-reference.ts';
import { KeyedSync } from './keyed-sync.ts';
import type { StoredEvent } from './server-client.ts';

const quotas = { group: '', plural: 'resourcequotas' };

/** How often usage is calculated again without an event, as upstream (`--resource-quota-sync-period`). */
const resyncMs = 5 * 60_000;

/**
 * Calculates the status of ResourceQuotas: at once for a new quota or limits, and after a deletion or a change that
 * releases something. What writes add is charged at admission.
 */
export const resourceQuotaController: EmbeddedController = {
  name: 'resourcequota-controller',
  start(context) {
    const { client } = context;
    const sync: KeyedSync = new KeyedSync(context, async (key) => {
      await syncQuota(context, key);
      if (quotaAt(context, key) !== undefined) sync.addAfter(key, resyncMs);
    });
    const stops = [
      client.watch<ResourceQuota>(quotas, ({ type, object, old }) => {
        if (type === 'DELETED' || jsonEqual(object.spec?.hard, old?.spec?.hard)) return;
        sync.add(keyOf(object));
      }),
      client.watchAll((event) => {
        for (const key of releasedQuotas(context, event)) sync.add(key);
      }),
    ];
    return () => {
      for (const stop of stops) stop();
      sync.stop();
    };
  },
};

function quotaAt({ client }: ControllerContext, key: string): ResourceQuota | undefined {
  const { namespace, name } = splitKey(key);
  return client.get<ResourceQuota>(quotas, namespace, name);
}

/** The keys of the quotas whose usage may have fallen. */
function releasedQuotas({ client, clock }: ControllerContext, { type, resource, object, old }: StoredEvent): string[] {
  const { namespace } = object.metadata;
  if (type === 'ADDED' || namespace === undefined) return [];
  const candidates = client.list<ResourceQuota>(quotas, namespace);
  if (candidates.length === 0) return [];
  const evaluator = quotaEvaluatorOf(resource);
  if (evaluator === undefined) return [];
  const isReleased =
    old === undefined || type === 'DELETED' || evaluator.mayRelease?.(object, old, clock.now()) === true;
  if (!isReleased) return [];
  return candidates
    .filter(({ status }) => Object.keys(status?.hard ?? {}).some((name) => evaluator.matches(name)))
    .map(keyOf);
}

async function syncQuota(context: ControllerContext, key: string): Promise<void> {
  const { client, clock } = context;
  const quota = quotaAt(context, key);
  if (quota === undefined) return;
  const { namespace } = quota.metadata;
  const counted = client
    .resources()
    .filter(
      ({ namespaced, verbs }) => namespaced && ['create', 'list', 'delete'].every((verb) => verbs.includes(verb)),
    );
  const calculated = quotaUsage(quota, counted, (resource) => client.list<ApiObject>(resource, namespace), clock.now());
  const hard = quota.spec?.hard ?? {};
  const known = new Map([...amountsOf(quota.status?.used), ...calculated]);
  const used = new Map([...known].filter(([name]) => Object.hasOwn(hard, name)));
  const isSame = isEqual(amountsOf(hard), quota.status?.hard) && isEqual(used, quota.status?.used);
  if (isSame) return;
  const status = { hard: { ...hard }, used: listOf(used) };
  // The version of the quota makes the write fail if something was charged meanwhile.
  await client.updateStatus(quotas, { ...quota, status });
}

function isEqual(amounts: ResourceAmounts, list: ResourceList | undefined): boolean {
  if (list === undefined) return false;
  const others = amountsOf(list);
  return others.size === amounts.size && [...amounts].every(([name, { nanos }]) => others.get(name)?.nanos === nanos);
}

function listOf(amounts: ResourceAmounts): ResourceList {
  return Object.fromEntries([...amounts].map(([name, amount]) => [name, formatQuantity(amount)]));
}
