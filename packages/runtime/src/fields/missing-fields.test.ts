import { type ApiResource, readFieldTree } from '@evenkeel/core';
import { missingFields } from './missing-fields.ts';

const websites: ApiResource = {
  group: 'web.example.com',
  version: 'v1',
  kind: 'Website',
  plural: 'websites',
  namespaced: true,
};

/** An OpenAPI document of one kind with these properties, in the form of API servers. */
function documentOf(properties: object, more: Readonly<Record<string, object>> = {}): object {
  const kind = { group: 'web.example.com', version: 'v1', kind: 'Website' };
  return {
    openapi: '3.0.0',
    components: {
      schemas: {
        Other: { 'x-kubernetes-group-version-kind': [{ ...kind, kind: 'Other' }], properties: { spec: {} } },
        'com.example.web.v1.Website': { 'x-kubernetes-group-version-kind': [kind], type: 'object', properties },
        ...more,
      },
    },
  };
}

const missing = (document: unknown, ...lines: string[]) => missingFields(document, websites, readFieldTree(lines));

describe('missingFields', () => {
  it('returns the paths of missing fields, through lists and maps, without the fields below them', () => {
    const spec = {
      properties: {
        image: { type: 'string' },
        pages: { type: 'array', items: { type: 'object', properties: { path: {} } } },
        hosts: { additionalProperties: { type: 'array', items: { properties: { name: {} } } } },
      },
    };
    const document = documentOf({ spec });
    expect(missing(document, 'spec.image', 'spec.pages(path)', 'spec.hosts(name)')).toEqual([]);
    expect(
      missing(document, 'spec.size', 'spec.pages(path,title(text))', 'spec.hosts(port)', 'status.seen(at)'),
    ).toEqual(['spec.size', 'spec.pages.title', 'spec.hosts.port', 'status']);
  });

  it('returns nothing below a schema that accepts unknown fields', () => {
    const free = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { known: {} } };
    const spec = { properties: { free, labels: { additionalProperties: true }, list: { items: free } } };
    expect(missing(documentOf({ spec }), 'spec.free(a(b))', 'spec.labels(x)', 'spec.list(y)')).toEqual([]);
    expect(missing(documentOf({ spec: { ...spec, ...free } }), 'spec.anything')).toEqual([]);
  });

  it('follows references, also circular ones', () => {
    const more = { Port: { properties: { number: {}, next: { $ref: '#/components/schemas/Port' } } } };
    const spec = { properties: { port: { allOf: [{ $ref: '#/components/schemas/Port' }] } } };
    expect(missing(documentOf({ spec }, more), 'spec.port(number,next(next(number)))')).toEqual([]);
    expect(missing(documentOf({ spec }, more), 'spec.port(name)')).toEqual(['spec.port.name']);
    const circle = { Circle: { $ref: '#/components/schemas/Circle' } };
    const toCircle = { properties: { at: { $ref: '#/components/schemas/Circle' } } };
    expect(missing(documentOf({ spec: toCircle }, circle), 'spec.at(x)')).toEqual([]);
  });

  it('ignores names on the prototype', () => {
    const spec = { properties: { image: {} } };
    expect(missing(documentOf({ spec }), 'spec.constructor', 'spec.__proto__', 'toString')).toEqual([
      'spec.constructor',
      'spec.__proto__',
      'toString',
    ]);
  });

  it.each([undefined, null, 5, 'text', [], {}, { components: [] }, { components: { schemas: { Website: {} } } }])(
    'returns undefined for the document %j',
    (document) => {
      expect(missing(document, 'spec.image')).toBeUndefined();
    },
  );
});
