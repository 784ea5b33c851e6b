import type { ApiResource } from '@evenkeel/core';

/** `Site.web.example.com`: the same for all versions of a kind. */
export function kindKey({ kind, group }: Pick<ApiResource, 'kind' | 'group'>): string {
  return `${kind}.${group}`;
}
