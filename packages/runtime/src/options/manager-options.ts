import type { Connection } from '@evenkeel/client';
import type {
  Clock,
  ConcreteClass,
  Duration,
  KindFields,
  Logger,
  ObjectValidator,
  Random,
  Transport,
} from '@evenkeel/core';
import type { KindCacheOptions } from '../cache/cache.ts';
import type { LeaderElectionOptions } from '../election/election-timing.ts';
import type { ReconcileRun } from '../reconcile/reconcile-run.ts';
import type { ManagerRunnable } from '../runnable/manager-runnable.ts';
import type { HealthServerOptions } from './health-server-options.ts';
import type { MetricsOptions } from './metrics-options.ts';

export interface ManagerOptions {
  /** Classes with `@Controller`, and what `controllerFor()` gives. */
  readonly controllers: readonly ConcreteClass[];
  /**
   * Classes that controllers, and other services, ask for in their constructors. One instance each, made when it is first
   * needed: what nobody asks for is not. `@postConstruct` and `@preDestroy` of inversify are called, of what is needed first
   * and last; the latter when the reconciles in hand are done.
   */
  readonly services?: readonly ConcreteClass[];
  /** Work beside the controllers: classes, made as services are, or objects. */
  readonly runnables?: readonly (ConcreteClass<ManagerRunnable> | ManagerRunnable)[];
  /**
   * Lets one process at a time work, of all that name the same Lease; others stand by with full caches. Only who leads
   * writes with the manager's client. A process that has lost the Lease must end: {@link Manager.run} ends it with 1.
   * Default: none, every process works.
   */
  readonly leaderElection?: LeaderElectionOptions;
  /** Carries requests to the API server; the caller closes it. Goes before `connection`. */
  readonly transport?: Transport;
  /** Where the API server is. Goes before `kubeconfig`. */
  readonly connection?: Connection;
  /** A kubeconfig file. Default: `KUBECONFIG`, the pod's service account, `~/.kube/config`, the first there is. */
  readonly kubeconfig?: string;
  /**
   * Which namespaces are watched, also those that are not there yet; cluster-scoped kinds always are. A Role in each is
   * enough for namespaced kinds. Default: all.
   */
  readonly namespaces?: readonly string[];
  /**
   * How single kinds are cached: which namespaces, labels and fields, which paths are kept, what is done to objects before
   * they are stored. Stands in for what declarations leave out. A kind that a controller reconciles or owns is cached
   * whole: `keep` and `transform` of one are refused with `invalid-option`. Default: as declared.
   */
  readonly cache?: readonly KindCacheOptions[];
  /** Default: silent. `Manager.run` has one that writes JSON lines to standard output, from its setting `logLevel` on. */
  readonly logger?: Logger;
  /** Default: the system's. */
  readonly clock?: Clock;
  /** Default: the system's. */
  readonly random?: Random;
  /** How long work in hand may go on after a stop. Default `'30s'`. */
  readonly gracePeriod?: Duration;
  /**
   * Checks each object before the reconcile of its kind sees it: what a looser CRD let through, or what no CRD can say.
   * Default: none, for the API server has checked what the CRD says.
   *
   * An object with findings is not reconciled until a change makes it pass, whatever else wakes its key: its children are
   * left as they are. That is told by a Warning Event `Invalid`, by one line of the log for each generation, and, where
   * the class of its status has `@Conditions()`, by the condition `Valid` with status `False` and reason `Invalid`, which
   * becomes `True` with the first reconcile after it passes. An object that has always passed gets no such condition.
   *
   * Not checked: objects being deleted, so that no finalizer hangs on it, and those that are only owned or watched. A
   * validator that throws fails the run with `validator-failed`: it is logged with the object, and tried again with
   * backoff.
   */
  readonly validator?: ObjectValidator;
  /** Where the kubelet's probes are answered. Default: nowhere. */
  readonly health?: HealthServerOptions;
  /** Where metrics are read. Default: nowhere, and nothing is measured. */
  readonly metrics?: MetricsOptions;
  /**
   * The fields of the kinds that this operator was built with, as `evenkeel generate` writes them where its configuration
   * says `fields`. A controller that reconciles, owns or watches one of those kinds runs nothing while the API server lacks
   * such a field, and would drop it from what is written; the health names what is missing. It is found out from the
   * server's OpenAPI document, for which no permission is needed. Default: nothing is compared.
   */
  readonly fields?: KindFields;
  /** Told of each run of a reconcile when it has ended. Must be quick; what it throws is logged. */
  readonly observer?: (run: ReconcileRun) => void;
}
