import { type LabelRequirements, matchesLabels } from '@evenkeel/core';
import type { KindCatalog } from '../catalog/kind-catalog.ts';
import type { ApiObject } from '../kind/api-object.ts';
import type { KindDescription } from '../kind/kind-description.ts';
import type { AdmissionRequest } from '../registry/write-request.ts';
import { notFound } from '../status/refusal.ts';
import type { ObjectStore } from '../store/object-store.ts';
import { matchesRule, type RequestAttributes, type ResourceRule } from './resource-rule.ts';

/** The parsed selectors of a webhook, a policy or a binding. */
export interface Selectors {
  readonly namespaceSelector: LabelRequirements;
  readonly objectSelector: LabelRequirements;
}

/** Decides which webhooks and policies a request concerns, and in which version: `Webhook.ShouldCallHook` without match conditions. */
export class RequestSelection {
  readonly #store: ObjectStore;
  readonly #catalog: KindCatalog;

  constructor(store: ObjectStore, catalog: KindCatalog) {
    this.#store = store;
    this.#catalog = catalog;
  }

  /** The kind in the version that the rules ask for; undefined if they do not match the request. */
  kindFor(
    rules: readonly ResourceRule[],
    matchPolicy: string | undefined,
    kind: KindDescription,
    attributes: RequestAttributes,
  ): KindDescription | undefined {
    if (rules.some((rule) => matchesRule(rule, attributes, attributes.resource))) return kind;
    if (matchPolicy !== 'Equivalent') return undefined;
    const others = this.#catalog.equivalents(kind);
    for (const rule of rules) {
      const found = others.find(({ names: { group, version, plural } }) =>
        matchesRule(rule, attributes, { group, version, resource: plural }),
      );
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Whether the selectors match. Throws StatusError 404 if the namespace does not exist. */
  selects(
    { namespaceSelector, objectSelector }: Selectors,
    attributes: RequestAttributes,
    { object, current }: AdmissionRequest,
  ): boolean {
    if (!this.#selectsNamespace(namespaceSelector, attributes, object)) return false;
    return objectSelector.length === 0 || [object, current].some((one) => matchesObject(objectSelector, one));
  }

  #selectsNamespace(
    selector: LabelRequirements,
    { namespace, resource, subresource, operation }: RequestAttributes,
    object: ApiObject | undefined,
  ): boolean {
    const isNamespace = resource.resource === 'namespaces';
    if (selector.length === 0 || (namespace === '' && !isNamespace)) return true;
    // The stored Namespace does not have the labels yet that this request gives it.
    if (isNamespace && subresource === '' && operation !== 'DELETE') {
      return matchesLabels(selector, object?.metadata.labels);
    }
    const stored = this.#store.get('/namespaces', '', namespace);
    if (stored === undefined) throw notFound({ group: '', plural: 'namespaces' }, namespace);
    return matchesLabels(selector, stored.object.metadata.labels);
  }
}

function matchesObject(selector: LabelRequirements, object: ApiObject | undefined): boolean {
  // The options of a connection have no metadata, so no selector matches them.
  return object?.metadata !== undefined && matchesLabels(selector, object.metadata.labels);
}
