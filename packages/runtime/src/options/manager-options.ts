import type { Connection } from '@evenkeel/client';
import type {
  Clock,
  ConcreteClass,
  Duration,
  KindFields,
  Logger,
  ObjectValidator,
  Provider,
  Random,
  ServiceEntry,
  Transport,
} from '@evenkeel/core';
import type { KindCacheOptions } from '../cache/cache.ts';
import type { LeaderElectionOptions } from '../election/election-timing.ts';
import type { RecordedEvent } from '../event/event-recorder.ts';
import type { ReconcileRun } from '../reconcile/reconcile-run.ts';
import type { ManagerRunnable } from '../runnable/manager-runnable.ts';
import type { HealthServerOptions } from './health-server-options.ts';
import type { MetricsOptions } from './metrics-options.ts';
import type { WebhookServerDeclaration, WebhookServerOptions } from './webhook-server-options.ts';

/** The parts of an operator, and how its manager runs them. */
export interface ManagerOptions {
  /** The name of the operator, which its webhook configurations have. Default: `operator`. */
  readonly name?: string;
  /** Classes with `@Controller`, and controllers that `controllerFor()` returns. */
  readonly controllers: readonly ConcreteClass[];
  /**
   * Classes with `@ValidatingWebhook` or `@MutatingWebhook`, and webhooks that `validatingWebhookFor()` and
   * `mutatingWebhookFor()` return. Mutating webhooks are called in this order. They work in every process, not only in the leader.
   * Default: none.
   */
  readonly webhooks?: readonly ConcreteClass[];
  /**
   * The oldest Kubernetes on which the operator runs. It decides whether a webhook with `policy: true` becomes a policy:
   * ValidatingAdmissionPolicy from 1.30, MutatingAdmissionPolicy from 1.36. Default `1.31`.
   */
  readonly minServerVersion?: string;
  /**
   * The classes of versions that declare a conversion in `@CustomResource`. The webhook server converts them at `/convert`.
   * Default: none.
   */
  readonly conversions?: readonly ConcreteClass[];
  /** What the webhook server and the generated files must agree on. */
  readonly webhookServer?: WebhookServerDeclaration;
  /** How this process serves its webhooks. Has no effect in a test environment, which calls them itself. */
  readonly webhook?: WebhookServerOptions;
  /**
   * What the constructors of controllers and other services may have as parameters: classes, providers (see `provider()`), and
   * modules of inversify. The manager creates one value of each when it is first needed, so an unused service is never created.
   * A value is complete when its factory and inversify's `@postConstruct` methods have finished, dependencies first, and before
   * anything else of the manager starts. The manager calls `@preDestroy` methods and the `dispose` of factories in reverse order
   * after the current runs have finished, also if the start fails. A provider of a class replaces a listed class.
   */
  readonly services?: readonly ServiceEntry[];
  /**
   * Providers that replace services, for tests. The replaced class or factory is not called. Throws `unknown-override` for a
   * provider that replaces nothing. Default: none.
   */
  readonly overrides?: readonly Provider[];
  /** Other work of the operator: objects, or classes, whose instances are created like services. */
  readonly runnables?: readonly (ConcreteClass<ManagerRunnable> | ManagerRunnable)[];
  /**
   * Of all processes with the same Lease, only the leader is active; the others stand by with full caches. Only the leader can
   * write with the manager's client. A process that loses the Lease must exit: {@link Manager.run} exits with 1. Default:
   * none, every process is active.
   */
  readonly leaderElection?: LeaderElectionOptions;
  /** Sends the requests to the API server. The caller closes it. Overrides `connection`. */
  readonly transport?: Transport;
  /** The address and credentials of the API server. Overrides `kubeconfig`. */
  readonly connection?: Connection;
  /** The path of a kubeconfig file. Default: the first that exists of `KUBECONFIG`, the pod's service account, `~/.kube/config`. */
  readonly kubeconfig?: string;
  /**
   * The namespaces to watch, which may be created later. Cluster-scoped kinds are always watched. For namespaced kinds, a Role
   * in each of these namespaces is enough. Default: all.
   */
  readonly namespaces?: readonly string[];
  /**
   * How to cache single kinds: the namespaces, labels and fields that select objects, the paths to keep, the
   * annotations to drop, and a function that changes objects before they are stored. Applies to what the declarations do not set.
   * For a kind that a controller reconciles or owns, `keep` and `transform` throw `invalid-option`. Default: as declared.
   */
  readonly cache?: readonly KindCacheOptions[];
  /** Default: silent. `Manager.run` writes JSON lines to standard output by default, from its setting `logLevel` up. */
  readonly logger?: Logger;
  /** Default: the system's. */
  readonly clock?: Clock;
  /** Default: the system's. */
  readonly random?: Random;
  /** The time for current work to finish after a stop. Default `'30s'`. */
  readonly gracePeriod?: Duration;
  /**
   * Checks each object before its reconcile method is called. It can find objects that a less strict CRD accepted, and check
   * rules that a CRD cannot express. Default: none, because the API server checks the rules of the CRD.
   *
   * An invalid object is not reconciled until it changes and is valid, even if other events enqueue its key. Its children stay
   * unchanged. The manager reports it with a Warning Event `Invalid` and with one log line for each generation. If the class of
   * its status has `@Conditions()`, the condition `Valid` gets the status `False` and the reason `Invalid`, and becomes `True`
   * in the first run after the object is valid. An object that has always been valid gets no such condition.
   *
   * The validator does not check objects that are being deleted, so it cannot block a finalizer, or objects that are only owned
   * or watched. If it throws, the run fails with `validator-failed`, is logged with the object, and is retried with backoff.
   */
  readonly validator?: ObjectValidator;
  /** The server for the kubelet's probes. Default: disabled. */
  readonly health?: HealthServerOptions;
  /** The server for metrics. Default: disabled, and nothing is measured. */
  readonly metrics?: MetricsOptions;
  /**
   * The fields of the custom kinds at build time. `evenkeel generate` writes them if `fields` is set in its configuration. If a
   * field is missing in the cluster's CRD, the API server would drop it from each write. The controllers that reconcile, own or
   * watch that kind then pause, and the health names the missing fields. The manager reads the fields from the server's OpenAPI
   * document, which needs no permission. Default: fields are not compared.
   */
  readonly fields?: KindFields;
  /**
   * Whether to log a line `reconciled` at the level `info` for each run, with its triggers, writes, outcome and duration.
   * Default: false, a shorter line at the level `debug`.
   */
  readonly logReconciles?: boolean;
  /** Called after each run. It must be fast; the manager logs what it throws. */
  readonly observer?: (run: ReconcileRun) => void;
  /** Called for each Event that is recorded, also if it repeats one. It must be fast; the manager logs what it throws. */
  readonly eventObserver?: (event: RecordedEvent) => void;
}
