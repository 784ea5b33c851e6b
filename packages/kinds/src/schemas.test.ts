import { builtinGroups } from './discovery.ts';
import {
  type Definition,
  definitionPackageOf,
  definitionPackages,
  loadDefinitions,
  type SchemaNode,
  schemaDefinition,
  schemaOf,
} from './schemas.ts';

const jsonSchemaProps = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps';

async function allDefinitions(): Promise<Map<string, Definition>> {
  const packages = await Promise.all(definitionPackages.map(loadDefinitions));
  return new Map(packages.flatMap((definitions) => [...definitions]));
}

/** Returns the node at a path of property names; `[]` is an item, `{}` a value of a map. */
function at(node: SchemaNode | undefined, ...path: string[]): SchemaNode {
  for (const step of path) {
    if (step === '[]') node = node?.items;
    else if (step === '{}')
      node = typeof node?.additionalProperties === 'object' ? node.additionalProperties : undefined;
    else node = node?.properties?.[step];
  }
  if (node === undefined) throw new Error(`nothing at ${path.join('.')}`);
  return node;
}

describe('definitions', () => {
  it('refer only to existing definitions, and have no descriptions', async () => {
    const definitions = await allDefinitions();
    const visit = (node: Definition): void => {
      expect(node).not.toHaveProperty('description');
      expect(node).not.toHaveProperty('allOf');
      if (node.$ref !== undefined && !definitions.has(node.$ref)) throw new Error(`no definition ${node.$ref}`);
      for (const property of Object.values(node.properties ?? {})) visit(property);
      if (node.items !== undefined) visit(node.items);
      if (node.additionalProperties !== undefined) visit(node.additionalProperties);
    };
    for (const definition of definitions.values()) visit(definition);
    expect(definitions.size).toBe(584);
  });

  // schemaOf() copies a type for a reference before these keywords of the type may be set.
  it('have items and additionalProperties only below the top level', async () => {
    for (const definition of (await allDefinitions()).values()) {
      expect(definition.items ?? definition.additionalProperties).toBeUndefined();
    }
  });

  it('exist for every resource, its list, and every subresource that has a body', async () => {
    const definitions = await allDefinitions();
    const isOfKind = (name: string, group: string, version: string, kind: string): boolean =>
      definitions
        .get(name)
        ?.['x-kubernetes-group-version-kind']?.some(
          (own) => own.group === group && own.version === version && own.kind === kind,
        ) === true;
    for (const { name: group, versions } of builtinGroups) {
      for (const { version, resources } of versions) {
        for (const { definition, kind, listKind, subresources } of resources) {
          expect(isOfKind(definition, group, version, kind)).toBe(true);
          if (listKind !== undefined) expect(isOfKind(`${definition}List`, group, version, listKind)).toBe(true);
          for (const sub of subresources ?? []) {
            if (sub.definition === undefined) expect(sub.connect).toBe(true);
            else expect(isOfKind(sub.definition, sub.group ?? group, sub.version ?? version, sub.kind)).toBe(true);
          }
        }
      }
    }
  });

  it('of an unknown package are rejected with their name', async () => {
    expect(() => loadDefinitions('io.k8s.api.nothing.v1')).toThrow('"io.k8s.api.nothing.v1"');
    expect(() => loadDefinitions('__proto__')).toThrow(RangeError);
    expect(definitionPackageOf('Deployment')).toBe('');
  });
});

