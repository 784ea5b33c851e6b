import { parseApiVersion } from './api-resource.ts';

/** Group, version and kind, which together identify a type of object. */
export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** Returns the group, version and kind from an object's `apiVersion` and `kind`. */
export function groupVersionKindOf(object: { apiVersion: string; kind: string }): GroupVersionKind {
  return { ...parseApiVersion(object.apiVersion), kind: object.kind };
}

/** Returns `apps/v1, Kind=Deployment`, Kubernetes' own format. */
export function formatGroupVersionKind(gvk: GroupVersionKind): string {
  return `${gvk.group === '' ? '' : `${gvk.group}/`}${gvk.version}, Kind=${gvk.kind}`;
}
