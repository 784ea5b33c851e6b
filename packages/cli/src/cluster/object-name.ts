import { parseApiVersion } from '@evenkeel/core';

/** What identifies an object of any kind. */
export interface ObjectReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string | undefined;
  readonly name: string;
}

/** Returns the reference of an object. */
export function referenceOf(object: {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}): ObjectReference {
  const { apiVersion, kind, metadata } = object;
  const { name, namespace } = metadata;
  return { apiVersion, kind, ...(namespace === undefined ? {} : { namespace }), name };
}

/** Returns the name of an object as kubectl prints it: `deployment.apps/sites`. */
export function shownName({ apiVersion, kind, name }: ObjectReference): string {
  const { group } = parseApiVersion(apiVersion);
  return `${kind.toLowerCase()}${group === '' ? '' : `.${group}`}/${name}`;
}

/** Returns a key that objects in different versions of one API have in common. */
export function keyOf({ apiVersion, kind, namespace = '', name }: ObjectReference): string {
  return `${parseApiVersion(apiVersion).group} ${kind} ${namespace}/${name}`;
}

export function isDefinition({ kind }: Pick<ObjectReference, 'kind'>): boolean {
  return kind === 'CustomResourceDefinition';
}

export function isNamespace({ apiVersion, kind }: Pick<ObjectReference, 'apiVersion' | 'kind'>): boolean {
  return apiVersion === 'v1' && kind === 'Namespace';
}

/** Whether the API server calls the operator because of the object. */
export function isWebhookConfiguration({ kind }: Pick<ObjectReference, 'kind'>): boolean {
  return kind === 'ValidatingWebhookConfiguration' || kind === 'MutatingWebhookConfiguration';
}
