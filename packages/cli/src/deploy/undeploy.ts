import { EvenkeelError, ignoreNotFound, StatusError } from '@evenkeel/core';
import { authoritySecretName, authoritySecretType } from '@evenkeel/core/certificates';
import { Deployment } from '@evenkeel/kinds/apps/v1';
import { Lease } from '@evenkeel/kinds/coordination/v1';
import { Pod, Secret } from '@evenkeel/kinds/core/v1';
import { type ClusterOptions, type ClusterSession, onCluster } from '../cluster/cluster-session.ts';
import { managerOf } from '../cluster/field-manager.ts';
import {
  isDefinition,
  isNamespace,
  keyOf,
  type ObjectReference,
  referenceOf,
  shownName,
} from '../cluster/object-name.ts';
import type { CommandTerminal } from '../report/command-terminal.ts';
import { ask } from '../scaffold/questions.ts';
import { countText, deleteObjects, type InstalledKind, installedKind } from './custom-objects.ts';
import { DeploymentRecord } from './deployment-record.ts';
import { requiredOperator } from './install.ts';
import { podsOf } from './pod-problems.ts';

const pollMs = 200;
/** The time after which the command prints what it waits for. */
const quietMs = 1000;

/** The options of commands that delete objects. */
export interface RemoveOptions extends ClusterOptions {
  readonly dryRun?: string;
  readonly yes?: boolean;
}

export interface UndeployOptions extends RemoveOptions {
  readonly deleteCrds?: boolean;
  readonly deleteNamespace?: boolean;
  readonly namespace?: string;
}

/** Deletes the CRDs of a project with all their objects; resolves to the exit code. */
export function uninstall(options: RemoveOptions, terminal: CommandTerminal): Promise<number> {
  return onCluster('uninstalling the CRDs of', options, {}, terminal, async (session) => {
    const removal = new Removal(session, options);
    const definitions = await removal.ownDefinitions(session.objects.map(referenceOf));
    await removal.confirm(definitions, false);
    await removal.deleteCustomObjects(definitions);
    await removal.deleteDefinitions(definitions);
    session.report.say(`uninstalled: ${session.report.summary}`);
  });
}

/** Deletes everything that `evenkeel deploy` has applied, in the reverse order; resolves to the exit code. */
export function undeploy(options: UndeployOptions, terminal: CommandTerminal): Promise<number> {
  return onCluster('undeploying', options, {}, terminal, (session) => undeployOperator(session, options));
}

async function undeployOperator(session: ClusterSession, options: UndeployOptions): Promise<void> {
  const { cluster, report, signal, clock, deadlineMs } = session;
  const declared = requiredOperator(session, 'undeploy');
  const operator = { ...declared, namespace: options.namespace ?? declared.namespace };
  const record = new DeploymentRecord({ ...session, operator, manager: managerOf(operator) });
  const { exists } = await record.read(signal);
  const generated = operator.namespace === declared.namespace ? session.objects.map(referenceOf) : [];
  const elsewhere = new Set((await record.others(signal)).flatMap(({ objects }) => objects.map(keyOf)));
  const all = new Map([...generated, ...record.objects].map((object) => [keyOf(object), object]));
  const objects = [...all.values()].filter((object) => !elsewhere.has(keyOf(object)));
  const removal = new Removal(session, options);
  const deletesDefinitions = options.deleteCrds === true;
  const definitions = await removal.ownDefinitions(objects);
  if (deletesDefinitions || options.deleteNamespace === true) {
    await removal.confirm(deletesDefinitions ? definitions : [], options.deleteNamespace === true);
  }
  if (exists && !report.isDryRun) {
    await record.acquire(deadlineMs - clock.monotonic(), signal, (by) =>
      report.progress(`waiting for the deployment by ${by}`),
    );
  }
  try {
    // While the operator still runs, because it removes its finalizers.
    if (deletesDefinitions) await removal.deleteCustomObjects(definitions);
    for (const object of objects.toReversed()) {
      if (!isDefinition(object) && !isNamespace(object)) await removal.delete(object);
    }
    await removal.deleteOwnObjects(operator);
    if (deletesDefinitions) await removal.deleteDefinitions(definitions);
    else removal.reportKept(definitions);
    if (exists && !report.isDryRun) await record.remove(signal);
  } finally {
    await record.release();
  }
  for (const namespace of objects.filter(isNamespace)) {
    if (options.deleteNamespace === true) await removal.delete(namespace);
    else if ((await cluster.get(namespace, signal)) !== undefined) {
      report.object({ ...namespace, outcome: 'kept', fields: [], reason: 'pass --delete-namespace to delete it' });
    }
  }
  report.say(`${report.isDryRun ? 'would undeploy' : 'undeployed'}: ${report.summary}`);
}

class Removal {
  readonly #session: ClusterSession;
  readonly #options: RemoveOptions;

  constructor(session: ClusterSession, options: RemoveOptions) {
    this.#session = session;
    this.#options = options;
  }

  /** Returns the kinds of the CRDs that belong to this project and exist. Prints the others. */
  async ownDefinitions(objects: readonly ObjectReference[]): Promise<InstalledKind[]> {
    const { client, cluster, report, signal } = this.#session;
    const kinds: InstalledKind[] = [];
    for (const object of objects.filter(isDefinition)) {
      const live = await cluster.get(object, signal);
      if (live === undefined) continue;
      const reason = cluster.foreignReason(live);
      if (reason !== undefined) report.object({ ...object, outcome: 'kept', fields: [], reason });
      else kinds.push(...[await installedKind(client, object.name, signal)].flatMap((kind) => kind ?? []));
    }
    return kinds;
  }

