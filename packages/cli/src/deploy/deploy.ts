import { type ClusterSession, onCluster } from '../cluster/cluster-session.ts';
import { managerOf } from '../cluster/field-manager.ts';
import {
  isDefinition,
  isNamespace,
  isWebhookConfiguration,
  keyOf,
  type ObjectReference,
  referenceOf,
} from '../cluster/object-name.ts';
import type { ManifestObject } from '../manifests/generated-file.ts';
import type { CommandTerminal } from '../report/command-terminal.ts';
import { checkAccess } from './check-access.ts';
import { definitionsIn } from './definitions-in.ts';
import { DeploymentRecord, type OtherDeployment } from './deployment-record.ts';
import {
  type ApplyOptions,
  applyObject,
  compareDefinitionsWithLive,
  requiredOperator,
  untilEstablished,
} from './install.ts';
import { preflight } from './preflight.ts';
import { waitForRollout } from './rollout.ts';
import { isCaller, waitForWebhooks } from './webhooks-ready.ts';

/** The options of `evenkeel deploy`. */
export interface DeployOptions extends ApplyOptions {
  readonly image?: string;
}

/** Applies everything that the operator of a project needs, and waits until it works; resolves to the exit code. */
export function deploy(options: DeployOptions, terminal: CommandTerminal): Promise<number> {
  const deploys = options.image === undefined ? {} : { image: options.image };
  return onCluster('deploying', options, deploys, terminal, (session) =>
    new OperatorDeployment(session, options).run(),
  );
}

class OperatorDeployment {
  readonly #session: ClusterSession;
  readonly #options: DeployOptions;
  readonly #record: DeploymentRecord;
  /** The namespaces that a dry run would create. The API server cannot check objects in them. */
  readonly #newNamespaces = new Set<string>();

  constructor(session: ClusterSession, options: DeployOptions) {
    this.#session = session;
    this.#options = options;
    const operator = requiredOperator(session, 'deploy');
    this.#record = new DeploymentRecord({ ...session, operator, manager: managerOf(operator) });
  }

  async run(): Promise<void> {
    const { cluster, objects, report, signal } = this.#session;
    await checkAccess(cluster, objects, ['get', 'create', 'patch'], signal);
    await compareDefinitionsWithLive(this.#session, this.#options);
    await preflight(this.#session, objects, this.#options.forceConflicts === true);
    const namespaces = objects.filter(isNamespace);
    for (const namespace of namespaces) await this.#apply(namespace);
    const others = objects.filter((object) => !isNamespace(object));
    if (report.isDryRun) return this.#dryRun(others);
    await this.#lock();
    try {
      const current = objects.map(referenceOf);
      // An interrupted deployment leaves nothing that is not recorded.
      await this.#record.write([...this.#record.objects, ...current], this.#signal);
      await this.#applyAll(others);
      await this.#record.write([...(await this.#prune()), ...current], this.#signal);
    } catch (error) {
      // The reason of the abort explains more than the error of the aborted request.
      this.#record.lost.throwIfAborted();
      throw error;
    } finally {
      await this.#record.release();
    }
    report.say(`deployed: ${report.summary}`);
    for (const other of await this.#record.others(signal)) this.#warnOf(other);
  }

  /** Two operators for the same objects would undo each other's changes. */
  #warnOf({ name, namespace, objects }: OtherDeployment): void {
    const { objects: own, report } = this.#session;
    const definitions = new Set(own.filter(isDefinition).map((object) => object.metadata.name));
    const shared = objects.filter((object) => isDefinition(object) && definitions.has(object.name));
    if (name === requiredOperator(this.#session, 'deploy').name) {
      report.notice(
        `the operator is also deployed in the namespace ${namespace}; if it has moved, run "evenkeel undeploy --namespace ${namespace}"`,
      );
    } else if (shared.length > 0) {
      report.notice(
        `the operator ${name} in the namespace ${namespace} has the same CRDs (${shared.map((each) => each.name).join(', ')}); if ${name} is the old name of this operator, set it again, run "evenkeel undeploy", and then set the new name`,
      );
    }
  }

  get #signal(): AbortSignal {
    return AbortSignal.any([this.#session.signal, this.#record.lost]);
  }

  async #lock(): Promise<void> {
    const { clock, deadlineMs, report, signal } = this.#session;
    const waiting = (by: string) => report.progress(`waiting for the deployment by ${by}`);
    await this.#record.acquire(deadlineMs - clock.monotonic(), signal, waiting);
  }

  async #dryRun(others: readonly ManifestObject[]): Promise<void> {
    const { report, signal } = this.#session;
    await this.#record.read(signal);
    for (const object of others) await this.#apply(object);
    await this.#prune();
    report.say(`would deploy: ${report.summary}; nothing was written`);
  }

  /** The Deployment must be available before the API server calls its webhooks: their failure would block requests. */
  async #applyAll(others: readonly ManifestObject[]): Promise<void> {
    const { cluster, objects, report, clock, deadlineMs } = this.#session;
    const waiting = { clock, deadlineMs, signal: this.#signal, progress: (line: string) => report.progress(line) };
    const isLate = (object: ManifestObject): boolean => isWebhookConfiguration(object);
    const definitions = definitionsIn(others);
    for (const definition of definitions) await this.#apply(definition);
    await untilEstablished(this.#session, definitions);
    for (const object of others) if (!isDefinition(object) && !isLate(object)) await this.#apply(object);
    for (const { kind, metadata } of others) {
      if (kind !== 'Deployment') continue;
      report.say(await waitForRollout(cluster.client, { name: metadata.name, namespace: metadata.namespace }, waiting));
    }
    for (const object of others) if (isLate(object)) await this.#apply(object);
    if (!objects.some(isCaller)) return;
    await waitForWebhooks(cluster, objects, waiting);
    report.say('the API server can call the webhooks');
  }

  async #apply(object: ManifestObject): Promise<void> {
    const { report, cluster, signal } = this.#session;
    const { namespace } = object.metadata;
    if (report.isDryRun && isNamespace(object) && (await cluster.get(referenceOf(object), signal)) === undefined) {
      this.#newNamespaces.add(object.metadata.name);
    }
    if (namespace !== undefined && this.#newNamespaces.has(namespace)) {
      report.object({ ...referenceOf(object), outcome: 'created', fields: [] });
      return;
    }
    await applyObject({ ...this.#session, signal: report.isDryRun ? signal : this.#signal }, this.#options, object);
  }

  /**
   * Deletes recorded objects that the project no longer generates. Returns the ones that it keeps: CRDs and namespaces, because users would
   * lose their objects.
   */
  async #prune(): Promise<readonly ObjectReference[]> {
    const { cluster, objects, report } = this.#session;
    const current = new Set(objects.map((object) => keyOf(referenceOf(object))));
    const obsolete = this.#record.objects.filter((object) => !current.has(keyOf(object)));
    const request = { dryRun: report.isDryRun, signal: this.#signal };
    for (const object of obsolete.toReversed()) {
      if (isDefinition(object) || isNamespace(object)) {
        if ((await cluster.get(object, request.signal)) === undefined) continue;
        const reason = 'the project does not generate it any more; undeploy with the old version, or delete it by hand';
        report.object({ ...object, outcome: 'kept', fields: [], reason });
        continue;
      }
      const change = await cluster.delete(object, request);
      if (change !== undefined) report.object(change);
    }
    return obsolete.filter((object) => isDefinition(object) || isNamespace(object));
  }
}
