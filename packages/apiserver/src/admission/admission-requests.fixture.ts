import type { SendOptions } from '../../../../test/real-server.fixture.ts';

export type TestedRequest = readonly [method: string, path: string, body?: object, options?: SendOptions];

/** The paths and the content types of the requests that webhooks and policies review. */
export const core = '/api/v1/namespaces/default';
export const maps = `${core}/configmaps`;
export const deployments = '/apis/apps/v1/namespaces/default/deployments';
export const applyType = 'application/apply-patch+yaml';
export const mergeType = 'application/merge-patch+json';

export const map = (name: string, members: object = {}, metadata: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...metadata },
  ...members,
});

export const rule = (resource: string, ...operations: readonly string[]): object => ({
  operations: operations.length === 0 ? ['CREATE'] : operations,
  apiGroups: ['*'],
  apiVersions: ['*'],
  resources: [resource],
});
