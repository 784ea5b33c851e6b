import { type SchemaNode, schemaOf } from '@evenkeel/kinds/schemas';

const text: SchemaNode = { type: 'string' };

const rootOf = (nested: Partial<SchemaNode>): SchemaNode => ({
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        count: { type: 'integer' },
        ratio: { type: 'number' },
        on: { type: 'boolean' },
        title: text,
        maybe: { type: 'string', nullable: true },
        target: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
        parts: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          items: {
            type: 'object',
            required: ['name'],
            properties: {
              name: text,
              image: text,
              args: { type: 'array', items: text },
              ports: {
                type: 'array',
                'x-kubernetes-list-type': 'map',
                'x-kubernetes-list-map-keys': ['port', 'protocol'],
                items: {
                  type: 'object',
                  required: ['port'],
                  properties: {
                    port: { type: 'integer' },
                    protocol: { type: 'string', default: 'TCP' },
                    alias: text,
                  },
                },
              },
            },
          },
        },
        tags: { type: 'array', 'x-kubernetes-list-type': 'set', items: text },
        numbers: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'integer' } },
        list: { type: 'array', items: text },
        atomic: {
          type: 'object',
          'x-kubernetes-map-type': 'atomic',
          properties: { a: text, b: text },
        },
        labels: { type: 'object', additionalProperties: text },
        nested: {
          ...nested,
          type: 'object',
          properties: { a: text, b: text, deep: { type: 'object', properties: { c: text, d: text } } },
        },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        partly: {
          type: 'object',
          'x-kubernetes-preserve-unknown-fields': true,
          properties: { known: text },
        },
        embedded: {
          type: 'object',
          'x-kubernetes-embedded-resource': true,
          'x-kubernetes-preserve-unknown-fields': true,
        },
      },
    },
    status: {
      type: 'object',
      properties: {
        ready: { type: 'integer' },
        conditions: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['type'],
          items: { type: 'object', required: ['type'], properties: { type: text, status: text } },
        },
      },
    },
  },
});

const roots = { v1: rootOf({}), v2: rootOf({ 'x-kubernetes-map-type': 'atomic' }) };

/**
 * A custom resource with all forms of ownership: granular, atomic, sets, list maps, free-form. `nested` is atomic in
 * v2.
 */
export const widgetCrd = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.apply.example.com' },
  spec: {
    group: 'apply.example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
    versions: (['v1', 'v2'] as const).map((name) => ({
      name,
      served: true,
      storage: name === 'v1',
      subresources: { status: {} },
      schema: { openAPIV3Schema: roots[name] },
    })),
  },
};

/** Returns a version's root node, with the metadata that every object has. */
export async function widgetSchema(version: 'v1' | 'v2'): Promise<SchemaNode> {
  const metadata = await schemaOf('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta');
  return { ...roots[version], properties: { ...roots[version].properties, metadata } };
}
