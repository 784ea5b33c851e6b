import type { OpenApiSchema } from './reachable-schemas.ts';

/** One version of a custom kind, as OpenAPI publishes it. */
export interface CustomKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly listKind: string;
  readonly plural: string;
  /** The `openAPIV3Schema` of its definition; undefined where that has none. */
  readonly schema: OpenApiSchema | undefined;
  /** Paths of selectable fields, as the definition writes them. */
  readonly selectableFields: readonly string[];
}

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';

/** `com.example.stable.v1.CronTab`: the group reversed, then version and kind. */
export function customDefinitionName(kind: Pick<CustomKind, 'group' | 'version'>, name: string): string {
  return `${kind.group.split('.').reverse().join('.')}.${kind.version}.${name}`;
}

/** The two definitions of a custom kind, object and list, for either version of OpenAPI. */
export function customDefinitions(kind: CustomKind, openApi: 2 | 3): Map<string, OpenApiSchema> {
  const reference = (name: string, description: string): OpenApiSchema =>
    openApi === 3
      ? { description, allOf: [{ $ref: `#/components/schemas/${name}` }] }
      : { description, $ref: `#/definitions/${name}` };
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
  const common = (objectKind: string): OpenApiSchema => ({
    'x-kubernetes-group-version-kind': [{ group: kind.group, kind: objectKind, version: kind.version }],
    ...selectable,
  });
  const typeMeta = {
    apiVersion: { description: 'Group and version of the schema this object is written in.', type: 'string' },
    kind: { description: 'The kind of the object, in CamelCase.', type: 'string' },
  };
  const schema = openApi === 3 ? (kind.schema ?? freeForm) : asVersion2(kind.schema ?? freeForm);
  const properties = isSchema(schema['properties']) ? schema['properties'] : {};
  const embedded = kind.schema === undefined || schema['x-kubernetes-preserve-unknown-fields'] === true;
  const object: OpenApiSchema = {
    ...schema,
    ...(embedded && Object.keys(properties).length === 0 && openApi === 2
      ? {}
      : {
          properties: {
            ...properties,
            ...typeMeta,
            metadata: reference(
              `${meta}.ObjectMeta`,
              "The object's name, labels, annotations and what the server keeps.",
            ),
          },
        }),
    ...common(kind.kind),
  };
  const list: OpenApiSchema = {
    description: `A list of ${kind.kind}.`,
    type: 'object',
    required: ['items'],
    properties: {
      ...typeMeta,
      items: { description: `The ${kind.plural}.`, type: 'array', items: { $ref: `${item}${objectName}` } },
      metadata: reference(`${meta}.ListMeta`, 'What the server says of the list.'),
    },
    ...common(kind.listKind),
  };
  return new Map([
    [objectName, object],
    [customDefinitionName(kind, `${kind.kind}List`), list],
  ]);
}

const freeForm: OpenApiSchema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

/** What version 2 cannot say is left out, and a node that keeps unknown fields loses its type (`ToStructuralOpenAPIV2`). */
function asVersion2(schema: OpenApiSchema): OpenApiSchema {
  const { allOf: _a, anyOf: _b, oneOf: _c, not: _d, nullable, default: _e, ...rest } = schema;
  if (rest['x-kubernetes-preserve-unknown-fields'] === true || nullable === true) {
    const { type: _t, properties: _p, items: _i, additionalProperties: _x, ...loose } = rest;
    return loose;
  }
  return {
    ...rest,
    ...(isSchema(rest['properties'])
      ? {
          properties: Object.fromEntries(
            Object.entries(rest['properties']).map(([name, property]) => [name, asVersion2(property as OpenApiSchema)]),
          ),
        }
      : {}),
    ...(isSchema(rest['items']) ? { items: asVersion2(rest['items']) } : {}),
    ...(isSchema(rest['additionalProperties'])
      ? { additionalProperties: asVersion2(rest['additionalProperties']) }
      : {}),
  };
}

function isSchema(value: unknown): value is OpenApiSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
