import { baseNameOf, type Definition, packageOf, referencesOf } from './definitions.ts';
import { type Descriptions, docComment } from './descriptions.ts';
import { banner, literal, moduleFolderOf, propertyKey } from './output.ts';
import type { BuiltinGroup } from './resources.ts';

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const apiextensions = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1';

/** Definitions that become another type instead of a class. */
const types = new Map<string, { type: string; from?: string; name?: string }>([
  ['io.k8s.apimachinery.pkg.api.resource.Quantity', { type: 'Quantity', from: '../../../quantity.ts' }],
  ['io.k8s.apimachinery.pkg.util.intstr.IntOrString', { type: 'IntOrString', from: '../../../int-or-string.ts' }],
  ['io.k8s.apimachinery.pkg.runtime.RawExtension', { type: 'Record<string, unknown>' }],
  [`${meta}.FieldsV1`, { type: 'Record<string, unknown>' }],
  [`${meta}.Time`, { type: 'string' }],
  [`${meta}.MicroTime`, { type: 'string' }],
  // Embedded metadata, as in a pod template, may lack a name.
  [`${meta}.ObjectMeta`, { type: 'Partial<ObjectMeta>', from: '@evenkeel/core', name: 'ObjectMeta' }],
  [`${meta}.OwnerReference`, { type: 'OwnerReference', from: '@evenkeel/core' }],
  [`${meta}.ManagedFieldsEntry`, { type: 'ManagedFieldsEntry', from: '@evenkeel/core' }],
  [`${meta}.Condition`, { type: 'Condition', from: '@evenkeel/core' }],
  [`${apiextensions}.JSON`, { type: 'unknown' }],
  [`${apiextensions}.JSONSchemaPropsOrArray`, { type: 'JSONSchemaProps | JSONSchemaProps[]' }],
  [`${apiextensions}.JSONSchemaPropsOrBool`, { type: 'JSONSchemaProps | boolean' }],
  [`${apiextensions}.JSONSchemaPropsOrStringArray`, { type: 'JSONSchemaProps | string[]' }],
]);

/** Class names that differ from the definition's: two groups have an Event, and events.k8s.io has the current one. */
const classNames = new Map([
  ['io.k8s.api.core.v1.Event', 'CoreEvent'],
  ['io.k8s.api.core.v1.EventSeries', 'CoreEventSeries'],
]);

/** Definitions that only requests and responses refer to. */
const requestTypes = [`${meta}.LabelSelector`, `${meta}.ListMeta`, `${meta}.DeleteOptions`];

/**
 * Generates one module for each definition package, with a class for every kind and every type that a kind refers to, and
 * a module with the type of the list of kinds.
 */
export function classModules(
  definitions: ReadonlyMap<string, Definition>,
  descriptions: ReadonlyMap<string, Descriptions>,
  groups: readonly BuiltinGroup[],
): Map<string, string> {
  const resources = new Map<string, string>();
  const roots = new Set(requestTypes);
  for (const group of groups) {
    for (const { version, resources: served } of group.versions) {
      for (const resource of served) {
        roots.add(resource.definition);
        resources.set(
          resource.definition,
          literal({
            group: group.name,
            version,
            kind: resource.kind,
            plural: resource.resource,
            namespaced: resource.namespaced,
          }),
        );
        for (const { definition } of resource.subresources ?? []) if (definition !== undefined) roots.add(definition);
      }
    }
  }

  const files = new Map<string, string>();
  const used = reachable(definitions, roots);
  const names = [...definitions.keys()].filter((name) => used.has(name) && !types.has(name));
  for (const [definitionPackage, members] of Map.groupBy(names, packageOf)) {
    const imports = new Imports();
    const classes = members.map((name) => {
      const definition = definitions.get(name) ?? {};
      const [own, properties] = descriptions.get(name) ?? ['', {}];
      const text = classOf(name, definition, properties, resources.get(name), (reference) =>
        typeName(reference, name, imports),
      );
      return docComment(own, '') + text;
    });
    const body = classes.join('\n');
    if (body.includes('[apiResource]'))
      imports.value('@evenkeel/core', 'apiResource').type('@evenkeel/core', 'ApiResource');
    if (body.includes('extends KubernetesObject')) imports.value('@evenkeel/core', 'KubernetesObject');
    imports.value('../../../schema-definition.ts', 'schemaDefinition');
    files.set(`kinds/${moduleFolderOf(definitionPackage)}.ts`, `${banner}\n\n${imports}\n${body}`);
  }
  files.set('built-in-kinds.ts', kindList(definitions, new Set(resources.keys())));
  return files;
}

