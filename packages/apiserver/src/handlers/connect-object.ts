import type { JsonObject } from '../apimachinery/index.ts';
import type { ApiObject } from '../kind/api-object.ts';
import type { ConnectSubresource } from '../kind/subresource.ts';
import type { ApiResponse } from '../request/api-request.ts';
import { badRequest, forbidden, methodNotAllowed, pathNotFound } from '../status/refusal.ts';
import { decodeAs } from './body-type.ts';
import { connectOptionsOf, connectOptionsSchema, withoutZeroValues } from './connect-options.ts';
import type { ResourceRequest } from './server-resources.ts';
import { writeRequestOf } from './write-objects.ts';

/**
 * Handles a request to `exec`, `attach`, `portforward` or `proxy` up to the connection, which fails: nothing runs in an embedded
 * cluster.
 *
 * Source: `ConnectResource` of apiserver `pkg/endpoints/handlers/rest.go`.
 */
export async function connectToObject(resource: ResourceRequest, rules: ConnectSubresource): Promise<ApiResponse> {
  const { context, server, kind } = resource;
  const { info, query } = context;
  const isProxy = rules.parameters['path'] !== undefined;
  if (!isProxy && info.rest !== '') throw pathNotFound();
  if (!methodsOf(isProxy).includes(info.method)) throw methodNotAllowed();
  if (query.has('dryRun')) throw badRequest('dryRun is not supported');
  const schema = connectOptionsSchema(rules);
  const decode = (json: JsonObject): ApiObject =>
    withoutZeroValues(decodeAs(rules.kind, schema, json, server.catalog).object);
  const options = decode(connectOptionsOf(rules, query, info));
  const write = writeRequestOf(resource, { dryRun: false, fieldManager: '' }, info.name);
  const admitted = await server.registry.admitConnection(write, options, decode);
  if (!isProxy) requireCreate(resource);
  const { failConnection } = await import('./connection-failure.ts');
  return failConnection(admitted, {
    store: server.store,
    namespace: kind.names.namespaced ? info.namespace : '',
    id: info.name,
    isUpgrade: /upgrade/i.test(context.headers['connection'] ?? ''),
  });
}

function methodsOf(isProxy: boolean): readonly string[] {
  return isProxy ? ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] : ['GET', 'POST'];
}

/**
 * Browsers open a WebSocket with a GET. It runs a command like a POST, so it needs the same permission.
 *
 * Source: `ensureAuthorizedForVerb` of kube-apiserver `pkg/registry/core/pod/rest/subresources.go`.
 */
function requireCreate({ context, authorizer, kind }: ResourceRequest): void {
  if (context.info.method === 'POST') return;
  const { allowed, reason } = authorizer.authorize({ ...context.info, user: context.user, verb: 'create' });
  if (!allowed) throw forbidden(kind.names, context.info.name, reason);
}
