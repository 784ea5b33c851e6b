import {
  type ApiResource,
  apiVersionOf,
  EvenkeelError,
  groupResourceOf,
  ObjectKey,
  type TransportRequest,
} from '@evenkeel/core';

/** What a request does, in the words of RBAC. */
export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'apply' | 'delete' | 'deletecollection';

/** A request in Kubernetes' terms. Pure data: what it becomes on the wire follows from it alone. */
export interface ApiRequest {
  readonly verb: Verb;
  readonly resource: ApiResource;
  /** Absent for cluster-scoped kinds, and for a list or watch of all namespaces. */
  readonly namespace?: string | undefined;
  /** Absent for collections, and for the create of an object that the server names. */
  readonly name?: string | undefined;
  readonly subresource?: string | undefined;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly accept?: string;
  readonly contentType?: string;
  readonly body?: string;
  readonly signal?: AbortSignal | undefined;
  /** False: the caller does its own retrying. Default true: see `ClientOptions`. */
  readonly retry?: boolean;
  /** As {@link TransportRequest.beforeSend}, at each sending. */
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

export function methodOf(verb: Verb): (typeof methods)[Verb] {
  return methods[verb];
}

/** Whether a request leaves everything on the server as it was. */
export function isRead(verb: Verb): boolean {
  return verb === 'get' || verb === 'list' || verb === 'watch';
}

/** Whether a write is only tried: the server checks it as any other and keeps nothing of it. */
export function isDryRun({ verb, query, body }: ApiRequest): boolean {
  if (verb !== 'delete' && verb !== 'deletecollection') return query?.['dryRun'] === 'All';
  // The options of a deletion are its body.
  const options = JSON.parse(body ?? '{}') as { readonly dryRun?: readonly unknown[] };
  return options.dryRun !== undefined && options.dryRun.length > 0;
}

/**
 * Path and query of a request: `/apis/apps/v1/namespaces/default/deployments/web/status?dryRun=All`.
 *
 * Throws `invalid-option` where a name is missing, which would turn the delete of one object into the delete of all, or
 * where one would lead to another path; names may come from somebody's object. client-go refuses the same
 * (`rest.IsValidPathSegmentName`).
 */
export function pathOf(request: ApiRequest): string {
  checkNames(request);
  const { resource, namespace, name, subresource, verb } = request;
  const segments = [resource.group === '' ? 'api' : 'apis', apiVersionOf(resource)];
  if (resource.namespaced && namespace !== undefined) segments.push('namespaces', encodeURIComponent(namespace));
  segments.push(resource.plural);
  // The server names a created object by its body; a subresource hangs below a named one.
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
  const refuse = (why: string): never => {
    throw new EvenkeelError('invalid-option', `${describeRequest(request)}: ${why}`);
  };
  if (resource.namespaced && namespace === undefined && isOfOne) {
    refuse(`${resource.kind} is namespaced; name the object as 'namespace/name'`);
  }
  if (isOfOne && name === undefined && (verb !== 'create' || subresource !== undefined)) {
    refuse('it names no object; give its name');
  }
  for (const segment of [namespace, name]) {
    if (segment === '' || segment === '.' || segment === '..') {
      refuse(`${JSON.stringify(segment)} is no name; give the name of an object that can exist`);
    }
  }
}

/** What was asked for, for messages: `update deployments.apps/status default/web`. */
export function describeRequest(request: ApiRequest): string {
  const { verb, resource, namespace, name, subresource } = request;
  const what = `${verb} ${groupResourceOf(resource)}${subresource === undefined ? '' : `/${subresource}`}`;
  if (name !== undefined) return `${what} ${new ObjectKey(name, namespace)}`;
  return namespace === undefined ? what : `${what} in ${namespace}`;
}
