import type { ApiResource } from '@evenkeel/core';
import { builtinGroups } from '@evenkeel/kinds/discovery';

/**
 * Returns the name of a resource for kubectl: its plural, with the group if a built-in resource has the same plural,
 * because kubectl would choose the built-in one.
 */
export function kubectlName({ group, plural }: Pick<ApiResource, 'group' | 'plural'>): string {
  const isTaken = builtinGroups.some(
    ({ name, versions }) =>
      name !== group && versions.some(({ resources }) => resources.some(({ resource }) => resource === plural)),
  );
  return isTaken ? `${plural}.${group}` : plural;
}
