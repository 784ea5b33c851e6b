import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, loadConnection } from '@evenkeel/client';
import { type Clock, EvenkeelError, labelRequirementsOf, matchesLabels, SystemClock } from '@evenkeel/core';
import { Pod, Service } from '@evenkeel/kinds';
import type { Environment } from '../environment.ts';
import { claimPods } from './claim-pods.ts';
import { allocateAddress, type HostAddress } from './host-addresses.ts';
import type { PodContainer } from './pod-container.ts';
import { serverAddressOf } from './pod-credentials.ts';
import { PodProcesses } from './pod-processes.ts';
import { hostIP, PodRun, type PodSurroundings } from './pod-run.ts';
import { type ProcessPlans, plannerOf } from './process-plan.ts';
import { RunnerNode } from './runner-node.ts';

/** The options of {@link PodRunner.start}. */
export interface PodRunnerOptions {
  /** Closes the runner, and shows its pods in the messages of failed waits. */
  readonly environment: Environment;
  /** The pods to run: those with all of these labels, or those for which the function returns true. Default: all new pods. */
  readonly select?: Readonly<Record<string, string>> | ((pod: Pod) => boolean);
  /**
   * The process for each container, by the container's name or image. A container without a process waits with the reason
   * `ErrImagePull`.
   */
  readonly run: ProcessPlans;
  /** The clock for the back-off of restarts, for probes and for grace periods. Default: the system's. */
  readonly clock?: Clock;
}

/** `'namespace/name'`, or an object with both in its metadata. */
export type PodKey = string | { readonly metadata: { readonly name: string; readonly namespace?: string } };

/** The result of a command in a container. */
export interface ExecResult {
  readonly exitCode: number;
  /** What the command wrote to both streams. */
  readonly output: string;
}

/** The number of deleted pods whose logs can still be read. */
const mostEnded = 50;
const retryMs = 500;
/** The lines of a log in the message of a failed wait. */
const reportedLines = 5;
const mostReported = 5;

/**
 * Runs the containers of pods as processes of this machine, like the kubelet of a node: with init containers, environment
 * variables, volumes, the token of the ServiceAccount, probes, restarts and grace periods. It works on the embedded server, on a
 * kube-apiserver alone, and on a cluster whose other nodes kwok simulates.
 *
 * Each pod has an address of 127.64.0.0/10 on Linux, which is its `status.podIP`. On other systems all pods share 127.0.0.1, so
 * their ports must differ. A process must listen at this address, which is in its variable `EVENKEEL_POD_IP`, or at all addresses
 * if no other pod uses the port.
 *
 * The processes end with the process of the test, even if that is killed. They are not isolated: they see the files and the network
 * of this machine, and run as the same user. Paths of volumes in `command`, `args` and variables are replaced by the paths of
 * their folders. Limits of resources and security contexts have no effect.
 */
export class PodRunner implements AsyncDisposable {
  readonly #client: Client;
  readonly #node: RunnerNode;
  readonly #around: PodSurroundings;
  /** By `namespace/name`, in the order of their start. Also the last deleted pods. */
  readonly #runs = new Map<string, PodRun>();
  readonly #closing = new AbortController();
  readonly #binding = new Map<string, Promise<HostAddress>>();
  #watching: Promise<void> = Promise.resolve();
  #endClaim: () => Promise<void> = async () => undefined;
  #closed: Promise<void> | undefined;

  private constructor(node: RunnerNode, around: PodSurroundings) {
    this.#client = around.client;
    this.#node = node;
    this.#around = around;
  }

