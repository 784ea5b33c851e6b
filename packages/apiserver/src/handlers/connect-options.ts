import { apiVersionOf } from '@evenkeel/core';
import { type SchemaNode, schemaDefinition } from '@evenkeel/kinds/schemas';
import { goIntegerError, type JsonObject } from '../apimachinery/index.ts';
import type { ApiObject } from '../kind/api-object.ts';
import type { ConnectSubresource } from '../kind/subresource.ts';
import { isTrue, type RequestInfo } from '../request/request-info.ts';
import { badRequest } from '../status/refusal.ts';

/** The parameters that are lists. Their description in discovery does not say so. */
const lists: ReadonlySet<string> = new Set(['command', 'ports']);
/** The lists that are written even if they are empty: `command` has no `omitempty`. */
const required: ReadonlySet<string> = new Set(['command']);

/** The options in the query of a request, as JSON. Throws 400 for an invalid port. */
export function connectOptionsOf(
  { kind, parameters }: ConnectSubresource,
  query: URLSearchParams,
  info: RequestInfo,
): JsonObject {
  const options: JsonObject = { kind: kind.kind, apiVersion: apiVersionOf(kind) };
  for (const [name, type] of Object.entries(parameters)) {
    const values = name === 'path' ? [pathOf(info)] : query.getAll(name);
    const [first] = values;
    if (first === undefined) continue;
    if (type === 'boolean') options[name] = isTrue(first);
    else if (type === 'integer') options[name] = values.flatMap((value) => value.split(',')).map(portOf);
    else options[name] = lists.has(name) ? values : first;
  }
  return options;
}

/** The path behind `proxy`, with a slash at both ends if the request has one there. */
function pathOf({ rest, path }: RequestInfo): string {
  const from = rest === '' ? '' : `/${rest}`;
  return path.endsWith('/') && !from.endsWith('/') ? `${from}/` : from;
}

const largestPort = 65_535;

function portOf(text: string): number {
  const port = /^\d+$/.test(text) ? Number(text) : undefined;
  if (port !== undefined && port <= largestPort) return port;
  throw badRequest(`cannot convert to []int32: ${goIntegerError('ParseUint', text)}`);
}

/** The schema of the options, to decode those that a webhook has changed. The OpenAPI documents do not have it. */
export function connectOptionsSchema({ kind, parameters }: ConnectSubresource): SchemaNode {
  const properties = Object.entries(parameters).map(([name, type]): [string, SchemaNode] => [
    name,
    lists.has(name) ? { type: 'array', items: { type } } : { type },
  ]);
  return {
    [schemaDefinition]: `io.k8s.api.core.${kind.version}.${kind.kind}`,
    type: 'object',
    properties: { kind: { type: 'string' }, apiVersion: { type: 'string' }, ...Object.fromEntries(properties) },
    required: Object.keys(parameters).filter((name) => required.has(name)),
  };
}

/** The options as Go writes them. */
export function withoutZeroValues(options: ApiObject): ApiObject {
  const members = Object.entries(options).filter(([, value]) => value !== false && value !== '');
  return Object.fromEntries(members) as unknown as ApiObject;
}
