import { fieldSelectorOf, labelSelectorOf } from '@evenkeel/client';
import { type ApiResource, EvenkeelError, matchesLabels, parseLabelSelector } from '@evenkeel/core';
import type { CachedObject } from './cached-object.ts';
import type { InformerScope } from './informer-scope.ts';

/** The objects of a kind, in one form, that a watch requests. */
export interface ResolvedScope {
  readonly metadataOnly: boolean;
  /** Sorted; undefined for all namespaces, and for cluster-scoped kinds. */
  readonly namespaces: readonly string[] | undefined;
  readonly labelSelector: string | undefined;
  readonly fieldSelector: string | undefined;
}

/** Reports whether an object is in a scope. */
export type Selection = (object: CachedObject) => boolean;

/** `metadata.name` of a Namespace is a DNS label (RFC 1123). */
const namespaceName = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/**
 * Throws `invalid-option` for an empty or invalid list of namespaces, and for invalid names. Duplicates are ignored. A namespace
 * that does not exist is valid, because it may be created later.
 */
export function checkNamespaces(namespaces: readonly string[] | undefined, where: string): void {
  if (namespaces === undefined) return;
  const refuse = (why: string): never => {
    throw new EvenkeelError('invalid-option', `${where}: ${why}`);
  };
  if (!Array.isArray(namespaces)) refuse(`${JSON.stringify(namespaces)} is no list; write ['default']`);
  if (namespaces.length === 0) refuse('the list is empty, so nothing would be watched; remove it to watch all');
  for (const name of namespaces as readonly unknown[]) {
    if (typeof name === 'string' && namespaceName.test(name)) continue;
    const advice = name === '' ? 'remove the list to watch all' : 'use at most 63 lower-case letters, digits and "-"';
    refuse(`invalid namespace name ${JSON.stringify(name)}; ${advice}`);
  }
}

/** Returns the normal form of a scope, which is the same for equal scopes. */
export function resolveScope(resource: ApiResource, metadataOnly: boolean, scope: InformerScope): ResolvedScope {
  return {
    metadataOnly,
    namespaces:
      resource.namespaced && scope.namespaces !== undefined ? [...new Set(scope.namespaces)].sort() : undefined,
    labelSelector: labelSelectorOf(scope.labels),
    fieldSelector: fieldSelectorOf(scope.fields),
  };
}

/**
 * Reports whether a cache of `wide` contains all objects of `narrow`. Only the server can evaluate field selectors other than
 * names.
 */
export function covers(wide: ResolvedScope, narrow: ResolvedScope): boolean {
  if (wide.metadataOnly && !narrow.metadataOnly) return false;
  if (wide.labelSelector !== undefined && wide.labelSelector !== narrow.labelSelector) return false;
  if (wide.fieldSelector !== narrow.fieldSelector) {
    if (wide.fieldSelector !== undefined || namesOf(narrow.fieldSelector) === undefined) return false;
  }
  if (wide.namespaces === undefined) return true;
  return narrow.namespaces?.every((namespace) => wide.namespaces?.includes(namespace)) === true;
}

/** Returns the selection of `narrow` in a cache of `wide`; undefined if it is everything. `wide` must cover `narrow`. */
export function selectionWithin(wide: ResolvedScope, narrow: ResolvedScope): Selection | undefined {
  const checks: Selection[] = [];
  const { namespaces, labelSelector, fieldSelector } = narrow;
  if (namespaces !== undefined && namespaces.length !== wide.namespaces?.length) {
    const held = new Set(namespaces);
    checks.push(({ metadata }) => metadata.namespace !== undefined && held.has(metadata.namespace));
  }
  if (labelSelector !== undefined && labelSelector !== wide.labelSelector) {
    const requirements = parseLabelSelector(labelSelector);
    checks.push(({ metadata }) => matchesLabels(requirements, metadata.labels));
  }
  if (fieldSelector !== wide.fieldSelector) {
    const { name, namespace } = namesOf(fieldSelector) ?? {};
    if (name !== undefined) checks.push(({ metadata }) => metadata.name === name);
    if (namespace !== undefined) checks.push(({ metadata }) => metadata.namespace === namespace);
  }
  const [only] = checks;
  if (only === undefined) return undefined;
  return checks.length === 1 ? only : (object) => checks.every((check) => check(object));
}

/** Returns the name and namespace of a field selector; undefined if it has other fields. */
export function namesOf(fieldSelector: string | undefined): { name?: string; namespace?: string } | undefined {
  const names: { name?: string; namespace?: string } = {};
  for (const term of fieldSelector?.split(',') ?? []) {
    const [field, value, ...rest] = term.split('=');
    // Only the server evaluates `!=`, `==` and escaped values.
    if (value === undefined || rest.length > 0 || !/^[-a-z0-9.:]+$/i.test(value)) return undefined;
    if (field === 'metadata.name') names.name = value;
    else if (field === 'metadata.namespace') names.namespace = value;
    else return undefined;
  }
  return names;
}
