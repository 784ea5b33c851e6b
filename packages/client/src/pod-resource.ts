import type { ApiResource } from '@evenkeel/core';

/** What `resourceOf(Pod)` says; loading that class's module would cost every start some milliseconds. */
export const podResource: ApiResource = { group: '', version: 'v1', kind: 'Pod', plural: 'pods', namespaced: true };
