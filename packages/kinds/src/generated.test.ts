import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generate, staleFiles } from '../../../scripts/kinds/generate.ts';
import { descriptionOf, loadDescriptions } from './descriptions.ts';
import { builtinGroups } from './discovery.ts';
import { type Definition, definitionPackages, loadDefinitions, openApiV2Schema, openApiV3Schema } from './schemas.ts';

// The recordings of a real server are not part of the repository. The comparison runs only if they exist next to the
// repository.
const recordings = join(import.meta.dirname, '../../../../shared/kubernetes/1.36.3');
const present = existsSync(recordings);
if (!present)
  console.log(`skipped: comparing the generated kinds with a real server's, because ${recordings} is missing`);

type Json = { [key: string]: unknown };

function read(...path: string[]): Json {
  return JSON.parse(readFileSync(join(recordings, ...path), 'utf8')) as Json;
}

/** Returns a recorded schema without its descriptions, which are added to `removed`. A property may be named description. */
function withoutDescriptions(schema: Json, removed: Set<string> = new Set()): Json {
  const result: Json = {};
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'description') removed.add(value as string);
    else if (key === 'properties') {
      result[key] = Object.fromEntries(
        Object.entries(value as Record<string, Json>).map(([name, property]) => [
          name,
          withoutDescriptions(property, removed),
        ]),
      );
    } else if (key === 'items' || key === 'additionalProperties') {
      result[key] = withoutDescriptions(value as Json, removed);
    } else result[key] = value;
  }
  return result;
}

async function allDefinitions(): Promise<Map<string, Definition>> {
  const packages = await Promise.all(definitionPackages.map(loadDefinitions));
  return new Map(packages.flatMap((definitions) => [...definitions]));
}

(present ? describe : describe.skip)('the generated files', () => {
  it('is up to date with scripts/kinds/generate.ts', () => {
    expect(staleFiles(generate(recordings))).toEqual([]);
  });

  it('contains no descriptions in the schemas, which servers and generators load', () => {
    const descriptions = new Set<string>();
    for (const schema of Object.values(read('openapi-v2.json')['definitions'] as Record<string, Json>)) {
      withoutDescriptions(schema, descriptions);
    }
    const sentences = [...descriptions].filter((description) => description.includes(' '));
    expect(sentences.length).toBeGreaterThan(1000);
    const schemas = [...generate(recordings)].filter(([path]) => path.startsWith('schemas/'));
    const text = schemas.map(([, content]) => content).join('\n');
    expect(sentences.filter((sentence) => text.includes(sentence))).toEqual([]);
  });

  it('reproduces every description of OpenAPI v3, and has them on demand', async () => {
    const names = await allDefinitions();
    let compared = 0;
    for (const { name: group, versions } of builtinGroups) {
      for (const { version } of versions) {
        const file = group === '' ? `api__${version}.json` : `apis__${group}__${version}.json`;
        const { schemas } = read('openapi-v3', file)['components'] as { schemas: Record<string, Json> };
        for (const [name, { description: own = '', properties = {} }] of Object.entries(schemas)) {
          expect(names.has(name)).toBe(true);
          const described = Object.entries(properties as Record<string, Json>).flatMap(([property, { description }]) =>
            description === undefined ? [] : [[property, description]],
          );
          const found = await descriptionOf(name);
          expect({ name, own: found?.own ?? '', properties: [...(found?.properties ?? [])] }).toEqual({
            name,
            own,
            properties: described,
          });
          compared += described.length;
        }
      }
    }
    expect(compared).toBeGreaterThan(3000);
  });

  it('has the descriptions as JSDoc of the classes, with a tag for what is deprecated', () => {
    const core = generate(recordings).get('kinds/core/v1.ts') ?? '';
    expect(core).toContain(`  /**
   * DeprecatedServiceAccount is a deprecated alias for ServiceAccountName.
   * @deprecated Use serviceAccountName instead.
   */
  declare serviceAccount?: string;
`);
    expect(core).toContain(`
/** PodSpec is a description of a pod. */
export class PodSpec {`);
  });

  it('reproduces every definition of OpenAPI v2', async () => {
    const definitions = await allDefinitions();
    const recorded = read('openapi-v2.json')['definitions'] as Record<string, Json>;
    expect([...definitions.keys()].sort()).toEqual(Object.keys(recorded).sort());
    for (const [name, schema] of Object.entries(recorded)) {
      expect(openApiV2Schema(definitions.get(name) ?? {}, await descriptionOf(name))).toEqual(schema);
    }
  });

  it('reproduces every definition of every OpenAPI v3 document', async () => {
    const definitions = await allDefinitions();
    let compared = 0;
    for (const { name: group, versions } of builtinGroups) {
      for (const { version } of versions) {
        const file = group === '' ? `api__${version}.json` : `apis__${group}__${version}.json`;
        const { schemas } = read('openapi-v3', file)['components'] as { schemas: Record<string, Json> };
        for (const [name, schema] of Object.entries(schemas)) {
          const description = await descriptionOf(name);
          expect(openApiV3Schema(definitions.get(name) ?? {}, description, { group, version })).toEqual(schema);
          compared += 1;
        }
      }
    }
    expect(compared).toBeGreaterThan(900);
  });

  it('reproduces aggregated discovery', () => {
    const kind = (kind: string, group = '', version = ''): Json => ({ group, version, kind });
    const rebuilt = builtinGroups.map(({ name, versions }) => ({
      metadata: name === '' ? {} : { name },
      versions: versions.map(({ version, resources }) => ({
        version,
        resources: resources.map((resource) => ({
          resource: resource.resource,
          responseKind: kind(resource.kind),
          scope: resource.namespaced ? 'Namespaced' : 'Cluster',
          singularResource: resource.singular,
          verbs: resource.verbs,
          ...(resource.shortNames && { shortNames: resource.shortNames }),
          ...(resource.categories && { categories: resource.categories }),
          ...(resource.subresources && {
            subresources: resource.subresources.map((subresource) => ({
              subresource: subresource.subresource,
              responseKind: kind(subresource.kind, subresource.group, subresource.version),
              verbs: subresource.verbs,
            })),
          }),
        })),
        freshness: 'Current',
      })),
    }));
    expect(rebuilt).toEqual([
      ...(read('aggregated-api.json')['items'] as Json[]),
      ...(read('aggregated-apis.json')['items'] as Json[]),
    ]);
  });
});

describe('descriptions', () => {
  it('are missing for an unknown definition, type or package', async () => {
    expect(await descriptionOf('io.k8s.api.core.v1.Nothing')).toBeUndefined();
    expect([...(await loadDescriptions('constructor')), ...(await loadDescriptions('io.k8s.nothing'))]).toEqual([]);
  });

  it('of a field are found by its name', async () => {
    const spec = await descriptionOf('io.k8s.api.apps.v1.DeploymentSpec');
    expect(spec?.own).toBe('DeploymentSpec is the specification of the desired behavior of the Deployment.');
    expect(spec?.properties.get('replicas')).toMatch(/^Number of desired pods\./);
    expect(spec?.properties.get('constructor')).toBeUndefined();
  });
});
