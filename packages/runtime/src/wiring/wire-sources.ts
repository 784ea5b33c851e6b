import {
  type ApiResource,
  type Clock,
  type ControllerDecoratorName,
  type ControllerPlan,
  declarationsOf,
  type KindClass,
  type Logger,
  type PlannedWatch,
  type Predicate,
  type Random,
  wordOf,
} from '@evenkeel/core';
import type { Informer } from '../cache/informer.ts';
import { enqueueMapped, type Mapper } from '../handler/enqueue-mapped.ts';
import { enqueueObject } from '../handler/enqueue-object.ts';
import { enqueueOwner } from '../handler/enqueue-owner.ts';
import type { EventHandler } from '../handler/event-handler.ts';
import type { InstanceMethods } from '../injection/instance-methods.ts';
import { failuresOf } from '../log/failure-count.ts';
import type { ControllerObserver } from '../metrics/controller-metrics.ts';
import { resourceVersionChanged } from '../predicate/change-predicates.ts';
import { ChannelSource } from '../source/channel-source.ts';
import { KindSource, type WatchedKind } from '../source/kind-source.ts';
import type { Outage } from '../source/outage.ts';
import { PeriodicSource } from '../source/periodic-source.ts';
import type { Source } from '../source/source.ts';
import type { PlanInformers } from './plan-informers.ts';

export interface SourceParts {
  readonly clock: Clock;
  readonly random: Random;
  /** The controller's. */
  readonly logger: Logger;
  readonly outage: Outage;
  /** Creates the source that compares the fields of a kind with those at build time; undefined if the option `fields` is not set. */
  readonly fieldsSource: ((of: WatchedKind) => Source | undefined) | undefined;
  readonly measured: ControllerObserver | undefined;
}

/** Creates everything that adds keys to a controller's queue: its kinds first, in the order of the declarations. */
export function wireSources(
  plan: ControllerPlan,
  methods: InstanceMethods,
  informers: PlanInformers,
  parts: SourceParts,
): readonly Source[] {
  const { resource, periodMs } = plan;
  const { clock, random, logger, outage, fieldsSource } = parts;
  const kinds = declaredKinds(plan, methods, informers, parts).map((declared) => ({
    ...declared,
    of: watchedKind(plan, declared, clock, logger),
  }));
  return [
    ...kinds.map(
      ({ of, predicates, handler }) =>
        new KindSource({ ...of, predicates: [resourceVersionChanged, ...predicates], handler, outage }),
    ),
    ...plan.channels.map(
      (name) =>
        new ChannelSource({ member: methods.memberOf(name), open: methods.bound(name), resource, clock, logger }),
    ),
    ...(periodMs === undefined ? [] : [new PeriodicSource({ informer: informers.primary, periodMs, clock, random })]),
    ...kinds.flatMap(({ of }) => (of.informer.metadataOnly ? [] : (fieldsSource?.(of) ?? []))),
  ];
}

interface DeclaredKind {
  readonly informer: Informer;
  readonly kind: KindClass;
  readonly predicates: readonly Predicate[];
  readonly decorator: ControllerDecoratorName;
  readonly handler: EventHandler;
}

/** The kinds of a plan: the reconciled kind, the owned kinds and the watched kinds. */
function declaredKinds(
  plan: ControllerPlan,
  methods: InstanceMethods,
  { primary, owned, watched }: PlanInformers,
  parts: SourceParts,
): readonly DeclaredKind[] {
  const { kind, predicates, resource } = plan;
  return [
    { informer: primary, kind, predicates, decorator: 'Controller', handler: enqueueObject },
    ...[...owned].map(
      ([one, informer]): DeclaredKind => ({
        informer,
        kind: one.kind,
        predicates: one.predicates,
        decorator: 'Owns',
        handler: enqueueOwner(resource),
      }),
    ),
    ...[...watched].map(
      ([watch, informer]): DeclaredKind => ({
        informer,
        kind: watch.kind,
        predicates: watch.predicates,
        decorator: 'Watches',
        handler: mapped(watch, methods, resource, parts),
      }),
    ),
  ];
}

function mapped(
  { method }: PlannedWatch,
  methods: InstanceMethods,
  resource: ApiResource,
  { logger, measured }: SourceParts,
): EventHandler {
  const member = methods.memberOf(method);
  const report = failuresOf(member, 'a mapper failed; keys that it did not return are not enqueued', logger);
  return enqueueMapped({
    member,
    mapper: methods.bound(method) as Mapper,
    resource,
    failed: (error, object) => {
      measured?.mappingFailed();
      report(error, object);
    },
  });
}

function watchedKind(
  { controllerClass }: ControllerPlan,
  { informer, kind, decorator }: DeclaredKind,
  clock: Clock,
  logger: Logger,
): WatchedKind {
  const watched = informer.metadataOnly ? `Metadata(${kind.name})` : kind.name;
  return {
    informer,
    declaration: `${wordOf(controllerClass, decorator)}(${watched})`,
    definitionFile: definitionFileOf(kind, informer.resource),
    clock,
    logger,
  };
}

/** The default path to which `evenkeel generate` writes the CRD of a kind; undefined for built-in kinds. */
function definitionFileOf(kind: KindClass, { group, plural }: ApiResource): string | undefined {
  return declarationsOf(kind).customResource === undefined ? undefined : `config/crd/${group}_${plural}.yaml`;
}