  /**
   * Starts a runner for pods that are created from now on. Rejects with `pods-already-run` if other nodes already run pods that
   * `select` selects.
   */
  static async start({ environment, select, run, clock = new SystemClock() }: PodRunnerOptions): Promise<PodRunner> {
    const { client } = environment;
    const isSelected = selectorOf(select);
    await rejectRunning(client, isSelected);
    const name = `evenkeel-pods-${randomBytes(3).toString('hex')}`;
    const connection = await loadConnection({ kubeconfig: await environment.kubeconfig(), environment: {} });
    const server = await serverAddressOf(connection);
    const folder = await mkdtemp(join(tmpdir(), 'evenkeel-pods-'));
    const runner = new PodRunner(new RunnerNode(name, client, new SystemClock()), {
      ...{ client, clock, processes: new PodProcesses(folder), planner: plannerOf(run), server, folder },
    });
    try {
      await runner.#node.register();
      const { webhookHost } = environment.transport;
      if (webhookHost === undefined) throw new Error('bug: the transport of an environment has no webhook host');
      runner.#endClaim = await webhookHost.serve(claimPods(name, isSelected, (key) => runner.#isStopping(key)));
      runner.#watching = runner.#watch();
      environment.join({ close: () => runner.close(), describe: () => runner.#describe() });
      return runner;
    } catch (error) {
      await runner.close();
      throw error;
    }
  }

  /** The name of the Node on which the pods run. */
  get nodeName(): string {
    return this.#node.name;
  }

  /**
   * Returns the output of a container: the last 250,000 characters of its current run, or of the run before it. The last deleted pods are
   * still known. Throws `pod-not-run`.
   *
   * @param container default: the first one.
   */
  logs(pod: PodKey, container?: string, { previous = false }: { readonly previous?: boolean } = {}): string {
    const { log } = this.#container(pod, container);
    return previous ? log.previous : log.current;
  }

  /**
   * Sends a signal to the processes of a pod, SIGKILL by default, as if the container had crashed. Its restart policy decides what
   * follows. Throws `pod-not-run`.
   */
  kill(pod: PodKey, { container, signal = 'SIGKILL' }: { container?: string; signal?: NodeJS.Signals } = {}): void {
    if (container !== undefined) this.#container(pod, container).kill(signal);
    else for (const one of this.#run(pod).containers) one.kill(signal);
  }

  /** Runs a command with the environment and the volumes of a container, as `kubectl exec` does. Throws `pod-not-run`. */
  async exec(pod: PodKey, command: readonly string[], { container }: { container?: string } = {}): Promise<ExecResult> {
    const { exitCode, output, notStarted } = await this.#container(pod, container).exec(command);
    return { exitCode, output: notStarted ?? output };
  }

  /** Returns the path on this machine of a path in a volume of a container. Throws `pod-not-run`. */
  path(pod: PodKey, containerPath: string, { container }: { container?: string } = {}): string {
    return this.#run(pod).path(this.#container(pod, container).container, containerPath);
  }

  /**
   * Returns `address:port` of a ready pod behind a Service, because nothing routes the Service's own address on this machine.
   * Rejects with `service-without-endpoints` if no pod is ready.
   *
   * @param port the name or number of a port of the Service. Default: its first port.
   */
  async addressOf(service: PodKey, port?: string | number): Promise<string> {
    const key = keyText(service);
    const { spec } = await this.#client.get(Service, key);
    const wanted = spec?.ports?.find(
      ({ name, port: number }) => port === undefined || port === name || port === number,
    );
    const labels = labelRequirementsOf({ matchLabels: spec?.selector ?? {} });
    const ready = [...this.#runs.values()].find(
      ({ pod, isGone }) =>
        !isGone &&
        (pod.metadata.namespace ?? '') === key.split('/')[0] &&
        pod.metadata.deletionTimestamp === undefined &&
        matchesLabels(labels, pod.metadata.labels) &&
        pod.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True'),
    );
    const target = wanted?.targetPort ?? wanted?.port;
    const number =
      typeof target === 'number'
        ? target
        : ready?.pod.spec?.containers.flatMap(({ ports = [] }) => ports).find(({ name }) => name === target)
            ?.containerPort;
    if (spec?.selector !== undefined && ready !== undefined && number !== undefined)
      return `${ready.address.ip}:${number}`;
    const why =
      wanted === undefined
        ? `it has no port ${port}`
        : ready === undefined
          ? 'none of its pods is ready'
          : `its pods have no port "${target}"`;
    throw new EvenkeelError('service-without-endpoints', `service ${key}: ${why}; wait with environment.eventually()`);
  }

  /** Kills all processes, and removes the Node and the pods on it. An environment does this when it is closed. May be called again. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    this.#closing.abort(new Error('the runner is closed'));
    const errors: unknown[] = [];
    const attempt = async (step: () => Promise<unknown>): Promise<void> => {
      await step().catch((error: unknown) => errors.push(error));
    };
    await attempt(this.#endClaim);
    await this.#watching;
    for (const run of this.#runs.values()) {
      if (run.isGone) continue;
      await attempt(async () => {
        for (const container of run.containers) container.kill('SIGKILL');
        await run.end(0);
        await run.remove();
        await run.gone();
      });
    }
    for (const address of this.#binding.values()) (await address).release();
    await attempt(() => this.#node.remove());
    await this.#around.processes.close();
    await rm(this.#around.folder, { recursive: true, force: true });
    if (errors.length > 0) throw errors[0];
  }

  /** Follows all pods until the runner is closed. */
  async #watch(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      try {
        const { items, resourceVersion } = await this.#client.list(Pod, { signal });
        const keys = new Set(items.map((pod) => keyText(pod)));
        for (const pod of items) this.#observe(pod);
        for (const [key, run] of this.#runs) if (!keys.has(key)) this.#forget(run.pod);
        for await (const { type, object } of this.#client.watch(Pod, { resourceVersion, signal })) {
          if (type === 'DELETED') this.#forget(object);
          else if (type !== 'BOOKMARK') this.#observe(object);
        }
      } catch {
        // The server may be restarted, or the version too old.
        await new SystemClock().sleep(retryMs, signal).catch(() => undefined);
      }
    }
  }

  #observe(pod: Pod): void {
    const { spec, metadata, status } = pod;
    const { uid = '' } = metadata;
    if (spec?.nodeName === this.#node.name) {
      const known = this.#runs.get(keyText(pod));
      if (known !== undefined && known.pod.metadata.uid === uid) known.update(pod);
      else if (status?.phase === 'Pending') void this.#start(pod);
    } else if (
      spec?.schedulerName === this.#node.name &&
      (spec.schedulingGates ?? []).length === 0 &&
      metadata.deletionTimestamp === undefined &&
      !this.#binding.has(uid)
    ) {
      this.#binding.set(uid, allocateAddress());
      void this.#bind(pod);
    }
  }

