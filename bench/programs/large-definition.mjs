/**
 * Generates a definition with the usual reasons for size: many fields with long descriptions, nested lists, and rules
 * on them.
 */
export function largeDefinition(bytes) {
  const properties = {};
  for (let i = 0, made = 0; made < bytes; i++) {
    properties[`part${i}`] = part(i);
    made += JSON.stringify(properties[`part${i}`]).length + 12;
  }
  const spec = { type: 'object', properties };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'larges.bench.example.com' },
    spec: {
      group: 'bench.example.com',
      scope: 'Namespaced',
      names: { plural: 'larges', kind: 'Large' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
        },
      ],
    },
  };
}

function part(i) {
  const description =
    `What part ${i} of a large resource is for, in so many words that nobody reads all of them. `.repeat(3);
  return {
    type: 'object',
    description,
    default: {},
    properties: {
      enabled: { type: 'boolean', default: true, description },
      size: { type: 'integer', format: 'int32', minimum: 0, maximum: 100, default: 3, description },
      mode: { type: 'string', enum: ['fast', 'safe'], default: 'safe', description },
      limit: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }], description },
      labels: {
        type: 'object',
        maxProperties: 16,
        additionalProperties: { type: 'string', maxLength: 63 },
        description,
      },
      members: {
        type: 'array',
        maxItems: 8,
        description,
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name'],
        items: {
          type: 'object',
          required: ['name'],
          properties: {
            name: { type: 'string', maxLength: 63, pattern: '^[a-z]([-a-z0-9]*[a-z0-9])?$', description },
            weight: { type: 'integer', default: 1, description },
          },
          'x-kubernetes-validations': [{ rule: "self.weight > 0 || self.name.startsWith('x')" }],
        },
      },
    },
    'x-kubernetes-validations': [
      { rule: "self.mode != 'fast' || !has(self.members) || self.members.all(m, m.weight < 9)" },
    ],
  };
}
