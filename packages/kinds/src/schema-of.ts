import { type Definition, definitionPackageOf, loadDefinitions, requiredPackages } from './definition.ts';
import { schemaDefinition } from './schema-definition.ts';
import type { SchemaNode } from './schema-node.ts';

/** A node during the construction of its graph. */
type Draft = { -readonly [K in keyof SchemaNode]: SchemaNode[K] };

/** Types whose JSON the API server accepts unchanged, although their definitions do not declare it. */
const opaque = new Set([
  'io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1',
  'io.k8s.apimachinery.pkg.apis.meta.v1.Patch',
  'io.k8s.apimachinery.pkg.runtime.RawExtension',
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON',
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrArray',
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrBool',
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrStringArray',
]);

// Nodes do not change after they are linked, so all callers share them.
const nodes = new Map<string, Draft>();
const references = new Map<string, Draft>();

/**
 * Returns the schema of a built-in type as a graph. Loads the required packages on first use. Every call for a name
 * returns the same node. A reference to a type without other keywords is that type's node. If a reference has keywords
 * (`default`, a patch strategy), they are merged with the type's keywords in a new node that shares the type's
 * properties.
 *
 * The graph differs from the definition in these points: IntOrString has `x-kubernetes-int-or-string` instead of
 * `oneOf`; types that accept any JSON have `x-kubernetes-preserve-unknown-fields`; nodes contain their definition's
 * name under {@link schemaDefinition}; `properties` objects have no prototype, so that any name can be looked up in
 * them.
 *
 * @throws RangeError if there is no such definition
 */
export async function schemaOf(definitionName: string): Promise<SchemaNode> {
  const known = nodes.get(definitionName);
  if (known !== undefined) return known;
  const packages = [...requiredPackages(definitionPackageOf(definitionName))];
  const loaded = await Promise.all(packages.map(loadDefinitions));
  return linkDefinition(definitionName, new Map(packages.map((name, index) => [name, loaded[index] ?? new Map()])));
}

type LoadedPackages = ReadonlyMap<string, ReadonlyMap<string, Definition>>;

// Everything after this is synchronous, so other code never sees a partly linked graph.
function linkDefinition(name: string, packages: LoadedPackages): Draft {
  const known = nodes.get(name);
  if (known !== undefined) return known;
  const definition = packages.get(definitionPackageOf(name))?.get(name);
  if (definition === undefined)
    throw new RangeError(`unknown definition "${name}"; pass the name of a definition of Kubernetes' built-in kinds`);
  const { properties, ...node } = linkKeywords(definition);
  const draft: Draft = { ...node, [schemaDefinition]: name };
  if (definition.format === 'int-or-string') {
    delete draft.oneOf;
    draft['x-kubernetes-int-or-string'] = true;
  }
  if (opaque.has(name)) draft['x-kubernetes-preserve-unknown-fields'] = true;
  if (properties !== undefined) draft.properties = properties;
  // Registered before its properties are linked, because one of them may refer to it.
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
    // A target that is not yet linked already has the object for its properties.
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
