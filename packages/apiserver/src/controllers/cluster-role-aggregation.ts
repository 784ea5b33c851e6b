import { type LabelSelectorSpec, labelRequirementsOf, matchesLabels } from '@evenkeel/core';
import type { ClusterRole } from '@evenkeel/kinds';
import { jsonEqual } from '../apimachinery/index.ts';
import type { EmbeddedController } from './controller.ts';
import { splitKey } from './controller-reference.ts';
import { KeyedSync } from './keyed-sync.ts';

const clusterRoles = { group: 'rbac.authorization.k8s.io', plural: 'clusterroles' };

/**
 * Writes the rules of the ClusterRoles that an aggregation rule selects into the role with that rule.
 * Source: `pkg/controller/clusterroleaggregation/clusterroleaggregation_controller.go`.
 */
export const clusterRoleAggregation: EmbeddedController = {
  name: 'clusterrole-aggregation-controller',
  start(context) {
    const { client } = context;
    const sync = new KeyedSync(context, async (key) => {
      const { name } = splitKey(key);
      const role = client.get<ClusterRole>(clusterRoles, undefined, name);
      if (role?.aggregationRule === undefined) return;
      const others = client.list<ClusterRole>(clusterRoles).filter((other) => other.metadata.name !== name);
      const rules: object[] = [];
      for (const selector of role.aggregationRule.clusterRoleSelectors ?? []) {
        const requirements = labelRequirementsOf(selector as LabelSelectorSpec);
        for (const other of others.filter(({ metadata }) => matchesLabels(requirements, metadata.labels))) {
          for (const rule of other.rules ?? []) if (!rules.some((known) => jsonEqual(known, rule))) rules.push(rule);
        }
      }
      if (jsonEqual(rules, role.rules ?? [])) return;
      await client.patch(clusterRoles, undefined, name, { rules }, { fieldManager: this.name });
    });
    const stop = client.watch<ClusterRole>(clusterRoles, () => {
      for (const { metadata, aggregationRule } of client.list<ClusterRole>(clusterRoles)) {
        if (aggregationRule !== undefined) sync.add(`/${metadata.name}`);
      }
    });
    return () => {
      stop();
      sync.stop();
    };
  },
};