  /** Sets the address before the pod is bound: kwok then considers it started, and does not change its status. */
  async #bind({ metadata: { name, namespace, uid = '' } }: Pod): Promise<void> {
    const address = await this.#binding.get(uid);
    const ip = address?.ip ?? hostIP;
    const key = `${namespace}/${name}`;
    const status = { hostIP, hostIPs: [{ ip: hostIP }], podIP: ip, podIPs: [{ ip }] };
    try {
      await this.#client.subresource(Pod, key, 'status').patch({ merge: { metadata: { uid }, status } } as never);
      await this.#client.subresource(Pod, key, 'binding').create({
        ...{ apiVersion: 'v1', kind: 'Binding', metadata: { name, namespace } },
        target: { kind: 'Node', name: this.#node.name },
      });
    } catch {
      // It was deleted, or another attempt follows with its next event.
      this.#binding.delete(uid);
      address?.release();
    }
  }

  async #start(pod: Pod): Promise<void> {
    const { uid = '' } = pod.metadata;
    const address = this.#binding.get(uid);
    if (address === undefined) return;
    this.#binding.delete(uid);
    const run = new PodRun(pod, await address, this.#around);
    const key = keyText(pod);
    void this.#runs.get(key)?.gone();
    this.#runs.delete(key);
    this.#runs.set(key, run);
    run.start();
  }

  #forget(pod: Pod): void {
    const { uid = '' } = pod.metadata;
    void this.#binding.get(uid)?.then((address) => address.release());
    this.#binding.delete(uid);
    const run = this.#runs.get(keyText(pod));
    if (run === undefined || run.pod.metadata.uid !== uid || run.isGone) return;
    void run.gone();
    const ended = [...this.#runs].filter(([, { isGone }]) => isGone);
    for (const [key] of ended.slice(0, Math.max(0, ended.length - mostEnded))) this.#runs.delete(key);
  }

  #isStopping(key: string): boolean {
    const run = this.#runs.get(key);
    return run !== undefined && !run.isGone && !run.hasEnded;
  }

  #run(pod: PodKey): PodRun {
    const key = keyText(pod);
    const run = this.#runs.get(key);
    if (run !== undefined) return run;
    const known = [...this.#runs.keys()];
    throw new EvenkeelError(
      'pod-not-run',
      `pod ${key}: the PodRunner does not run it; ` +
        (known.length === 0
          ? 'it runs no pods: check its option select, and wait with environment.eventually()'
          : `it runs ${known.join(', ')}`),
    );
  }

  #container(pod: PodKey, name: string | undefined): PodContainer {
    const run = this.#run(pod);
    const names = run.containers.map(({ container }) => container.name);
    const first = run.pod.spec?.containers[0]?.name;
    const found = run.containers.find(({ container }) => container.name === (name ?? first));
    if (found !== undefined) return found;
    throw new EvenkeelError(
      'pod-not-run',
      `pod ${keyText(pod)}: it has no container ${JSON.stringify(name)}; pass one of ${names.join(', ')}`,
    );
  }

  /** The pods for the message of a failed wait; those that are not ready first. */
  #describe(): string[] {
    const runs = [...this.#runs.values()].filter(({ isGone }) => !isGone);
    const isReady = (run: PodRun): boolean => run.containers.every((one) => one.isReady);
    const shown = [...runs.filter((run) => !isReady(run)), ...runs.filter(isReady)];
    return [
      ...shown.slice(0, mostReported).flatMap((run) => describeRun(run)),
      ...(shown.length > mostReported ? [`and ${shown.length - mostReported} more pods`] : []),
    ];
  }
}

