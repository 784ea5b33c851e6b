import 'reflect-metadata';
import type { ChannelDeclaration } from '../decorators/channel.ts';
import type { ControllerDeclaration } from '../decorators/controller.ts';
import type { CustomResourceDeclaration } from '../decorators/custom-resource.ts';
import type { EveryDeclaration } from '../decorators/every.ts';
import type { FinalizerDeclaration } from '../decorators/finalizer.ts';
import type { IndexDeclaration } from '../decorators/index-by.ts';
import type { ListerDeclaration } from '../decorators/lister-of.ts';
import type { OwnsDeclaration } from '../decorators/owns.ts';
import type { PrinterColumnDeclaration } from '../decorators/printer-column.ts';
import type { RbacDeclaration } from '../decorators/rbac.ts';
import type { ReconcileDeclaration } from '../decorators/reconcile.ts';
import type { ScaleDeclaration } from '../decorators/scale.ts';
import type { WatchesDeclaration } from '../decorators/watches.ts';
import type { KindClass } from '../kind/api-resource.ts';
import type { MetadataClass } from '../kind/metadata.ts';
import type { KubernetesObject } from '../object/kubernetes-object.ts';
import type { PropertyDeclaration } from './property.ts';
import type { SchemaDeclaration } from './schema-declaration.ts';

/** A class of any shape, as decorators meet it. */
// biome-ignore lint/suspicious/noExplicitAny: a constructor's parameters are contravariant; unknown[] would refuse most classes
export type AnyClass = abstract new (...args: any[]) => unknown;

/** A kind's class, or a thunk of it where an import cycle makes the class undefined while decorators run. */
export type KindReference<T extends KubernetesObject = KubernetesObject> = KindClass<T> | (() => KindClass<T>);

/** The same where metadata alone may be asked for. */
export type WatchedReference<T extends KubernetesObject = KubernetesObject> =
  | KindReference<T>
  | MetadataClass<T>
  | (() => MetadataClass<T>);

/**
 * What the decorators of one class, without its base classes, recorded. Pure data, unchecked: `schema` and `runtime`
 * read it once and check it whole.
 */
export interface ClassDeclarations {
  customResource?: CustomResourceDeclaration;
  scale?: ScaleDeclaration;
  readonly printerColumns: PrinterColumnDeclaration[];
  /** JSON paths. */
  readonly selectableFields: string[];
  /** Several decorators may stand on one property; in source order. */
  readonly properties: Map<string, PropertyDeclaration[]>;
  /** What is said of the schema of the class's objects; in source order. */
  readonly schema: SchemaDeclaration[];
  controller?: ControllerDeclaration;
  readonly owns: OwnsDeclaration[];
  readonly reconciles: ReconcileDeclaration[];
  readonly watches: WatchesDeclaration[];
  readonly finalizers: FinalizerDeclaration[];
  readonly periods: EveryDeclaration[];
  readonly channels: ChannelDeclaration[];
  readonly indexes: IndexDeclaration[];
  /** By position among the constructor's parameters. */
  readonly listers: ListerDeclaration[];
  readonly rbac: RbacDeclaration[];
}

const declarationsKey = Symbol.for('evenkeel.declarations');

/** The record a decorator writes to: the class's own, made when missing, never a base class's. */
export function recordOf(target: AnyClass): ClassDeclarations {
  const existing = ownDeclarationsOf(target);
  if (existing !== undefined) return existing;
  const created = emptyDeclarations();
  Reflect.defineMetadata(declarationsKey, created, target);
  return created;
}

/** The same for a decorator of a member, which is handed the class's prototype, or the class where the member is static. */
export function recordOfMember(target: object): ClassDeclarations {
  return recordOf((typeof target === 'function' ? target : target.constructor) as AnyClass);
}

/** What the class itself declares; undefined where no decorator of ours stands in it. */
export function ownDeclarationsOf(target: AnyClass): ClassDeclarations | undefined {
  return Reflect.getOwnMetadata(declarationsKey, target) as ClassDeclarations | undefined;
}

/**
 * What a class declares together with its base classes. A class-level declaration of the class itself wins over an
 * inherited one; a property or method that the class declares again replaces what its base said of it; lists are the
 * base's, then the class's own.
 */
export function declarationsOf(target: AnyClass): ClassDeclarations {
  const chain: ClassDeclarations[] = [];
  for (
    let current: unknown = target;
    typeof current === 'function' && current !== Function.prototype;
    current = Object.getPrototypeOf(current)
  ) {
    const own = ownDeclarationsOf(current as AnyClass);
    if (own !== undefined) chain.unshift(own);
  }
  const merged = emptyDeclarations();
  for (const own of chain) {
    if (own.customResource !== undefined) merged.customResource = own.customResource;
    if (own.scale !== undefined) merged.scale = own.scale;
    if (own.controller !== undefined) merged.controller = own.controller;
    merged.printerColumns.push(...own.printerColumns);
    merged.selectableFields.push(...own.selectableFields);
    for (const [property, declarations] of own.properties) merged.properties.set(property, declarations);
    merged.schema.push(...own.schema);
    merged.owns.push(...own.owns);
    replaceByMethod(merged.reconciles, own.reconciles);
    replaceByMethod(merged.watches, own.watches);
    replaceByMethod(merged.finalizers, own.finalizers);
    replaceByMethod(merged.periods, own.periods);
    replaceByMethod(merged.channels, own.channels);
    replaceByMethod(merged.indexes, own.indexes);
    const redeclared = new Set(own.rbac.map(({ member }) => member));
    const inherited = merged.rbac.filter(({ member }) => member === undefined || !redeclared.has(member));
    merged.rbac.splice(0, merged.rbac.length, ...inherited, ...own.rbac);
  }
  merged.listers.push(...listersOf(target));
  return merged;
}

/** What {@link declarationsOf} says of `@CustomResource`, without the rest: it is asked for with each request. */
export function customResourceOf(target: AnyClass): CustomResourceDeclaration | undefined {
  for (
    let current: unknown = target;
    typeof current === 'function' && current !== Function.prototype;
    current = Object.getPrototypeOf(current)
  ) {
    const { customResource } = ownDeclarationsOf(current as AnyClass) ?? {};
    if (customResource !== undefined) return customResource;
  }
  return undefined;
}

/** Constructor parameters belong to the class whose constructor runs: the nearest of which the compiler has recorded one. */
function listersOf(target: AnyClass): readonly ListerDeclaration[] {
  for (
    let current: unknown = target;
    typeof current === 'function' && current !== Function.prototype;
    current = Object.getPrototypeOf(current)
  ) {
    const { listers = [] } = ownDeclarationsOf(current as AnyClass) ?? {};
    if (listers.length > 0 || Reflect.hasOwnMetadata('design:paramtypes', current)) return listers;
  }
  return [];
}

function emptyDeclarations(): ClassDeclarations {
  return {
    printerColumns: [],
    selectableFields: [],
    properties: new Map(),
    schema: [],
    owns: [],
    reconciles: [],
    watches: [],
    finalizers: [],
    periods: [],
    channels: [],
    indexes: [],
    listers: [],
    rbac: [],
  };
}

function replaceByMethod<T extends { readonly method: string }>(inherited: T[], own: readonly T[]): void {
  const redeclared = new Set(own.map((declaration) => declaration.method));
  const kept = inherited.filter((declaration) => !redeclared.has(declaration.method));
  inherited.splice(0, inherited.length, ...kept, ...own);
}