/** The kinds of all groups by apiVersion and kind. */
function kindList(definitions: ReadonlyMap<string, Definition>, kinds: ReadonlySet<string>): string {
  const modules = new Set<string>();
  const members: string[] = [];
  for (const [name, definition] of definitions) {
    const [kind] = definition['x-kubernetes-group-version-kind'] ?? [];
    if (kind === undefined || !kinds.has(name) || definition.properties?.['metadata'] === undefined) continue;
    const folder = moduleFolderOf(packageOf(name));
    const module = folder.replace('/v', 'V');
    modules.add(`import type * as ${module} from './kinds/${folder}.ts';`);
    const apiVersion = kind.group === '' ? kind.version : `${kind.group}/${kind.version}`;
    members.push(`  '${apiVersion} ${kind.kind}': ${module}.${classNames.get(name) ?? baseNameOf(name)};`);
  }
  return [
    banner,
    '',
    ...modules,
    '',
    '/** The built-in kinds by apiVersion and kind. */',
    'export interface BuiltInKinds {',
    ...members,
    '}',
    '',
  ].join('\n');
}

function reachable(definitions: ReadonlyMap<string, Definition>, roots: Iterable<string>): Set<string> {
  const found = new Set<string>(roots);
  // The iterator of a set also visits items that are added during the iteration.
  for (const name of found) {
    if (types.has(name)) continue;
    for (const reference of referencesOf(definitions.get(name) ?? {})) found.add(reference);
  }
  return found;
}

function classOf(
  name: string,
  definition: Definition,
  descriptions: Readonly<Record<string, string>>,
  resource: string | undefined,
  typeOfReference: (name: string) => string,
): string {
  const kind = definition['x-kubernetes-group-version-kind'];
  const properties = new Map(Object.entries(definition.properties ?? {}));
  const isObject = kind?.length === 1 && properties.get('metadata')?.$ref === `${meta}.ObjectMeta`;
  const lines = [
    `export class ${classNames.get(name) ?? baseNameOf(name)}${isObject ? ' extends KubernetesObject' : ''} {`,
  ];
  if (resource !== undefined) lines.push(`  static readonly [apiResource]: ApiResource = ${resource};`);
  lines.push(`  static readonly [schemaDefinition]: string = '${name}';`);
  if (isObject) {
    const { group, version, kind: kindName } = kind[0] ?? { group: '', version: '', kind: '' };
    lines.push(
      `  declare apiVersion: '${group === '' ? version : `${group}/${version}`}';`,
      `  declare kind: '${kindName}';`,
    );
    for (const inherited of ['apiVersion', 'kind', 'metadata']) properties.delete(inherited);
  }
  for (const [property, node] of properties) {
    const optional = definition.required?.includes(property) === true ? '' : '?';
    const comment = docComment(Object.hasOwn(descriptions, property) ? descriptions[property] : undefined, '  ');
    lines.push(`${comment}  declare ${propertyKey(property)}${optional}: ${typeOf(node, typeOfReference)};`);
  }
  return `${lines.join('\n')}\n}\n`;
}

function typeOf(node: Definition, typeOfReference: (name: string) => string): string {
  if (node.$ref !== undefined) return typeOfReference(node.$ref);
  switch (node.type) {
    case undefined:
      return 'unknown';
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'string':
      return node.enum === undefined ? 'string' : node.enum.map(literal).join(' | ');
    case 'array': {
      const item = typeOf(node.items ?? {}, typeOfReference);
      return item.includes(' | ') ? `(${item})[]` : `${item}[]`;
    }
    case 'object':
      return `Record<string, ${typeOf(node.additionalProperties ?? {}, typeOfReference)}>`;
    default:
      throw new Error(`no TypeScript type for ${JSON.stringify(node)}`);
  }
}

function typeName(reference: string, from: string, imports: Imports): string {
  const special = types.get(reference);
  if (special !== undefined) {
    if (special.from !== undefined) imports.type(special.from, special.name ?? special.type);
    return special.type;
  }
  const name = classNames.get(reference) ?? baseNameOf(reference);
  if (packageOf(reference) !== packageOf(from)) {
    imports.type(`../${moduleFolderOf(packageOf(reference))}.ts`, name);
  }
  return name;
}

class Imports {
  readonly #names = new Map<string, Map<string, 'type' | 'value'>>();

  type(module: string, name: string): this {
    return this.#add(module, name, 'type');
  }

  value(module: string, name: string): this {
    return this.#add(module, name, 'value');
  }

  #add(module: string, name: string, as: 'type' | 'value'): this {
    const names = this.#names.get(module) ?? new Map<string, 'type' | 'value'>();
    this.#names.set(module, names.set(name, as));
    return this;
  }

  toString(): string {
    const lines = [...this.#names]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([module, names]) => {
        const entries = [...names].sort(([a], [b]) => (a < b ? -1 : 1));
        // `import { type X }` would still load the module.
        const onlyTypes = entries.every(([, as]) => as === 'type');
        const list = entries.map(([name, as]) => (as === 'type' && !onlyTypes ? `type ${name}` : name)).join(', ');
        return `import ${onlyTypes ? 'type ' : ''}{ ${list} } from '${module}';\n`;
      });
    return lines.join('');
  }
}
