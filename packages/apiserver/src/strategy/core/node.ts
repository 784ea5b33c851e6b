import type { Node } from '@evenkeel/kinds';
import { copyJson } from '../../apimachinery/index.ts';
import { defineStrategy, keepMember } from '../define-strategy.ts';
import { defaultResourceList } from '../resource-list-defaults.ts';
import { writeNulls } from '../written-nulls.ts';

const notReady = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' } as const;

/** Sources: `SetDefaults_NodeStatus`, `pkg/registry/core/node/strategy.go`, `plugin/pkg/admission/nodetaint`. */
export const nodeStrategy = defineStrategy<Node>({
  default({ status }) {
    if (status === undefined) return;
    writeNulls(status.conditions, 'lastHeartbeatTime', 'lastTransitionTime');
    if (status.allocatable === undefined && status.capacity !== undefined) {
      status.allocatable = copyJson(status.capacity);
    }
    defaultResourceList(status.capacity);
    defaultResourceList(status.allocatable);
    status.daemonEndpoints ??= {};
    status.daemonEndpoints.kubeletEndpoint ??= { Port: 0 };
  },
  prepareForCreate(object) {
    object.spec ??= {};
    const taints = object.spec.taints ?? [];
    if (!taints.some(({ key, effect }) => key === notReady.key && effect === notReady.effect)) {
      object.spec.taints = [...taints, { ...notReady }];
    }
  },
  prepareForUpdate: (object, old) => keepMember(object, old, 'status'),
  generation: 'never',
  // A node that registers itself brings its status along; only an update of the node leaves it.
  statusIsSubresource: false,
  selectableFields: ({ spec }) => ({ 'spec.unschedulable': String(spec?.unschedulable === true) }),
  selectableFieldNames: ['spec.unschedulable'],
});
