import type { BuiltinGroup } from '@evenkeel/kinds/discovery';

/**
 * What one server serves, in discovery's order: group by group, the core group first, versions by preference. Built-in
 * and custom resources are described alike.
 */
export type ApiGroup = BuiltinGroup;
export type ApiGroupVersion = ApiGroup['versions'][number];
export type ServedResource = ApiGroupVersion['resources'][number];

/** `v1`, `apps/v1`. */
export function groupVersionText(group: string, version: string): string {
  return group === '' ? version : `${group}/${version}`;
}
