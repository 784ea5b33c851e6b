import { reachableSchemas, type SchemaSource } from '../customresource/reachable-schemas.ts';
import type { ApiGroup } from '../kind/api-groups.ts';
import { byName, describeOperation, patchContentTypes, sharedParameters } from './openapi-v3.ts';
import { type Operation, operationPrefix, operationsOf, type Parameter, tagOf } from './operation.ts';

const reference = '#/definitions/';

/**
 * `GET /openapi/v2`: one document for all groups. `definitions` finds the schemas. `customGroups`: the groups of custom
 * resources.
 */
export function openApiV2Document(
  groups: readonly ApiGroup[],
  definitions: SchemaSource,
  customGroups: readonly string[],
): object {
  const paths = discoveryPaths(groups, customGroups);
  for (const { name, versions } of groups) {
    const custom = customGroups.includes(name);
    for (const version of versions) {
      const tag = tagOf(name, version.version);
      const byPath = Map.groupBy(operationsOf(name, version, { custom }), ({ path }) => path);
      for (const [path, operations] of byPath) paths.push([path, pathItem(operations, tag, custom)]);
    }
  }
  const sorted = Object.fromEntries(paths.sort(([left], [right]) => (left < right ? -1 : 1)));
  return {
    swagger: '2.0',
    info: { title: 'Kubernetes', version: '1.36' },
    paths: sorted,
    definitions: reachableSchemas(sorted, reference, definitions),
    securityDefinitions: {
      BearerToken: { type: 'apiKey', description: 'Bearer Token authentication', name: 'authorization', in: 'header' },
    },
    security: [{ BearerToken: [] }],
  };
}

/** The discovery paths. */
function discoveryPaths(groups: readonly ApiGroup[], customGroups: readonly string[]): [string, object][] {
  const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';
  const paths: [string, object][] = [
    ['/api/', discoveryPath('core', 'getCoreAPIVersions', `${meta}.APIVersions`)],
    ['/apis/', discoveryPath('apis', 'getAPIVersions', `${meta}.APIGroupList`)],
    [
      '/version/',
      discoveryPath('version', 'getCodeVersion', 'io.k8s.apimachinery.pkg.version.Info', ['application/json']),
    ],
  ];
  for (const { name, versions } of groups) {
    if (customGroups.includes(name)) continue;
    const root = name === '' ? '/api/' : `/apis/${name}/`;
    if (name !== '') {
      paths.push([root, discoveryPath(tagOf(name), `get${operationPrefix(name, '')}APIGroup`, `${meta}.APIGroup`)]);
    }
    for (const { version } of versions) {
      const operationId = `get${operationPrefix(name, version)}APIResources`;
      paths.push([`${root}${version}/`, discoveryPath(tagOf(name, version), operationId, `${meta}.APIResourceList`)]);
    }
  }
  return paths;
}

function discoveryPath(tag: string, operationId: string, answer: string, types = objectTypes): object {
  return {
    get: {
      description: 'what the server offers',
      consumes: types,
      produces: types,
      schemes: ['https'],
      tags: [tag],
      operationId,
      responses: { 200: { description: 'OK', schema: ref(answer) }, 401: { description: 'Unauthorized' } },
    },
  };
}

const objectTypes = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];
const customTypes = ['application/json', 'application/yaml'];

function pathItem(operations: readonly Operation[], tag: string, custom: boolean): object {
  const shared = sharedParameters(operations);
  const names = new Set(shared.map(({ name }) => name));
  const item: Record<string, unknown> = {};
  for (const operation of operations) {
    const own = operation.parameters.filter(({ name }) => !names.has(name)).sort(byName);
    const body = operation.body;
    const parameters = [
      ...(body === undefined
        ? []
        : [{ name: 'body', in: 'body', ...(body.required ? { required: true } : {}), schema: ref(body.definition) }]),
      ...own.map(parameter),
    ];
    item[operation.method] = {
      description: describeOperation(operation),
      consumes: consumes(operation, custom),
      produces: produces(operation, custom),
      schemes: ['https'],
      tags: [tag],
      operationId: operation.operationId,
      ...(parameters.length === 0 ? {} : { parameters }),
      responses: responses(operation),
      'x-kubernetes-action': operation.action,
      'x-kubernetes-group-version-kind': operation.kind,
    };
  }
  if (shared.length > 0) item['parameters'] = shared.sort(byName).map(parameter);
  return item;
}

function consumes(operation: Operation, custom: boolean): string[] {
  if (operation.body?.patch === true) return patchContentTypes(custom);
  if (custom && operation.body !== undefined) return customTypes;
  return ['*/*'];
}

function produces(operation: Operation, custom: boolean): string[] {
  if (operation.connect) return ['*/*'];
  if (custom) return customTypes;
  if (operation.answer === undefined) return ['text/plain', ...objectTypes];
  return operation.streams
    ? [...objectTypes, 'application/json;stream=watch', 'application/vnd.kubernetes.protobuf;stream=watch']
    : objectTypes;
}

function responses(operation: Operation): object {
  const schema = operation.answer === undefined ? { type: 'string' } : ref(operation.answer);
  const descriptions = { 200: 'OK', 201: 'Created', 202: 'Accepted' } as const;
  return Object.fromEntries([
    ...operation.statuses.map((status) => [status, { description: descriptions[status], schema }]),
    [401, { description: 'Unauthorized' }],
  ]);
}

const ref = (definition: string): object => ({ $ref: `${reference}${definition}` });

function parameter({ name, in: place, type }: Parameter): object {
  return { uniqueItems: true, type, name, in: place, ...(place === 'path' ? { required: true } : {}) };
}
