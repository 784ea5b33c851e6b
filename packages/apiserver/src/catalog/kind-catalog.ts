import { compareVersions } from '@evenkeel/core';
import { type BuiltinResource, builtinGroups } from '@evenkeel/kinds/discovery';
import { customServedResource } from '../customresource/custom-discovery.ts';
import type { ApiGroup } from '../kind/api-groups.ts';
import type { KindDescription } from '../kind/kind-description.ts';
import type { TablePrinter } from '../kind/table-columns.ts';
import { type BuiltinActions, describeBuiltin } from './builtin-kinds.ts';

/**
 * All kinds that the server serves now. Built-in kinds are described when they are first requested. Custom kinds are
 * added and removed with their definitions.
 */
export class KindCatalog {
  readonly #actions: BuiltinActions;
  readonly #builtins = new Map<string, KindDescription>();
  readonly #resources = new Map<string, { group: string; version: string; resource: BuiltinResource }>();
  readonly #versions = new Map<string, Set<string>>();
  readonly #custom = new Map<string, readonly KindDescription[]>();
  readonly #customByPath = new Map<string, KindDescription>();
  readonly #listeners = new Set<() => void>();
  #generation = 0;
  readonly #equivalents = new Map<string, readonly KindDescription[]>();
  #equivalentsOf = 0;

  constructor(actions: BuiltinActions) {
    this.#actions = actions;
    for (const { name: group, versions } of builtinGroups) {
      this.#versions.set(group, new Set(versions.map(({ version }) => version)));
      for (const { version, resources } of versions) {
        for (const resource of resources) {
          this.#resources.set(pathOf(group, version, resource.resource), { group, version, resource });
        }
      }
    }
  }

  /** Increases with every change of the served kinds. */
  get generation(): number {
    return this.#generation;
  }

  find(group: string, version: string, plural: string): KindDescription | undefined {
    const path = pathOf(group, version, plural);
    const known = this.#builtins.get(path) ?? this.#customByPath.get(path);
    if (known !== undefined) return known;
    const entry = this.#resources.get(path);
    if (entry === undefined) return undefined;
    const description = describeBuiltin(group, version, entry.resource, this.#actions);
    this.#builtins.set(path, description);
    return description;
  }

  findKind(group: string, version: string, kind: string): KindDescription | undefined {
    for (const { group: itsGroup, version: itsVersion, resource } of this.#resources.values()) {
      if (itsGroup !== group || itsVersion !== version || resource.kind !== kind) continue;
      return this.find(group, version, resource.resource);
    }
    for (const description of this.#customByPath.values()) {
      const { names } = description;
      if (names.group === group && names.version === version && names.kind === kind) return description;
    }
    return undefined;
  }

  /** Returns a resource in its preferred version. */
  findResource(group: string, plural: string): KindDescription | undefined {
    for (const version of this.versionsOf(group)) {
      const found = this.find(group, version, plural);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  hasGroup(group: string): boolean {
    return this.versionsOf(group).length > 0;
  }

  /** Preferred first. */
  versionsOf(group: string): readonly string[] {
    const builtin = this.#versions.get(group);
    if (builtin !== undefined) return [...builtin];
    const versions = new Set<string>();
    for (const { names } of this.#customByPath.values()) if (names.group === group) versions.add(names.version);
    return [...versions].sort(compareVersions);
  }

  /** The groups for discovery: built-in groups in the server's order, then groups of custom kinds by name. */
  apiGroups(): readonly ApiGroup[] {
    const names = [...new Set([...this.#customByPath.values()].map(({ names }) => names.group))].sort();
    const custom = names.map((name) => ({
      name,
      versions: this.versionsOf(name).map((version) => ({
        version,
        resources: this.customKinds(name, version).map(customServedResource),
      })),
    }));
    return [...builtinGroups, ...custom];
  }

  isCustomGroup(group: string): boolean {
    return !this.#versions.has(group);
  }

  /** The custom kinds of a version, by plural. */
  customKinds(group: string, version: string): readonly KindDescription[] {
    return [...this.#customByPath.values()]
      .filter(({ names }) => names.group === group && names.version === version)
      .sort((a, b) => (a.names.plural < b.names.plural ? -1 : 1));
  }

  /** Yields every stored kind once: in its stored version, or in the preferred one of several. */
  *stored(): Iterable<KindDescription> {
    const seen = new Set<string>();
    for (const { group, version, resource } of this.#resources.values()) {
      if (!resource.verbs.includes('list')) continue;
      const kind = this.find(group, version, resource.resource);
      if (kind === undefined || seen.has(kind.storageKey)) continue;
      seen.add(kind.storageKey);
      yield kind;
    }
    for (const kind of this.#customByPath.values()) {
      if (seen.has(kind.storageKey)) continue;
      seen.add(kind.storageKey);
      yield kind;
    }
  }

  /** The other versions of a kind, and kinds of other groups with the same objects. */
  equivalents({ storageKey, names }: KindDescription): readonly KindDescription[] {
    if (this.#equivalentsOf !== this.#generation) {
      this.#equivalents.clear();
      this.#equivalentsOf = this.#generation;
    }
    const path = pathOf(names.group, names.version, names.plural);
    let found = this.#equivalents.get(path);
    if (found === undefined) {
      const builtin = [...this.#resources.values()]
        .filter(({ resource }) => resource.resource === names.plural)
        .flatMap(({ group, version, resource }) => this.find(group, version, resource.resource) ?? []);
      found = [...builtin, ...this.#customByPath.values()].filter(
        (kind) =>
          kind.storageKey === storageKey && pathOf(kind.names.group, kind.names.version, kind.names.plural) !== path,
      );
      this.#equivalents.set(path, found);
    }
    return found;
  }

  /** Replaces the served versions of a definition. An empty list removes them. */
  setCustom(definition: string, descriptions: readonly KindDescription[]): void {
    for (const { names } of this.#custom.get(definition) ?? []) {
      this.#customByPath.delete(pathOf(names.group, names.version, names.plural));
    }
    if (descriptions.length === 0) this.#custom.delete(definition);
    else this.#custom.set(definition, descriptions);
    for (const description of descriptions) {
      const { group, version, plural } = description.names;
      this.#customByPath.set(pathOf(group, version, plural), description);
    }
    this.#generation++;
    for (const listener of this.#listeners) listener();
  }

  /** The served versions of a definition. */
  customOf(definition: string): readonly KindDescription[] {
    return this.#custom.get(definition) ?? [];
  }

  /** Prints the Scale of a kind. */
  async scalePrinter({ custom }: Pick<KindDescription, 'custom'>): Promise<TablePrinter> {
    const { customScalePrinter, scalePrinter } = await import('../table/cluster-printers.ts');
    return custom ? customScalePrinter : scalePrinter;
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

function pathOf(group: string, version: string, plural: string): string {
  return `${group}/${version}/${plural}`;
}
