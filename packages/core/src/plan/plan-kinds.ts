import type { AnyClass } from '../declarations/class-declarations.ts';
import type { DeclarationReader } from '../declarations/declaration-reader.ts';
import { groupResourceOf } from '../kind/api-resource.ts';
import { formatGroupVersionKind } from '../kind/group-version-kind.ts';
import { ObjectKey } from '../object/object-key.ts';
import type { PlannedIndex, PlannedKind, PlannedOwned, PlannedWatch } from './controller-plan.ts';

/** What `@Owns` says. */
export function planOwned(reader: DeclarationReader, primary: PlannedKind | undefined): PlannedOwned[] {
  const owns = reader.declarations.owns.flatMap((owned): PlannedOwned | [] => {
    reader.checkOptions(reader.say('Owns'), owned, ['kind', 'predicates']);
    const predicates = reader.predicates(reader.say('Owns'), owned.predicates);
    const kind = reader.kind(reader.say('Owns'), owned.kind);
    return kind === undefined ? [] : { ...kind, predicates };
  });
  const seen = new Set<string>();
  for (const { kind, resource } of owns) {
    const gvk = formatGroupVersionKind(resource);
    if (primary?.resource.namespaced === true && !resource.namespaced) {
      reader.report(
        'owner-reference-refused',
        `${reader.say('Owns')}(${kind.name}): a ${primary.resource.kind} has a namespace and a ${resource.kind} has none, so it cannot own one (the garbage collector would delete it); write it with context.client and { acrossNamespaces: true }, and delete it in a finalizer`,
      );
    }
    if (seen.has(gvk)) {
      reader.report(
        'duplicate-declaration',
        `${reader.say('Owns')}(${kind.name}) stands there twice; keep one of them`,
      );
    }
    seen.add(gvk);
  }
  return owns;
}

/** What `@Watches` says. */
export function planWatches(reader: DeclarationReader): PlannedWatch[] {
  return reader.declarations.watches.flatMap((watch): PlannedWatch | [] => {
    const decorator = `${reader.say('Watches')} on ${watch.method}`;
    reader.checkOptions(decorator, watch, ['kind', 'method', 'labels', 'fields', 'wholeCluster', 'predicates']);
    const predicates = reader.predicates(decorator, watch.predicates);
    const kind = reader.kind(decorator, watch.kind);
    const returned = unlistedReturn(reader, watch.method);
    if (returned !== undefined) {
      reader.report(
        'invalid-mapper-result',
        `${reader.say('Watches')} stands on a method whose type says that it returns ${returned}; return a list of ObjectKey, empty where nothing is to be woken, and do not wait`,
        watch.method,
      );
    }
    return kind === undefined
      ? []
      : {
          ...kind,
          labels: watch.labels ?? {},
          fields: watch.fields ?? {},
          wholeCluster: watch.wholeCluster === true,
          predicates,
          method: watch.method,
        };
  });
}

/** Built-in classes that a compiler writes down for a type of which no value is a list. */
const unlisted: ReadonlySet<unknown> = new Set([String, Number, Boolean, BigInt, Symbol, Promise, Map, Set, ObjectKey]);

/**
 * What a method returns, where the compiler has written that down and it can be no list. Of a class of the user's nothing is
 * concluded: a compiler that knows no types takes whatever has the name of an alias for it.
 */
function unlistedReturn({ controllerClass }: DeclarationReader, method: string): string | undefined {
  const type: unknown = Reflect.getMetadata('design:returntype', controllerClass.prototype as object, method);
  return unlisted.has(type) ? `a ${(type as AnyClass).name}` : undefined;
}

/** What `@Index` says, of kinds that the controller has in a cache. */
export function planIndexes(
  reader: DeclarationReader,
  primary: PlannedKind | undefined,
  cached: readonly (PlannedOwned | PlannedWatch)[],
): PlannedIndex[] {
  const methods = new Map<string, string>();
  return reader.declarations.indexes.flatMap((index): PlannedIndex | [] => {
    const { name, method } = index;
    const indexed = 'kind' in index ? reader.kind(`${reader.say('Index')}("${name}")`, index.kind) : primary;
    if (indexed === undefined) return [];
    const { kind, resource } = indexed;
    const metadataOnly = 'metadataOnly' in indexed && indexed.metadataOnly === true;
    const id = `${name} ${groupResourceOf(resource)} ${metadataOnly}`;
    const other = methods.get(id);
    if (other !== undefined) {
      reader.report(
        'duplicate-declaration',
        `${reader.say('Index')}("${name}") stands on ${other} and ${method}; give each index a name of its own`,
      );
    }
    methods.set(id, method);
    const isCached = [...(primary === undefined ? [] : [primary]), ...cached].some(
      (known) => known.kind === kind && ('metadataOnly' in known && known.metadataOnly) === metadataOnly,
    );
    if (!isCached) {
      const named = metadataOnly ? `Metadata(${kind.name})` : kind.name;
      reader.report(
        'kind-not-cached',
        `${reader.say('Index')}("${name}", ${named}) indexes what this controller neither reconciles nor owns nor watches; add ${reader.say('Owns')} or ${reader.say('Watches')} of ${named}`,
        method,
      );
    }
    return { kind, resource, metadataOnly, name, method };
  });
}
