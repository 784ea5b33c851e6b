import { labelRequirementsOf, matchesLabels, parseApiVersion } from '@evenkeel/core';
import type { KindCatalog } from '../../catalog/kind-catalog.ts';
import type { ApiObject } from '../../kind/api-object.ts';
import type { KindDescription } from '../../kind/kind-description.ts';
import type { ObjectStore } from '../../store/object-store.ts';
import { PolicyConfigurationError } from './policy-configuration-error.ts';
import type { ParamRef, Policy } from './policy-hooks.ts';

type ParamKind = NonNullable<NonNullable<Policy['spec']>['paramKind']>;

/** Finds the parameters of policies, as they are stored now. */
export class PolicyParams {
  readonly #store: ObjectStore;
  readonly #catalog: KindCatalog;

  constructor(store: ObjectStore, catalog: KindCatalog) {
    this.#store = store;
    this.#catalog = catalog;
  }

  /** The kind of a policy's parameters. Throws PolicyConfigurationError if it is not served. */
  kindOf({ apiVersion = '', kind = '' }: ParamKind): KindDescription {
    const { group, version } = parseApiVersion(apiVersion);
    const found = this.#catalog.findKind(group, version, kind);
    if (found !== undefined) return found;
    const shown = `${group}/${version}, Kind=${kind}`;
    throw new PolicyConfigurationError(`failed to find resource referenced by paramKind: '${shown}'`);
  }

  /**
   * The parameters with which a policy is evaluated, one after the other; undefined for an evaluation without one.
   *
   * Source: `CollectParams` of apiserver `pkg/admission/plugin/policy/generic/policy_dispatcher.go`.
   *
   * @throws PolicyConfigurationError if the binding cannot be used for a request in this namespace.
   */
  async collect(
    kind: KindDescription | undefined,
    paramRef: ParamRef | undefined,
    requestNamespace: string,
  ): Promise<readonly (ApiObject | undefined)[]> {
    if (kind === undefined || paramRef === undefined) return [undefined];
    const { name = '', selector, parameterNotFoundAction } = paramRef;
    const namespace = namespaceOf(kind, paramRef, requestNamespace);
    const stored = this.#stored(kind, namespace, name, selector);
    if (stored.length === 0 && parameterNotFoundAction === 'Deny') {
      throw new PolicyConfigurationError('no params found for policy binding with `Deny` parameterNotFoundAction');
    }
    const codec = await kind.codec();
    await codec.prepare?.(stored);
    return stored.map((object) => codec.fromStorage(object));
  }

  #stored(
    { storageKey }: KindDescription,
    namespace: string,
    name: string,
    selector: ParamRef['selector'],
  ): readonly ApiObject[] {
    if (name !== '') {
      const found = this.#store.get(storageKey, namespace, name);
      return found === undefined ? [] : [found.object];
    }
    const requirements = labelRequirementsOf(selector ?? {});
    return this.#store
      .resource(storageKey)
      .list(namespace)
      .map(({ object }) => object)
      .filter(({ metadata }) => matchesLabels(requirements, metadata.labels));
  }
}

function namespaceOf({ names }: KindDescription, { namespace = '' }: ParamRef, requestNamespace: string): string {
  if (!names.namespaced) {
    if (namespace === '') return '';
    throw new PolicyConfigurationError('paramRef.namespace must not be provided for a cluster-scoped `paramKind`');
  }
  if (namespace !== '') return namespace;
  if (requestNamespace !== '') return requestNamespace;
  throw new PolicyConfigurationError(
    'cannot use namespaced paramRef in policy binding that matches cluster-scoped resources',
  );
}
