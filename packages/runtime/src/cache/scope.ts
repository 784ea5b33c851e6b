import { fieldSelectorOf, labelSelectorOf } from '@evenkeel/client';
import { type ApiResource, EvenkeelError, matchesLabels, parseLabelSelector } from '@evenkeel/core';
import type { CachedObject } from './cached-object.ts';
import type { InformerScope } from './informer.ts';

/** Which objects of a kind, in one form: what a watch asks the server for. */
export interface ResolvedScope {
  readonly metadataOnly: boolean;
  /** Sorted; undefined where all, and for cluster-scoped kinds. */
  readonly namespaces: readonly string[] | undefined;
  readonly labelSelector: string | undefined;
  readonly fieldSelector: string | undefined;
}

/** Tells whether an object is among those asked for. */
export type Selection = (object: CachedObject) => boolean;

/** `metadata.name` of a Namespace is a DNS label (RFC 1123). */
const namespaceName = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/**
 * Throws `invalid-option` where a list of namespaces is none, or has none that can exist. Twice the same is the same as
 * once. That a namespace is not there is no mistake: it may come later.
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

/** A scope in the form in which equal ones are alike. */
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
 * Whether a cache of `wide` has all that one of `narrow` would. What a field selector selects, beyond names, only the
 * server can say.
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

/** Tells which objects of a cache of `wide` are in `narrow`; undefined where all are. `wide` must cover it. */
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

/** The name and namespace that a field selector asks for, where it asks for nothing else. */
export function namesOf(fieldSelector: string | undefined): { name?: string; namespace?: string } | undefined {
  const names: { name?: string; namespace?: string } = {};
  for (const term of fieldSelector?.split(',') ?? []) {
    const [field, value, ...rest] = term.split('=');
    // `!=`, `==` and values with an escape are left to the server.
    if (value === undefined || rest.length > 0 || !/^[-a-z0-9.:]+$/i.test(value)) return undefined;
    if (field === 'metadata.name') names.name = value;
    else if (field === 'metadata.namespace') names.namespace = value;
    else return undefined;
  }
  return names;
}
