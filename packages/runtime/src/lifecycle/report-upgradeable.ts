import { readFile } from 'node:fs/promises';
import type { Client } from '@evenkeel/client';
import { type ApiResource, type Clock, type Condition, ObjectKey } from '@evenkeel/core';
import { StatusConditions } from '../reconcile/condition-set.ts';

/** Whether OLM may replace an operator by its next version. */
export interface Upgradeable {
  readonly isUpgradeable: boolean;
  /** CamelCase, such as `RestoreRunning`. */
  readonly reason: string;
  /** For administrators, who see it in the Subscription. */
  readonly message: string;
}

/** Where an operator runs. */
export interface UpgradeablePlace {
  readonly clock: Clock;
  /** The namespace of the operator's pod. Default: that of its service account. */
  readonly namespace?: string;
  /** Default: that of the process. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** What {@link reportUpgradeable} did. `not-managed`: OLM v0 has not installed this operator, so nothing was sent. */
export type UpgradeableReport = 'reported' | 'unchanged' | 'not-managed';

const operatorCondition: ApiResource = {
  group: 'operators.coreos.com',
  version: 'v2',
  kind: 'OperatorCondition',
  plural: 'operatorconditions',
  namespaced: true,
};
const namespaceFile = '/var/run/secrets/kubernetes.io/serviceaccount/namespace';

/**
 * Tells OLM v0 whether it may replace this operator by its next version, in the condition `Upgradeable` of its OperatorCondition. Call it
 * when that changes, and in the first reconcile after a start: OLM keeps what the process before this one reported.
 *
 * Promised:
 * - Nothing is sent unless OLM v0 runs this operator; OLM v1 has no OperatorConditions. OLM grants the permissions.
 * - Nothing is written if the condition is the same. The time of its last transition changes only with its status.
 *
 * Throws `invalid-condition` for an invalid reason, and rejects with the error of the API server, such as a conflict with another write; call it again then. Call it only in the leader.
 *
 * Source: https://olm.operatorframework.io/docs/advanced-tasks/communicating-operator-conditions-to-olm
 */
export async function reportUpgradeable(
  client: Client,
  { isUpgradeable, reason, message }: Upgradeable,
  { clock, namespace, environment = process.env }: UpgradeablePlace,
): Promise<UpgradeableReport> {
  // OLM sets it in every container of an operator.
  const name = environment['OPERATOR_CONDITION_NAME'] ?? '';
  if (name === '') return 'not-managed';
  const key = new ObjectKey(name, namespace ?? (await readFile(namespaceFile, 'utf8')).trim());
  const { metadata, spec } = await client.get(operatorCondition, key);
  const { conditions = [] } = (spec ?? {}) as { readonly conditions?: Condition[] };
  const changed = { conditions };
  new StatusConditions(() => changed, undefined, clock).set('Upgradeable', isUpgradeable, reason, message);
  if (changed.conditions === conditions) return 'unchanged';
  const { resourceVersion } = metadata;
  await client.patch(operatorCondition, key, { merge: { metadata: { resourceVersion }, spec: changed } });
  return 'reported';
}