describe('schemaOf()', () => {
  it('links every definition to a graph without $ref', async () => {
    const seen = new Set<SchemaNode>();
    const visit = (node: SchemaNode): void => {
      if (seen.has(node)) return;
      seen.add(node);
      if ('$ref' in node) throw new Error(`$ref in ${JSON.stringify(Object.keys(node))}`);
      for (const property of Object.values(node.properties ?? {})) visit(property);
      if (node.items !== undefined) visit(node.items);
      if (typeof node.additionalProperties === 'object') visit(node.additionalProperties);
    };
    for (const name of (await allDefinitions()).keys()) visit(await schemaOf(name));
    expect(seen.size).toBeGreaterThan(1000);
  });

  it('returns one shared node for each definition', async () => {
    const deployment = await schemaOf('io.k8s.api.apps.v1.Deployment');
    expect(await schemaOf('io.k8s.api.apps.v1.Deployment')).toBe(deployment);
    const [first, second] = await Promise.all([
      schemaOf('io.k8s.api.batch.v1.Job'),
      schemaOf('io.k8s.api.batch.v1.Job'),
    ]);
    expect(first).toBe(second);
    const statefulSet = await schemaOf('io.k8s.api.apps.v1.StatefulSet');
    expect(at(statefulSet, 'spec', 'selector')).toBe(at(deployment, 'spec', 'selector'));
    expect(at(deployment, 'spec', 'template').properties).toBe(
      (await schemaOf('io.k8s.api.core.v1.PodTemplateSpec')).properties,
    );
  });

  it('merges the keywords of a reference over those of its type', async () => {
    const deployment = await schemaOf('io.k8s.api.apps.v1.Deployment');
    const strategy = at(deployment, 'spec', 'strategy');
    expect(strategy).toMatchObject({ type: 'object', default: {}, 'x-kubernetes-patch-strategy': 'retainKeys' });
    expect(Object.keys(strategy.properties ?? {})).toEqual(['type', 'rollingUpdate']);
    const alone = await schemaOf('io.k8s.api.apps.v1.DeploymentStrategy');
    expect(alone).not.toHaveProperty('default');
    expect(alone).not.toHaveProperty('x-kubernetes-patch-strategy');
  });

  it('returns a cycle for a type that contains itself', async () => {
    const schema = await schemaOf(jsonSchemaProps);
    expect(at(schema, 'not')).toBe(schema);
    expect(at(schema, 'properties', '{}').properties).toBe(schema.properties);
    expect(at(schema, 'properties', '{}', 'not', 'allOf', '[]').properties).toBe(schema.properties);
  });

  it('keeps merge keys, list types, enums, required fields and defaults', async () => {
    const pod = await schemaOf('io.k8s.api.core.v1.Pod');
    expect(pod['x-kubernetes-group-version-kind']).toEqual([{ group: '', kind: 'Pod', version: 'v1' }]);
    expect(at(pod, 'spec').required).toEqual(['containers']);
    expect(at(pod, 'spec', 'containers')).toMatchObject({
      'x-kubernetes-list-map-keys': ['name'],
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-patch-merge-key': 'name',
      'x-kubernetes-patch-strategy': 'merge',
    });
    expect(at(pod, 'spec', 'containers', '[]', 'imagePullPolicy').enum).toEqual(['Always', 'IfNotPresent', 'Never']);
    expect(at(pod, 'spec', 'containers', '[]', 'ports', '[]', 'protocol').default).toBe('TCP');
    expect(at(pod, 'spec', 'nodeSelector')['x-kubernetes-map-type']).toBe('atomic');
  });

  it('marks IntOrString and types that accept any JSON, and names Quantity', async () => {
    const service = await schemaOf('io.k8s.api.core.v1.Service');
    const targetPort = at(service, 'spec', 'ports', '[]', 'targetPort');
    expect(targetPort).toMatchObject({ 'x-kubernetes-int-or-string': true });
    expect(targetPort).not.toHaveProperty('oneOf');
    const revision = await schemaOf('io.k8s.api.apps.v1.ControllerRevision');
    expect(at(revision, 'data')['x-kubernetes-preserve-unknown-fields']).toBe(true);
    const limits = at(await schemaOf('io.k8s.api.core.v1.ResourceRequirements'), 'limits', '{}');
    expect(limits[schemaDefinition]).toBe('io.k8s.apimachinery.pkg.api.resource.Quantity');
  });

  it('has no inherited properties', async () => {
    const { properties } = await schemaOf('io.k8s.api.core.v1.ConfigMap');
    expect(properties?.['constructor']).toBeUndefined();
    expect(Object.getPrototypeOf(properties)).toBeNull();
  });

  it('rejects an unknown definition with its name', async () => {
    await expect(schemaOf('io.k8s.api.core.v1.Nothing')).rejects.toThrow('"io.k8s.api.core.v1.Nothing"');
    await expect(schemaOf('Deployment')).rejects.toThrow(RangeError);
  });
});
