import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtinGroups } from '@evenkeel/kinds/discovery';
import { describeWithRecordings, recordings } from '../../../../test/recordings.fixture.ts';
import { builtInSchemas } from './built-in-schemas.ts';
import { openApiV2Document } from './openapi-v2.ts';
import { openApiV3Document } from './openapi-v3.ts';

/** Removes descriptions: the server has none of paths and parameters, and those of schemas are compared where they are kept. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, member]) => !(key === 'description' && typeof member === 'string'))
      .map(([key, member]) => [key, comparable(member)]),
  );
}

/** Inlines common parameters, which the real server defines once and references, in any order. */
function inPlace(value: unknown, shared: Record<string, unknown>): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => inPlace(item, shared));
    return items.every((item) => typeof item === 'object' && item !== null && 'in' in item && 'name' in item)
      ? items.sort((left, right) => ((left as { name: string }).name < (right as { name: string }).name ? -1 : 1))
      : items;
  }
  if (typeof value !== 'object' || value === null) return value;
  const reference = '$ref' in value ? String(value.$ref) : '';
  if (reference.startsWith('#/parameters/')) return shared[reference.slice('#/parameters/'.length)];
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, inPlace(member, shared)]));
}

const documents = builtinGroups.flatMap(({ name, versions }) => versions.map((version) => ({ name, version })));

describeWithRecordings('OpenAPI of the built-in kinds', () => {
  it.each(documents.map((document) => [document.name, document.version.version, document] as const))(
    'v3 of %s/%s equals that of the real server',
    async (group, version, document) => {
      const file = group === '' ? `api__${version}.json` : `apis__${group}__${version}.json`;
      const recorded = JSON.parse(readFileSync(join(recordings, 'openapi-v3', file), 'utf8')) as {
        paths: object;
        components: object;
      };
      const schemas = await builtInSchemas();
      const built = openApiV3Document(group, document.version, schemas.v3({ group, version }), { custom: false });
      expect(comparable(built)).toEqual(comparable(recorded));
    },
  );

  it('v2 equals that of the real server', async () => {
    const recorded = JSON.parse(readFileSync(join(recordings, 'openapi-v2.json'), 'utf8')) as {
      paths: Record<string, unknown>;
      definitions: object;
      parameters: Record<string, unknown>;
    };
    const built = openApiV2Document(builtinGroups, (await builtInSchemas()).v2(), []) as {
      paths: Record<string, unknown>;
      definitions: object;
    };
    expect(comparable(built.definitions)).toEqual(comparable(recorded.definitions));
    // The embedded server has no issuer of service account tokens.
    const resourcePaths = Object.keys(recorded.paths).filter((path) => !/^\/(\.well-known|openid)\//.test(path));
    expect(Object.keys(built.paths).sort()).toEqual(resourcePaths.sort());
    for (const path of resourcePaths) {
      const expected = inPlace(recorded.paths[path], recorded.parameters);
      expect({ [path]: comparable(inPlace(built.paths[path], {})) }).toEqual({ [path]: comparable(expected) });
    }
  });
});
