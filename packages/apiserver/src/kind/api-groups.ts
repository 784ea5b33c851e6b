import type { BuiltinGroup } from '@evenkeel/kinds/discovery';

/**
 * The groups that a server serves, in discovery's order: the core group first, the versions of a group by preference.
 * Built-in and custom resources have the same description.
 */
export type ApiGroup = BuiltinGroup;
export type ApiGroupVersion = ApiGroup['versions'][number];
export type ServedResource = ApiGroupVersion['resources'][number];

/** `v1`, `apps/v1`. */
export function groupVersionText(group: string, version: string): string {
  return group === '' ? version : `${group}/${version}`;
}
