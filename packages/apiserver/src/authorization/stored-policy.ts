import { type LabelSelectorSpec, labelRequirementsOf, matchesLabels } from '@evenkeel/core';
import type { PolicyRule } from '../apimachinery/index.ts';
import type { ApiObject } from '../kind/api-object.ts';
import type { ObjectStore } from '../store/object-store.ts';
import type { Binding, PolicySource, Role } from './rbac-authorizer.ts';

const rbac = 'rbac.authorization.k8s.io';

/**
 * The roles and bindings in a store. An aggregated ClusterRole has the rules of the roles that it selects at once;
 * upstream's controller writes them into it after a delay.
 */
export class StoredPolicy implements PolicySource {
  readonly #store: ObjectStore;

  constructor(store: ObjectStore) {
    this.#store = store;
  }

  clusterRole(name: string): Role | undefined {
    const role = this.#store.get(`${rbac}/clusterroles`, '', name)?.object;
    return role && { rules: this.#rulesOf(role, new Set()) };
  }

  role(namespace: string, name: string): Role | undefined {
    return this.#store.get(`${rbac}/roles`, namespace, name)?.object as Role | undefined;
  }

  clusterRoleBindings(): readonly Binding[] {
    return this.#bindings('clusterrolebindings', '');
  }

  roleBindings(namespace: string): readonly Binding[] {
    return namespace === '' ? [] : this.#bindings('rolebindings', namespace);
  }

  #bindings(plural: string, namespace: string): readonly Binding[] {
    const stored = this.#store.resource(`${rbac}/${plural}`).list(namespace);
    return stored.map(({ object }) => object as unknown as Binding);
  }

  #rulesOf(role: ApiObject, gathering: ReadonlySet<string>): readonly PolicyRule[] {
    const { clusterRoleSelectors = [] } = (role['aggregationRule'] ?? {}) as {
      clusterRoleSelectors?: LabelSelectorSpec[];
    };
    if (clusterRoleSelectors.length === 0) return (role['rules'] as PolicyRule[] | null | undefined) ?? [];
    const within = new Set([...gathering, role.metadata.name]);
    const selectors = clusterRoleSelectors.map(labelRequirementsOf);
    return this.#store
      .resource(`${rbac}/clusterroles`)
      .list('')
      .filter(
        ({ name, object }) => !within.has(name) && selectors.some((it) => matchesLabels(it, object.metadata.labels)),
      )
      .flatMap(({ object }) => this.#rulesOf(object, within));
  }
}
