import type { ApiResource } from '@evenkeel/core';

/** The result of `resourceOf(Pod)`. Loading the module of that class would slow every start by some milliseconds. */
export const podResource: ApiResource = { group: '', version: 'v1', kind: 'Pod', plural: 'pods', namespaced: true };
