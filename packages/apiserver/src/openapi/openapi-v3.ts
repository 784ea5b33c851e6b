import { reachableSchemas, type SchemaSource } from '../customresource/reachable-schemas.ts';
import type { ApiGroupVersion } from '../kind/api-groups.ts';
import { type Operation, operationPrefix, operationsOf, type Parameter, tagOf } from './operation.ts';

const reference = '#/components/schemas/';
const apiResourceList = 'io.k8s.apimachinery.pkg.apis.meta.v1.APIResourceList';

/** `GET /openapi/v3/api/v1`, `GET /openapi/v3/apis/GROUP/VERSION`. */
export function openApiV3Document(
  group: string,
  version: ApiGroupVersion,
  schemaOf: SchemaSource,
  { custom }: { readonly custom: boolean },
): object {
  const paths: Record<string, object> = {};
  if (!custom) {
    const root = group === '' ? `/api/${version.version}/` : `/apis/${group}/${version.version}/`;
    paths[root] = {
      get: {
        tags: [tagOf(group, version.version)],
        description: 'the resources of this group and version',
        operationId: `get${operationPrefix(group, version.version)}APIResources`,
        responses: answers(apiResourceList, [200], { custom, streams: false }),
      },
    };
  }
  const byPath = Map.groupBy(operationsOf(group, version, { custom }), ({ path }) => path);
  for (const path of [...byPath.keys()].sort()) {
    paths[path] = pathItem(byPath.get(path) ?? [], tagOf(group, version.version), custom);
  }
  return documentOf(paths, schemaOf, custom);
}

/** Returns a document of these paths and of the schemas to which they refer. */
export function documentOf(paths: Record<string, object>, schemaOf: SchemaSource, custom = false): object {
  return {
    openapi: '3.0.0',
    info: custom ? { title: 'Kubernetes CRD Swagger', version: 'v0.1.0' } : { title: 'Kubernetes', version: '1.36' },
    paths,
    components: {
      schemas: reachableSchemas(paths, reference, schemaOf),
      securitySchemes: {
        BearerToken: {
          type: 'apiKey',
          description: 'Bearer Token authentication',
          name: 'authorization',
          in: 'header',
        },
      },
    },
  };
}

/** Parameters that all methods of a path share are written once, at the path. */
function pathItem(operations: readonly Operation[], tag: string, custom: boolean): object {
  const shared = sharedParameters(operations);
  const names = new Set(shared.map(({ name }) => name));
  const item: Record<string, unknown> = {};
  for (const operation of operations) {
    const own = operation.parameters.filter(({ name }) => !names.has(name)).sort(byName);
    item[operation.method] = {
      tags: [tag],
      description: describeOperation(operation),
      operationId: operation.operationId,
      ...(own.length === 0 ? {} : { parameters: own.map(parameter) }),
      ...(operation.body === undefined ? {} : { requestBody: requestBody(operation.body, custom) }),
      responses: responsesOf(operation, custom),
      'x-kubernetes-action': operation.action,
      'x-kubernetes-group-version-kind': operation.kind,
    };
  }
  if (shared.length > 0) item['parameters'] = shared.sort(byName).map(parameter);
  return item;
}

export function sharedParameters(operations: readonly Operation[]): Parameter[] {
  const [first, ...others] = operations;
  return (first?.parameters ?? []).filter(({ name }) =>
    others.every(({ parameters }) => parameters.some((other) => other.name === name)),
  );
}

export const byName = (left: Parameter, right: Parameter): number => (left.name < right.name ? -1 : 1);

export function describeOperation({ action, kind }: Operation): string {
  return `${action} ${kind.kind}`;
}

function parameter({ name, in: place, type }: Parameter): object {
  return { name, in: place, ...(place === 'path' ? { required: true } : {}), schema: { type, uniqueItems: true } };
}

const patchTypes = ['application/json-patch+json', 'application/merge-patch+json'];

export function patchContentTypes(custom: boolean): string[] {
  const strategic = custom ? [] : ['application/strategic-merge-patch+json'];
  return [...patchTypes, ...strategic, 'application/apply-patch+yaml'];
}

function requestBody(body: NonNullable<Operation['body']>, custom: boolean): object {
  const types =
    body.patch === true ? patchContentTypes(custom) : custom ? ['application/json', 'application/yaml'] : ['*/*'];
  return { content: contents(types, body.definition), ...(body.required ? { required: true } : {}) };
}

function contents(types: readonly string[], definition: string | undefined): object {
  const schema = definition === undefined ? { type: 'string' } : { $ref: `${reference}${definition}` };
  return Object.fromEntries(types.map((type) => [type, { schema }]));
}

function responsesOf(operation: Operation, custom: boolean): object {
  if (operation.connect)
    return { 200: { description: 'OK', content: contents(['*/*'], undefined) }, 401: unauthorized };
  if (operation.answer === undefined) {
    const types = ['application/json', 'application/vnd.kubernetes.protobuf', 'application/yaml', 'text/plain'];
    return { 200: { description: 'OK', content: contents(types, undefined) }, 401: unauthorized };
  }
  return answers(operation.answer, operation.statuses, { custom, streams: operation.streams });
}

const descriptions = { 200: 'OK', 201: 'Created', 202: 'Accepted' } as const;
const unauthorized = { description: 'Unauthorized' };

function answers(
  definition: string,
  statuses: readonly (200 | 201 | 202)[],
  { custom, streams }: { custom: boolean; streams: boolean },
): object {
  const types = custom
    ? ['application/json', 'application/yaml']
    : [
        'application/json',
        ...(streams ? ['application/json;stream=watch'] : []),
        'application/vnd.kubernetes.protobuf',
        ...(streams ? ['application/vnd.kubernetes.protobuf;stream=watch'] : []),
        'application/yaml',
      ];
  return Object.fromEntries([
    ...statuses.map((status) => [status, { description: descriptions[status], content: contents(types, definition) }]),
    [401, unauthorized],
  ]);
}
