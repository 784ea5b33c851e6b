import { parseApiVersion } from './api-resource.ts';

/** Group, version and kind, which together name a type of object. */
export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** The group, version and kind an object says it is of. */
export function groupVersionKindOf(object: { apiVersion: string; kind: string }): GroupVersionKind {
  return { ...parseApiVersion(object.apiVersion), kind: object.kind };
}

/** `apps/v1, Kind=Deployment`, as Kubernetes writes it. */
export function formatGroupVersionKind(gvk: GroupVersionKind): string {
  return `${gvk.group === '' ? '' : `${gvk.group}/`}${gvk.version}, Kind=${gvk.kind}`;
}
