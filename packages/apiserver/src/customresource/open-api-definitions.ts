import type { Description } from '@evenkeel/kinds/descriptions';
import type { OpenApiSchema } from './reachable-schemas.ts';

/** One version of a custom kind, as OpenAPI publishes it. */
export interface CustomKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly listKind: string;
  readonly plural: string;
  /** The `openAPIV3Schema` of its definition; undefined if there is none. */
  readonly schema: OpenApiSchema | undefined;
  /** Paths of selectable fields, as in the definition. */
  readonly selectableFields: readonly string[];
}

/** The descriptions of a built-in kind and of its list, whose common members are those of custom kinds. */
export interface CommonDescriptions {
  readonly object: Description;
  readonly list: Description;
}

const conventions = 'https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md';

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';

/** `com.example.stable.v1.CronTab`: the group reversed, then version and kind. */
export function customDefinitionName(kind: Pick<CustomKind, 'group' | 'version'>, name: string): string {
  return `${kind.group.split('.').reverse().join('.')}.${kind.version}.${name}`;
}

/** Returns the two definitions of a custom kind, object and list, for either version of OpenAPI. */
export function customDefinitions(
  kind: CustomKind,
  openApi: 2 | 3,
  common: CommonDescriptions,
): Map<string, OpenApiSchema> {
  const described = ({ properties }: Description, name: string): object => ({ description: properties.get(name) });
  const reference = (name: string, from: Description): OpenApiSchema => ({
    ...described(from, 'metadata'),
    ...(openApi === 3 ? { allOf: [{ $ref: `#/components/schemas/${name}` }] } : { $ref: `#/definitions/${name}` }),
  });
  const item = openApi === 3 ? '#/components/schemas/' : '#/definitions/';
  const objectName = customDefinitionName(kind, kind.kind);
  const selectable =
    kind.selectableFields.length === 0
      ? {}
      : {
          'x-kubernetes-selectable-fields': kind.selectableFields.map((path) => ({
            fieldPath: path.replace(/^\./, ''),
          })),
        };
  const extensions = (objectKind: string): OpenApiSchema => ({
    'x-kubernetes-group-version-kind': [{ group: kind.group, kind: objectKind, version: kind.version }],
    ...selectable,
  });
  const typeMeta = {
    apiVersion: { ...described(common.object, 'apiVersion'), type: 'string' },
    kind: { ...described(common.object, 'kind'), type: 'string' },
  };
  const metadata = reference(`${meta}.ObjectMeta`, common.object);
  const schema = published(kind.schema ?? freeForm, openApi, metadata);
  const properties = isSchema(schema['properties']) ? schema['properties'] : {};
  // Version 2 cannot express that other members are allowed, so it publishes nothing about members.
  const isOpen = openApi === 2 && schema['x-kubernetes-preserve-unknown-fields'] === true;
  const object: OpenApiSchema = {
    ...(isOpen ? { type: 'object' } : { ...schema, properties: { ...properties, ...typeMeta, metadata } }),
    ...extensions(kind.kind),
  };
  const list: OpenApiSchema = {
    description: `${kind.listKind} is a list of ${kind.kind}`,
    type: 'object',
    required: ['items'],
    properties: {
      ...typeMeta,
      items: {
        description: `List of ${kind.plural}. More info: ${conventions}`,
        type: 'array',
        items: { $ref: `${item}${objectName}` },
      },
      metadata: reference(`${meta}.ListMeta`, common.list),
    },
    ...extensions(kind.listKind),
  };
  return new Map([
    [objectName, object],
    [customDefinitionName(kind, `${kind.kind}List`), list],
  ]);
}

const freeForm: OpenApiSchema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

/** Returns a schema as the server publishes it. The root of a kind is no embedded resource. */
function published(schema: OpenApiSchema, openApi: 2 | 3, metadata: OpenApiSchema): OpenApiSchema {
  const publish = (node: OpenApiSchema): OpenApiSchema => {
    const own = openApi === 2 ? asVersion2(node) : withTypes(node);
    const isOpen = openApi === 2 && own['x-kubernetes-preserve-unknown-fields'] === true;
    const embedded = own['x-kubernetes-embedded-resource'] === true && !isOpen;
    const { properties, items, additionalProperties } = own;
    return {
      ...own,
      ...((isSchema(properties) || embedded) && {
        properties: {
          ...Object.fromEntries(
            Object.entries(isSchema(properties) ? properties : {}).map(([name, property]) => [
              name,
              publish(property as OpenApiSchema),
            ]),
          ),
          ...(embedded && { ...embeddedType, metadata }),
        },
      }),
      ...(embedded && { required: [...new Set([...requiredOf(own), 'kind', 'apiVersion'])] }),
      ...(isSchema(items) && { items: publish(items) }),
      ...(isSchema(additionalProperties) && { additionalProperties: publish(additionalProperties) }),
    };
  };
  return publish(schema);
}

const embeddedType = {
  apiVersion: {
    description: `apiVersion defines the versioned schema of this representation of an object. More info: ${conventions}#resources`,
    type: 'string',
  },
  kind: {
    description: `kind is a string value representing the type of this object. In CamelCase. More info: ${conventions}#types-kinds`,
    type: 'string',
  },
};

/** States the types of an int or string. */
function withTypes(node: OpenApiSchema): OpenApiSchema {
  const isStated = node['anyOf'] !== undefined || node['allOf'] !== undefined;
  if (node['x-kubernetes-int-or-string'] !== true || isStated) return node;
  return { ...node, anyOf: [{ type: 'integer' }, { type: 'string' }] };
}

/**
 * Converts a node to OpenAPI 2: drops what version 2 cannot express, and the type of a node that preserves unknown
 * fields (`ToStructuralOpenAPIV2`).
 */
function asVersion2(node: OpenApiSchema): OpenApiSchema {
  const { allOf: _a, anyOf: _b, oneOf: _c, not: _d, nullable, default: _e, required: _r, ...rest } = node;
  if (rest['x-kubernetes-preserve-unknown-fields'] === true || nullable === true) {
    const { type: _t, properties: _p, items: _i, additionalProperties: _x, ...loose } = rest;
    return loose;
  }
  const { properties } = rest;
  const isNullable = (name: string): boolean => {
    const property = isSchema(properties) ? properties[name] : undefined;
    return isSchema(property) && property['nullable'] === true;
  };
  const required = requiredOf(node).filter((name) => !isNullable(name));
  return { ...rest, ...(required.length > 0 && { required }) };
}

const requiredOf = ({ required }: OpenApiSchema): readonly string[] =>
  Array.isArray(required) ? (required as readonly string[]) : [];

function isSchema(value: unknown): value is OpenApiSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
