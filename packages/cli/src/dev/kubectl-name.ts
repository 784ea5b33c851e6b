import type { ApiResource } from '@evenkeel/core';
import { builtinGroups } from '@evenkeel/kinds/discovery';

/**
 * How to name a resource to kubectl: by its plural, and with its group where one of Kubernetes' own has that plural too, which
 * kubectl would take.
 */
export function kubectlName({ group, plural }: Pick<ApiResource, 'group' | 'plural'>): string {
  const isTaken = builtinGroups.some(
    ({ name, versions }) =>
      name !== group && versions.some(({ resources }) => resources.some(({ resource }) => resource === plural)),
  );
  return isTaken ? `${plural}.${group}` : plural;
}
