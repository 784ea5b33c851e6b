import { declare, listed, recordField } from '../declarations/class-record.ts';
import type { AnyClass, KindReference } from '../declarations/class-reference.ts';
import { controllerDecorator, type FunctionStep } from '../declarations/controller-decorator.ts';
import type { DeclarationReader } from '../declarations/declaration-reader.ts';
import { permissionFor } from '../declarations/permission.ts';
import type { CachedKind } from '../declarations/planned-kind.ts';
import { formatGroupVersionKind } from '../kind/group-version-kind.ts';
import type { KubernetesObject } from '../object/kubernetes-object.ts';
import type { Predicate } from '../predicate/object-event.ts';

/** The options of `@Owns`. */
export interface OwnsOptions<T extends KubernetesObject = KubernetesObject> {
  /** Select the events of children that enqueue their owner. An event must pass all of them. Default: every event. */
  predicates?: readonly Predicate<T>[];
}

export interface OwnsDeclaration {
  readonly kind: KindReference;
  readonly predicates?: readonly Predicate[];
}

/**
 * Declares a kind of children. The controller may apply objects of that kind, and an event of a child enqueues its owner: the
 * object of the reconciled kind that is its controller. The cache contains only children with the label that `context.apply`
 * sets. `context.prune` deletes children and therefore also needs `@Rbac(Kind, ['delete'])`.
 */
export function Owns<T extends KubernetesObject>(
  kind: KindReference<T>,
  options: OwnsOptions<NoInfer<T>> = {},
): (target: AnyClass) => void {
  return (target) => declare(owns.record, target, { ...options, kind } as OwnsDeclaration);
}

/** The descriptor of `@Owns`. */
export const owns = controllerDecorator({
  name: 'Owns',
  record: recordField('owns', listed<OwnsDeclaration>()),
  plan: planOwned,
  permissions({ owns: owned, controllerClass: { name }, resource }) {
    if (owned.length === 0) return [];
    const children = owned.map((child) => child.resource.kind).join(', ');
    return [
      ...owned.map((child) =>
        permissionFor(
          child.resource,
          ['list', 'watch', 'create', 'patch'],
          `${name} owns ${child.resource.kind} and applies it`,
        ),
      ),
      // The admission plugin OwnerReferencesPermissionEnforcement requires it, in clusters that use it.
      permissionFor(
        resource,
        ['update'],
        `${name} sets blockOwnerDeletion in the owner references of ${children}`,
        'finalizers',
      ),
    ];
  },
  step: (kind: KindReference, options?: OwnsOptions): FunctionStep => ({ on: 'class', decorate: Owns(kind, options) }),
});

export interface OwnsStep {
  /** Same as `@Owns`. */
  owns<C extends KubernetesObject>(kind: KindReference<C>, options?: OwnsOptions<C>): this;
}

/** A kind of children, and the events that enqueue their owner. */
export interface PlannedOwned extends CachedKind {
  readonly predicates: readonly Predicate[];
}

export interface PlannedOwns {
  readonly owns: readonly PlannedOwned[];
}

function planOwned(declarations: readonly OwnsDeclaration[], reader: DeclarationReader): PlannedOwns {
  const word = reader.say('Owns');
  const planned = declarations.flatMap((declaration): PlannedOwned | [] => {
    reader.checkOptions(word, declaration, ['kind', 'predicates']);
    const predicates = reader.predicates(word, declaration.predicates);
    const kind = reader.cachedKind(word, declaration.kind);
    return kind === undefined ? [] : { ...kind, predicates };
  });
  const seen = new Set<string>();
  for (const { kind, resource } of planned) {
    const gvk = formatGroupVersionKind(resource);
    if (reader.primary?.resource.namespaced === true && !resource.namespaced) {
      reader.report(
        'owner-reference-refused',
        `${word}(${kind.name}): a namespaced ${reader.primary.resource.kind} cannot own a cluster-scoped ${resource.kind} (the garbage collector would delete it); write it with context.client and { acrossNamespaces: true }, and delete it in a finalizer`,
      );
    }
    if (seen.has(gvk)) {
      reader.report('duplicate-declaration', `${word}(${kind.name}) is declared twice; remove one of them`);
    }
    seen.add(gvk);
  }
  return { owns: planned };
}
