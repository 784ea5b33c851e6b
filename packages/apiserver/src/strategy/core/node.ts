import type { Node } from '@evenkeel/kinds';
import { copyJson } from '../../apimachinery/index.ts';
import { defineStrategy, keepMember } from '../define-strategy.ts';
import { defaultResourceList } from '../resource-list-defaults.ts';
import { writeNulls } from '../written-nulls.ts';
import { validateNode, validateNodeUpdate } from './node-validation.ts';

const notReady = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' } as const;

/** Sources: `SetDefaults_NodeStatus`, `pkg/registry/core/node/strategy.go`, `plugin/pkg/admission/nodetaint`. */
export const nodeStrategy = defineStrategy<Node>({
  default({ spec, status }) {
    if (spec?.podCIDR && spec.podCIDRs?.[0] !== spec.podCIDR) spec.podCIDRs = [spec.podCIDR];
    if (spec?.podCIDRs?.[0] !== undefined) spec.podCIDR = spec.podCIDRs[0];
    if (status === undefined) return;
    writeNulls(status.conditions, 'lastHeartbeatTime', 'lastTransitionTime');
    if (status.allocatable === undefined && status.capacity !== undefined) {
      status.allocatable = copyJson(status.capacity);
    }
    writeNulls(status.images, 'names');
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
  validate: validateNode,
  validateUpdate: validateNodeUpdate,
  generation: 'never',
  // A create of a node includes its status. Only updates of the main resource ignore it.
  statusIsSubresource: false,
  selectableFields: ({ spec }) => ({ 'spec.unschedulable': String(spec?.unschedulable === true) }),
  selectableFieldNames: ['spec.unschedulable'],
  subresources: { status: { validateUpdate: validateNodeUpdate } },
});