  /** Prints how many objects would be deleted, and asks. Throws `confirmation-required` unless the user agrees. */
  async confirm(kinds: readonly InstalledKind[], deletesNamespace: boolean): Promise<void> {
    const { report, terminal } = this.#session;
    const lost = [
      ...kinds.map(countText),
      ...(deletesNamespace ? ['the namespace of the operator, with everything in it'] : []),
    ];
    if (lost.length === 0) return;
    for (const line of lost) report.progress(`deletes ${line}`);
    if (report.isDryRun || this.#options.yes === true) return;
    const canAsk = terminal.isInteractive === true && process.stdin.isTTY === true;
    const [answer = ''] = canAsk ? ((await ask([{ text: 'Delete them? Type yes', byDefault: 'no' }])) ?? []) : [];
    if (answer === 'yes') return;
    throw new EvenkeelError(
      'confirmation-required',
      'nothing was deleted; pass --yes to delete these objects without confirmation',
    );
  }

  async deleteCustomObjects(kinds: readonly InstalledKind[]): Promise<void> {
    const { client, report, clock, deadlineMs, signal } = this.#session;
    if (report.isDryRun) return;
    const waiting = { clock, deadlineMs, signal, progress: (line: string) => report.progress(line) };
    for (const kind of kinds) {
      await deleteObjects(client, kind, waiting);
      if (kind.count > 0) report.say(`deleted ${countText(kind)}`);
    }
  }

  async deleteDefinitions(kinds: readonly InstalledKind[]): Promise<void> {
    for (const { definition } of kinds) {
      await this.delete({
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        name: definition,
      });
    }
  }

  reportKept(kinds: readonly InstalledKind[]): void {
    const { report } = this.#session;
    for (const kind of kinds) {
      const { definition, count, withFinalizers, isConvertedByWebhook } = kind;
      const reason = `it has ${count} ${count === 1 ? 'object' : 'objects'}; pass --delete-crds to delete both`;
      const object = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', name: definition };
      report.object({ ...object, outcome: 'kept', fields: [], reason });
      if (withFinalizers > 0) {
        report.notice(
          `${definition}: objects with finalizers (${withFinalizers}) cannot be deleted until the operator is deployed again`,
        );
      }
      if (isConvertedByWebhook && count > 0) {
        report.notice(
          `${definition}: its conversion webhook is gone, so objects that are stored in another version cannot be read until the operator is deployed again`,
        );
      }
    }
  }

  /**
   * Deletes an object. Waits until a CRD and a namespace are gone, and until a Deployment and its pods are gone, so that they can still
   * use the other objects. Throws `deletion-stuck`.
   */
  async delete(reference: ObjectReference): Promise<void> {
    const { cluster, report, clock, deadlineMs, signal, client } = this.#session;
    const pods = reference.kind === 'Deployment' ? await this.#podsOf(reference) : undefined;
    const change = await cluster.delete(reference, { dryRun: report.isDryRun, signal });
    if (change === undefined) return;
    const isAwaited = pods !== undefined || isDefinition(reference) || isNamespace(reference);
    if (change.outcome === 'deleted' && isAwaited && !report.isDryRun) {
      const startedMs = clock.monotonic();
      for (let isReported = false; ; ) {
        const live = await cluster.get(reference, signal);
        const running = pods === undefined ? [] : (await client.list(Pod, { ...pods, signal })).items;
        if (live === undefined && running.length === 0) break;
        if (clock.monotonic() >= deadlineMs) {
          const finalizers = live?.metadata.finalizers ?? [];
          const why =
            finalizers.length === 0
              ? `${running.length} pods still run`
              : `its finalizers are ${finalizers.join(', ')}`;
          throw new EvenkeelError(
            'deletion-stuck',
            `${shownName(reference)} still exists after the time limit: ${why}; find out what blocks its deletion, and run the command again`,
          );
        }
        if (!isReported && clock.monotonic() - startedMs >= quietMs) {
          report.progress(`waiting until ${shownName(reference)} is gone`);
          isReported = true;
        }
        await clock.sleep(pollMs, signal);
      }
    }
    report.object(change);
  }

  /** Deletes the objects that the operator has created for itself. */
  async deleteOwnObjects({
    name,
    namespace,
    leaderElection,
    certificates,
  }: ReturnType<typeof requiredOperator>): Promise<void> {
    const { client, report, signal } = this.#session;
    const dryRun = report.isDryRun;
    const deleted = (kind: string, apiVersion: string, of: { name: string; namespace: string }) =>
      report.object({ apiVersion, kind, ...of, outcome: 'deleted', fields: [] });
    if (leaderElection !== undefined) {
      const key = { name: leaderElection.name, namespace: leaderElection.namespace };
      if (await isDeleted(client.delete(Lease, key, { dryRun, signal })))
        deleted('Lease', 'coordination.k8s.io/v1', key);
    }
    if (certificates !== 'built-in') return;
    const key = { name: authoritySecretName(name), namespace };
    const secret = await ignoreNotFound(client.get(Secret, key, { signal }));
    if (secret?.type !== authoritySecretType) return;
    if (await isDeleted(client.delete(Secret, key, { dryRun, signal }))) deleted('Secret', 'v1', key);
  }

  async #podsOf({ namespace, name }: ObjectReference) {
    const { client, signal } = this.#session;
    const deployment = await ignoreNotFound(client.get(Deployment, { namespace, name }, { signal }));
    if (deployment === undefined) return undefined;
    const { selector, ...place } = podsOf(deployment);
    return { ...place, labels: selector.matchLabels ?? {} };
  }
}

async function isDeleted(deletion: Promise<unknown>): Promise<boolean> {
  try {
    await deletion;
    return true;
  } catch (error) {
    if (error instanceof StatusError && error.code === 404) return false;
    throw error;
  }
}
