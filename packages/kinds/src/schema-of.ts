import { type Definition, definitionPackageOf, loadDefinitions, requiredPackages } from './definition.ts';
import { schemaDefinition } from './schema-definition.ts';
import type { SchemaNode } from './schema-node.ts';

/** A node while its graph is being built. */
type Draft = { -readonly [K in keyof SchemaNode]: SchemaNode[K] };

/** Types whose JSON the API server takes as it is, though their definitions do not say so. */
const opaque = new Set([
  'io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1',
  'io.k8s.apimachinery.pkg.apis.meta.v1.Patch',
  'io.k8s.apimachinery.pkg.runtime.RawExtension',
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON',
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrArray',
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrBool',
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrStringArray',
]);

// Nodes never change once linked, so whoever asks first builds them for all.
const nodes = new Map<string, Draft>();
const references = new Map<string, Draft>();

/**
 * The schema of a built-in type as a graph. Reads the packages the type needs on first use; every call for one name
 * answers with the same node, and every mention of a type without keywords of its own is that type's node. Where a
 * mention has keywords of its own (`default`, a patch strategy), they are merged over the type's in a node that shares
 * the type's properties.
 *
 * Differs from the definition in this: IntOrString is marked `x-kubernetes-int-or-string` instead of `oneOf`; types that
 * take any JSON are marked `x-kubernetes-preserve-unknown-fields`; nodes carry their definition's name under
 * {@link schemaDefinition}; `properties` objects have no prototype, so that any name may be looked up in them.
 *
 * @throws RangeError where there is no such definition
 */
export async function schemaOf(definitionName: string): Promise<SchemaNode> {
  const known = nodes.get(definitionName);
  if (known !== undefined) return known;
  const packages = [...requiredPackages(definitionPackageOf(definitionName))];
  const loaded = await Promise.all(packages.map(loadDefinitions));
  return linkDefinition(definitionName, new Map(packages.map((name, index) => [name, loaded[index] ?? new Map()])));
}

type LoadedPackages = ReadonlyMap<string, ReadonlyMap<string, Definition>>;

// Synchronous from here on, so nobody sees a half-linked graph.
function linkDefinition(name: string, packages: LoadedPackages): Draft {
  const known = nodes.get(name);
  if (known !== undefined) return known;
  const definition = packages.get(definitionPackageOf(name))?.get(name);
  if (definition === undefined)
    throw new RangeError(`there is no definition "${name}" among Kubernetes' built-in kinds`);
  const { properties, ...node } = linkKeywords(definition);
  const draft: Draft = { ...node, [schemaDefinition]: name };
  if (definition.format === 'int-or-string') {
    delete draft.oneOf;
    draft['x-kubernetes-int-or-string'] = true;
  }
  if (opaque.has(name)) draft['x-kubernetes-preserve-unknown-fields'] = true;
  if (properties !== undefined) draft.properties = properties;
  // Known before its properties are linked, because one of them may lead back here.
  nodes.set(name, draft);
  linkChildren(draft, definition, packages);
  return draft;
}

function linkNode(definition: Definition, packages: LoadedPackages): Draft {
  const { $ref, ...own } = definition;
  if ($ref === undefined) {
    const draft = linkKeywords(definition);
    linkChildren(draft, definition, packages);
    return draft;
  }
  const target = linkDefinition($ref, packages);
  if (Object.keys(own).length === 0) return target;
  const key = `${$ref} ${JSON.stringify(own)}`;
  let reference = references.get(key);
  if (reference === undefined) {
    // A target that is still being linked already holds the object its properties will be put into.
    reference = { ...target, ...own };
    references.set(key, reference);
  }
  return reference;
}

function linkKeywords({ $ref: _, properties, items: __, additionalProperties: ___, ...keywords }: Definition): Draft {
  return properties === undefined ? keywords : { ...keywords, properties: Object.create(null) };
}

function linkChildren(draft: Draft, definition: Definition, packages: LoadedPackages): void {
  const properties = draft.properties as Record<string, SchemaNode> | undefined;
  for (const [name, property] of Object.entries(definition.properties ?? {})) {
    if (properties !== undefined) properties[name] = linkNode(property, packages);
  }
  if (definition.items !== undefined) draft.items = linkNode(definition.items, packages);
  if (definition.additionalProperties !== undefined) {
    draft.additionalProperties = linkNode(definition.additionalProperties, packages);
  }
}
