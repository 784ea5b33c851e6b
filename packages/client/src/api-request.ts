import {
  type ApiResource,
  apiVersionOf,
  EvenkeelError,
  groupResourceOf,
  ObjectKey,
  type TransportRequest,
} from '@evenkeel/core';

/** The verb of a request, as in RBAC. */
export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'apply' | 'delete' | 'deletecollection';

/** A request in Kubernetes' terms. The HTTP request depends only on this data. */
export interface ApiRequest {
  readonly verb: Verb;
  readonly resource: ApiResource;
  /** Absent for cluster-scoped kinds, and for a list or watch of all namespaces. */
  readonly namespace?: string | undefined;
  /** Absent for collections, and for the creation of an object that the server names. */
  readonly name?: string | undefined;
  readonly subresource?: string | undefined;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly accept?: string;
  readonly contentType?: string;
  readonly body?: string;
  readonly signal?: AbortSignal | undefined;
  /** If false, the client does not retry the request. Default: true; see `ClientOptions`. */
  readonly retry?: boolean;
  /** As {@link TransportRequest.beforeSend}; called for each attempt. */
  readonly beforeSend?: TransportRequest['beforeSend'] | undefined;
}

const methods = {
  get: 'GET',
  list: 'GET',
  watch: 'GET',
  create: 'POST',
  update: 'PUT',
  patch: 'PATCH',
  apply: 'PATCH',
  delete: 'DELETE',
  deletecollection: 'DELETE',
} as const satisfies Record<Verb, string>;

/** Returns the HTTP method of a verb. */
export function methodOf(verb: Verb): (typeof methods)[Verb] {
  return methods[verb];
}

/** Whether a request changes nothing on the server. */
export function isRead(verb: Verb): boolean {
  return verb === 'get' || verb === 'list' || verb === 'watch';
}

/** Whether a write is a dry run: the server checks it and stores nothing. */
export function isDryRun({ verb, query, body }: ApiRequest): boolean {
  if (verb !== 'delete' && verb !== 'deletecollection') return query?.['dryRun'] === 'All';
  // The options of a deletion are its body.
  const options = JSON.parse(body ?? '{}') as { readonly dryRun?: readonly unknown[] };
  return options.dryRun !== undefined && options.dryRun.length > 0;
}

/**
 * Returns the path and query of a request: `/apis/apps/v1/namespaces/default/deployments/web/status?dryRun=All`.
 *
 * Throws `invalid-option` if a name is missing, because the delete of one object would become the delete of all; and if
 * a name would lead to another path, because names may come from objects of other users. client-go rejects the same
 * names (`rest.IsValidPathSegmentName`).
 */
export function pathOf(request: ApiRequest): string {
  checkNames(request);
  const { resource, namespace, name, subresource, verb } = request;
  const segments = [resource.group === '' ? 'api' : 'apis', apiVersionOf(resource)];
  if (resource.namespaced && namespace !== undefined) segments.push('namespaces', encodeURIComponent(namespace));
  // Without a plural, the request is for the discovery of the group and version.
  if (resource.plural !== '') segments.push(resource.plural);
  // For a create, the name is in the body. A subresource is below the path of an object.
  if (name !== undefined && (verb !== 'create' || subresource !== undefined)) segments.push(encodeURIComponent(name));
  if (subresource !== undefined) segments.push(subresource);
  let query = '';
  for (const [parameter, value] of Object.entries(request.query ?? {})) {
    if (value === undefined) continue;
    query += `${query === '' ? '?' : '&'}${encodeURIComponent(parameter)}=${encodeURIComponent(String(value).toWellFormed())}`;
  }
  return `/${segments.join('/')}${query}`;
}

function checkNames(request: ApiRequest): void {
  const { resource, namespace, name, verb, subresource } = request;
  const isOfOne = !(verb === 'list' || verb === 'watch' || verb === 'deletecollection');
  const reject = (why: string): never => {
    throw new EvenkeelError('invalid-option', `${describeRequest(request)}: ${why}`);
  };
  if (resource.namespaced && namespace === undefined && isOfOne) {
    reject(`${resource.kind} is namespaced; pass the key as 'namespace/name'`);
  }
  if (isOfOne && name === undefined && (verb !== 'create' || subresource !== undefined)) {
    reject('the name of the object is missing; pass its name');
  }
  for (const segment of [namespace, name]) {
    if (segment === '' || segment === '.' || segment === '..') {
      reject(`${JSON.stringify(segment)} is not a valid object name; pass the name of an object`);
    }
  }
}

/** Describes a request for messages: `update deployments.apps/status default/web`. */
export function describeRequest(request: ApiRequest): string {
  const { verb, resource, namespace, name, subresource } = request;
  if (resource.plural === '') return `discovery of ${apiVersionOf(resource)}`;
  const what = `${verb} ${groupResourceOf(resource)}${subresource === undefined ? '' : `/${subresource}`}`;
  if (name !== undefined) return `${what} ${new ObjectKey(name, namespace)}`;
  return namespace === undefined ? what : `${what} in ${namespace}`;
}
