import type { SendOptions } from '../../../test/real-server.fixture.ts';

/** One request of a script. */
export interface ScriptedRequest extends SendOptions {
  readonly method: string;
  readonly path: string;
  /** The real server needs a moment: both servers are asked again until their responses are equal. */
  readonly eventually?: true;
  /** The reason why only the status codes of the responses are compared. Default: the whole responses are. */
  readonly statusOnly?: string;
}

/** Requests that are sent one after the other, in a separate namespace. */
export interface RequestScript {
  readonly title: string;
  readonly requests: readonly ScriptedRequest[];
}

type Options = Omit<ScriptedRequest, 'method' | 'path'>;

const withBody =
  (method: string, more: Options = {}) =>
  (path: string, body: unknown, options: Options = {}): ScriptedRequest => ({
    method,
    path,
    body,
    ...more,
    ...options,
  });
export const patchWith = (contentType: string) => withBody('PATCH', { contentType });

export const get = (path: string, options: Options = {}): ScriptedRequest => ({ method: 'GET', path, ...options });
export const remove = (path: string, options: Options = {}): ScriptedRequest => ({
  method: 'DELETE',
  path,
  ...options,
});
export const post = withBody('POST');
export const put = withBody('PUT');
export const merge = patchWith('application/merge-patch+json');
export const json = patchWith('application/json-patch+json');
export const strategic = patchWith('application/strategic-merge-patch+json');
export const apply = patchWith('application/apply-patch+yaml');

export const asTable = 'application/json;as=Table;v=v1;g=meta.k8s.io';
export const asPartial = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
export const asPartialList = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';

export const namespaces = '/api/v1/namespaces';
export const namespaceOf = (name: string): string => `${namespaces}/${name}`;
export const begin = (name: string): ScriptedRequest => post(namespaces, { metadata: { name } });

export const deployment = (name: string, spec: object = {}): object => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: {
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'main', image: 'nginx:1.29' }] } },
    ...spec,
  },
});

export const maps = (namespace: string): string => `${namespaceOf(namespace)}/configmaps`;
export const deployments = (namespace: string): string => `/apis/apps/v1/namespaces/${namespace}/deployments`;
