import type { CustomResourceDefinition } from '@evenkeel/kinds';
import { definitionFields, definitionFieldsModule } from './definition-fields.ts';

function definition(
  plural: string,
  ...versions: (readonly [name: string, schema: object])[]
): CustomResourceDefinition {
  return {
    metadata: { name: `${plural}.example.com` },
    spec: {
      group: 'example.com',
      names: { plural },
      versions: versions.map(([name, openAPIV3Schema]) => ({ name, schema: { openAPIV3Schema } })),
    },
  } as unknown as CustomResourceDefinition;
}

const text = { type: 'string' };
const objectOf = (properties: object): object => ({ type: 'object', properties });

describe('definitionFields', () => {
  it('lists the fields of each version, without those that every object has, also for embedded objects', () => {
    const embedded = {
      ...objectOf({ apiVersion: text, kind: text, metadata: {}, spec: {} }),
      'x-kubernetes-embedded-resource': true,
    };
    const root = objectOf({
      apiVersion: text,
      kind: text,
      metadata: objectOf({}),
      spec: objectOf({
        template: embedded,
        templates: { type: 'array', items: embedded },
        owner: objectOf({ kind: text, metadata: text }),
        ports: { type: 'array', items: objectOf({ number: {}, name: text }) },
        hosts: { type: 'object', additionalProperties: { type: 'array', items: objectOf({ path: text }) } },
        anything: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      }),
      status: objectOf({}),
    });
    const sites = definition('sites', ['v1', root], ['v1beta1', objectOf({ data: text })]);
    expect(definitionFields([sites])).toEqual({
      'sites.example.com/v1': [
        'spec.anything',
        'spec.hosts(path)',
        'spec.owner(kind,metadata)',
        'spec.ports(name,number)',
        'spec.template(spec)',
        'spec.templates(spec)',
        'status',
      ],
      'sites.example.com/v1beta1': ['data'],
    });
  });

  it('writes a formatted module that does not depend on the order of the CRDs', () => {
    const odd = definition('odds', ['v1', objectOf({ spec: objectOf({ "it's": text, '"b"': text, 'a.b': text }) })]);
    const sites = definition('sites', ['v1', objectOf({ spec: objectOf({ size: text }) })]);
    const module = definitionFieldsModule([sites, odd]);
    expect(definitionFieldsModule([odd, sites])).toBe(module);
    expect(module).toBe(`// Made by "evenkeel generate" from the classes of the API: change those, not this.

/** The fields that Manager.run(operator, { fields }) expects in the CRDs of its cluster. */
export const fields: Readonly<Record<string, readonly string[]>> = {
  'odds.example.com/v1': [
    'spec."b"',
    'spec.a%2eb',
    'spec.it\\'s',
  ],
  'sites.example.com/v1': [
    'spec.size',
  ],
};
`);
  });
});
