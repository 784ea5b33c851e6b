import { isJsonObject, type JsonObject, valueAt } from '@evenkeel/apimachinery/json';
import type { PolicyRule } from '@evenkeel/apimachinery/rbac';
import { schemaOf } from '@evenkeel/kinds/schemas';
import type { BundleObject } from '../bundle/bundle.ts';
import { decodeTyped, TypeMismatch } from '../bundle/json-types.ts';
import type { CheckedBundle } from './checked-bundle.ts';

/** The SecurityContextConstraints that OpenShift provides. */
const defaultConstraints: ReadonlySet<string> = new Set([
  'privileged',
  'restricted',
  'anyuid',
  'hostaccess',
  'hostmount-anyuid',
  'hostnetwork',
  'node-exporter',
  'nonroot',
]);

interface CheckedKind {
  /** The definition of the type. */
  readonly type: string;
  check(checked: CheckedBundle, object: BundleObject, value: JsonObject): void;
}

const kinds = new Map<string, CheckedKind>([
  ['PodDisruptionBudget', { type: 'io.k8s.api.policy.v1.PodDisruptionBudget', check: checkBudget }],
  ['PriorityClass', { type: 'io.k8s.api.scheduling.v1.PriorityClass', check: checkPriorityClass }],
  ['Role', { type: 'io.k8s.api.rbac.v1.Role', check: checkRules }],
  ['ClusterRole', { type: 'io.k8s.api.rbac.v1.ClusterRole', check: checkRules }],
]);

/** The checks of objects with which an operator could harm the cluster. */
export async function checkObjects(checked: CheckedBundle): Promise<void> {
  for (const object of checked.bundle.objects) {
    const kind = kinds.get(object.kind);
    if (kind === undefined) continue;
    try {
      kind.check(checked, object, decodeTyped(object.value, await schemaOf(kind.type), 'json') as JsonObject);
    } catch (error) {
      if (!(error instanceof TypeMismatch)) throw error;
      checked.report.add('object-type', `${error.message}; correct the value`, { ...object, path: error.path });
    }
  }
}

function checkBudget(checked: CheckedBundle, object: BundleObject, value: JsonObject): void {
  const spec = valueAt(value, 'spec');
  if (!isJsonObject(spec)) return;
  const most = valueAt(spec, 'maxUnavailable');
  if (most === 0 || typeof most === 'string') {
    const message =
      most === 0 || most === '0%'
        ? 'no pod could ever be evicted, so nodes could not be drained; allow at least 1'
        : "operator-framework's validator reads every percentage as 0 and rejects it; use a number";
    checked.report.add('pdb-max-unavailable', message, { ...object, path: ['spec', 'maxUnavailable'] });
  }
  if (valueAt(spec, 'minAvailable') === '100%') {
    const message = 'no pod could ever be evicted, so nodes could not be drained; use less than 100%';
    checked.report.add('pdb-min-available', message, { ...object, path: ['spec', 'minAvailable'] });
  }
}

function checkPriorityClass(checked: CheckedBundle, object: BundleObject, value: JsonObject): void {
  if (valueAt(value, 'globalDefault') !== true) return;
  const message = 'a default PriorityClass changes the priority of all new pods in the cluster; remove globalDefault';
  checked.report.add('priority-class-global', message, { ...object, path: ['globalDefault'] });
}

function checkRules(checked: CheckedBundle, object: BundleObject, value: JsonObject): void {
  const rules = (valueAt(value, 'rules') ?? []) as readonly PolicyRule[];
  for (const [index, rule] of rules.entries()) {
    const place = { ...object, path: ['rules', index] };
    if (
      rule.apiGroups?.includes('policy') &&
      rule.resources?.includes('poddisruptionbudgets') &&
      hasVerb(rule, ['*', 'create', 'update', 'patch'])
    ) {
      const message =
        'it allows changes of PodDisruptionBudgets, which can block the maintenance of nodes; allow only get, list and watch';
      checked.report.add('rule-for-budgets', message, place);
    }
    if (
      rule.apiGroups?.includes('security.openshift.io') &&
      rule.resources?.includes('securitycontextconstraints') &&
      hasVerb(rule, ['*', 'delete', 'update', 'patch']) &&
      rule.resourceNames?.some((name) => defaultConstraints.has(name))
    ) {
      const message =
        'it allows changes of SecurityContextConstraints that OpenShift provides; create a separate one, and list that in resourceNames';
      checked.report.add('rule-for-default-constraints', message, place);
    }
  }
}

function hasVerb({ verbs }: PolicyRule, wanted: readonly string[]): boolean {
  return verbs?.some((verb) => wanted.includes(verb)) === true;
}