function describeRun({ pod, containers, problem }: PodRun): string[] {
  const { phase = 'Pending' } = pod.status ?? {};
  return [
    `pod ${keyText(pod)} (${phase})${problem === undefined ? '' : `: ${problem}`}`,
    ...containers.flatMap((one) => {
      const { container, state, restartCount, isReady, probeFailure, log } = one;
      const what =
        state.type === 'waiting'
          ? `waiting: ${state.reason}${state.message === undefined ? '' : `: ${state.message}`}`
          : state.type === 'running'
            ? isReady
              ? 'ready'
              : 'running, not ready'
            : `exited with code ${state.exitCode}${state.message === undefined ? '' : `: ${state.message}`}`;
      const facts = [
        what,
        ...(restartCount > 0 ? [`restarts: ${restartCount}`] : []),
        ...(probeFailure === undefined ? [] : [probeFailure]),
      ];
      return [
        `  container ${container.name}: ${facts.join('; ')}`,
        ...log.lastLines(reportedLines).map((line) => `    ${line}`),
      ];
    }),
  ];
}

function selectorOf(select: PodRunnerOptions['select']): (pod: Pod) => boolean {
  if (typeof select === 'function') return select;
  const labels = labelRequirementsOf({ matchLabels: select ?? {} });
  return ({ metadata }) => matchesLabels(labels, metadata.labels);
}

function keyText(key: PodKey): string {
  if (typeof key === 'string') return key;
  const { name, namespace = 'default' } = key.metadata;
  return `${namespace}/${name}`;
}

async function rejectRunning(client: Client, isSelected: (pod: Pod) => boolean): Promise<void> {
  const { items } = await client.list(Pod);
  const running = items.filter(
    (pod) => (pod.spec?.nodeName ?? '') !== '' && pod.metadata.deletionTimestamp === undefined,
  );
  const wrong = running
    .filter(isSelected)
    .find(({ status }) => status?.phase === 'Pending' || status?.phase === 'Running');
  if (wrong === undefined) return;
  throw new EvenkeelError(
    'pods-already-run',
    `pod ${keyText(wrong)} already runs on the node ${wrong.spec?.nodeName}; start the PodRunner before the pods are created, or set its option select`,
  );
}
