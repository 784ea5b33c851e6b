const intOrString = { 'x-kubernetes-int-or-string': true };
const open = { 'x-kubernetes-preserve-unknown-fields': true };
const embedded = { type: 'object', 'x-kubernetes-embedded-resource': true };
const named = { type: 'object', properties: { a: { type: 'string' } } };

/** A definition with everything that the server publishes in another form than the definition has it. */
export const publishedDefinition = {
  metadata: { name: 'gadgets.published.example.com' },
  spec: {
    group: 'published.example.com',
    scope: 'Namespaced',
    names: { plural: 'gadgets', kind: 'Gadget' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: {
          status: {},
          scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
        },
        selectableFields: [{ jsonPath: '.spec.required' }],
        schema: {
          openAPIV3Schema: {
            type: 'object',
            description: 'A gadget.',
            properties: {
              apiVersion: { type: 'string', description: 'Another description.' },
              metadata: { type: 'object', properties: { name: { type: 'string', maxLength: 20 } } },
              spec: {
                type: 'object',
                required: ['required', 'nullable'],
                properties: {
                  required: { type: 'string', default: 'x', enum: ['x', 'y'] },
                  nullable: { type: 'string', nullable: true },
                  replicas: { type: 'integer' },
                  port: intOrString,
                  typedPort: { ...intOrString, anyOf: [{ type: 'integer' }, { type: 'string' }] },
                  namedPort: {
                    ...intOrString,
                    allOf: [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }, { pattern: 'a' }],
                  },
                  openResource: { ...embedded, ...open, description: 'Any resource.' },
                  resource: { ...embedded, properties: { kind: { type: 'string', enum: ['Pod'] }, spec: named } },
                  open,
                  openNamed: { ...named, ...open },
                  nullableValues: { type: 'object', additionalProperties: { type: 'string', nullable: true } },
                  values: { type: 'object', additionalProperties: true },
                  choice: { ...named, oneOf: [{ required: ['a'] }, { not: { required: ['a'] } }] },
                  list: {
                    type: 'array',
                    'x-kubernetes-list-type': 'map',
                    'x-kubernetes-list-map-keys': ['a'],
                    items: { ...named, required: ['a'] },
                  },
                },
              },
              status: { type: 'object', ...open },
            },
          },
        },
      },
      { name: 'v2', served: true, storage: false, schema: { openAPIV3Schema: { type: 'object', ...open } } },
    ],
  },
};
