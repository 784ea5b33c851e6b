import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@evenkeel/client';
import { type Clock, isConflict, isNotFound } from '@evenkeel/core';
import { type Container, Pod } from '@evenkeel/kinds';
import { containerVariables } from './container-variables.ts';
import { expandVariables } from './expand-variables.ts';
import type { HostAddress } from './host-addresses.ts';
import { PodContainer, type RestartPolicy } from './pod-container.ts';
import { podToken, type ServerAddress, writeCredentials } from './pod-credentials.ts';
import type { PodProcesses, ProcessStart } from './pod-processes.ts';
import { PodSources } from './pod-sources.ts';
import { isInitializedBy, podStatus } from './pod-status.ts';
import { PodVolumes } from './pod-volumes.ts';
import type { ProcessPlanner } from './process-plan.ts';

/** What all pods of a runner share. */
export interface PodSurroundings {
  readonly client: Client;
  readonly clock: Clock;
  readonly processes: PodProcesses;
  readonly planner: ProcessPlanner;
  readonly server: ServerAddress;
  /** The folder of the runner. */
  readonly folder: string;
}

export const hostIP = '127.0.0.1';
/** The variable with the address of the pod. */
export const podIPVariable = 'EVENKEEL_POD_IP';

/** How often files of volumes and tokens are written again. The kubelet needs up to 90 s. */
const refreshMs = 60_000;
/** The pause before a failed status or volume is written again. */
const retryMs = 500;
const defaultGraceSeconds = 30;

/** One pod that is bound to the node of a runner. */
export class PodRun {
  readonly address: HostAddress;
  readonly #around: PodSurroundings;
  readonly #init: readonly PodContainer[];
  readonly #main: readonly PodContainer[];
  readonly #volumes: PodVolumes;
  readonly #sources: PodSources;
  readonly #startedMs: number;
  readonly #stopping = new AbortController();
  #pod: Pod;
  #credentials: ReadonlyMap<string, string> = new Map();
  #problem: string | undefined;
  #isChanged = false;
  #writing: Promise<void> = Promise.resolve();
  #ended: Promise<void> | undefined;
  #isGone = false;
  #hasEnded = false;

  constructor(pod: Pod, address: HostAddress, around: PodSurroundings) {
    const { client, clock, folder, server } = around;
    const { namespace = '', uid = '' } = pod.metadata;
    this.address = address;
    this.#pod = pod;
    this.#around = around;
    this.#startedMs = clock.now();
    this.#sources = new PodSources(client, namespace);
    this.#volumes = new PodVolumes({
      folder: join(folder, 'pods', uid),
      claims: join(folder, 'claims'),
      sources: this.#sources,
      addresses: this.#addresses,
      ca: server.ca,
      token: (request) => podToken(client, this.#pod, request),
    });
    const { restartPolicy = 'Always', containers = [], initContainers = [] } = pod.spec ?? {};
    const policy = restartPolicy as RestartPolicy;
    this.#main = containers.map((container) => this.#containerOf(container, policy));
    this.#init = initContainers.map((container) => {
      const own = container.restartPolicy === 'Always' ? 'Always' : policy === 'Never' ? 'Never' : 'OnFailure';
      return this.#containerOf(container, own);
    });
  }

  get pod(): Pod {
    return this.#pod;
  }

  get containers(): readonly PodContainer[] {
    return [...this.#init, ...this.#main];
  }

  /** Whether the pod has been deleted. */
  get isGone(): boolean {
    return this.#isGone;
  }

  /** Whether all processes have been stopped for good. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** The problem that prevents the creation of its containers. */
  get problem(): string | undefined {
    return this.#problem;
  }

  start(): void {
    this.#changed();
    this.#run().catch((error: unknown) => {
      this.#problem = (error as Error).message;
    });
  }

  /** Processes the pod as the API server reports it. */
  update(pod: Pod): void {
    const before = this.#pod;
    this.#pod = pod;
    for (const container of this.#main) {
      const declared = pod.spec?.containers.find(({ name }) => name === container.container.name);
      if (declared !== undefined && declared.image !== container.declaredImage) void container.change(declared);
    }
    if (pod.metadata.deletionTimestamp !== undefined && before.metadata.deletionTimestamp === undefined) {
      const seconds = pod.metadata.deletionGracePeriodSeconds ?? defaultGraceSeconds;
      void this.end(seconds * 1000).then(() => this.remove());
    }
  }

  /** Kills what still runs of a pod that has been deleted. */
  async gone(): Promise<void> {
    this.#isGone = true;
    for (const container of this.containers) container.kill('SIGKILL');
    await this.end(0);
    await this.#volumes.remove();
    this.address.release();
  }

  /** Stops all processes, sidecars last. Resolves when they have exited. */
  end(graceMs: number): Promise<void> {
    this.#ended ??= this.#end(graceMs);
    return this.#ended;
  }

  /** Resolves when the last status has been written. */
  async settled(): Promise<void> {
    await this.#writing;
  }

  async #end(graceMs: number): Promise<void> {
    this.#stopping.abort(new Error('the pod stops'));
    await Promise.all(this.#main.map((container) => container.stop(graceMs)));
    for (const container of this.#init.toReversed()) await container.stop(graceMs);
    this.#hasEnded = true;
  }

  /** Returns the path on this machine of a path in a container. */
  path(container: Container, containerPath: string): string {
    return this.#volumes.path(container, containerPath, new Map());
  }

  get #addresses() {
    return { podIP: this.address.ip, hostIP };
  }

  #containerOf(container: Container, policy: RestartPolicy): PodContainer {
    const { clock, processes } = this.#around;
    const { metadata, spec } = this.#pod;
    return new PodContainer(container, policy, {
      ...{ clock, processes, podIP: this.address.ip, podName: `${metadata.name}_${metadata.namespace}` },
      graceMs: (spec?.terminationGracePeriodSeconds ?? defaultGraceSeconds) * 1000,
      prepare: (declared, command) => this.#prepare(declared, command),
      changed: () => this.#changed(),
    });
  }

  async #run(): Promise<void> {
    const { clock } = this.#around;
    const { signal } = this.#stopping;
    while (!(await this.#refresh())) {
      await clock.sleep(retryMs, signal).catch(() => undefined);
      if (signal.aborted) return;
    }
    this.#scheduleRefresh();
    for (const container of this.#init) {
      if (signal.aborted) return;
      const running = container.run();
      if (container.container.restartPolicy === 'Always') await this.#untilStarted(container);
      else await running;
      if (signal.aborted || !isInitializedBy(container)) return;
    }
    await Promise.all(this.#main.map((container) => container.run()));
    // Sidecars end with the last main container.
    if (!signal.aborted) for (const container of this.#init.toReversed()) await container.stop(retryMs);
  }

  async #untilStarted(container: PodContainer): Promise<void> {
    const { clock } = this.#around;
    const { signal } = this.#stopping;
    while (!container.isStarted && !signal.aborted) await clock.sleep(20, signal).catch(() => undefined);
  }

  /** Writes volumes and credentials. Returns whether everything that they need exists. */
  async #refresh(): Promise<boolean> {
    try {
      await this.#volumes.write(this.#pod);
      this.#credentials = await this.#writeCredentials();
      this.#problem = undefined;
      return true;
    } catch (error) {
      this.#problem = (error as Error).message;
      return false;
    }
  }

  #scheduleRefresh(): void {
    const { clock } = this.#around;
    const timer = clock.schedule(
      refreshMs,
      () => {
        if (this.#stopping.signal.aborted) return;
        void this.#refresh().then(() => this.#scheduleRefresh());
      },
      { unref: true },
    );
    this.#stopping.signal.addEventListener('abort', () => timer.cancel(), { once: true });
  }

  /** Pods with `automountServiceAccountToken: false` get no token. */
  async #writeCredentials(): Promise<ReadonlyMap<string, string>> {
    const { client, folder, server } = this.#around;
    if (this.#pod.spec?.automountServiceAccountToken === false) return new Map();
    const token = await podToken(client, this.#pod).catch((error: unknown) => {
      // A server without controllers creates no default accounts.
      if ((this.#pod.spec?.serviceAccountName ?? 'default') === 'default') return undefined;
      throw error;
    });
    if (token === undefined) return new Map();
    return await writeCredentials(
      join(folder, 'pods', this.#pod.metadata.uid ?? '', '.account'),
      server,
      this.#pod,
      token,
    );
  }

  async #prepare(
    container: Container,
    command: readonly string[] | undefined,
  ): Promise<Omit<ProcessStart, 'output'> | undefined> {
    const pod = this.#pod;
    const podIP = this.address.ip;
    const given = new Map([
      ...['PATH', 'TMPDIR', 'LANG'].flatMap((name) => {
        const value = process.env[name];
        return value === undefined ? [] : [[name, value] as const];
      }),
      ['HOSTNAME', pod.spec?.hostname ?? pod.metadata.name],
      [podIPVariable, podIP],
      ...this.#credentials,
    ]);
    const variables = await containerVariables(pod, container, this.#sources, this.#addresses, given);
    const path = (containerPath: string): string => this.#volumes.path(container, containerPath, variables);
    const mappedAll = (words: readonly string[]): string[] => words.map((word) => mapped(word, path));
    const plan = this.#around.planner(container, pod, { podIP, path });
    if (plan === undefined) return undefined;
    for (const [name, value] of Object.entries(plan.env ?? {})) variables.set(name, expandVariables(value, variables));
    const expanded = (words: readonly string[]): string[] => words.map((word) => expandVariables(word, variables));
    // The plan's command is of this machine. A probe's command may be a script in a volume.
    const [program = '', ...first] = expanded(command ?? plan.command);
    const file = command !== undefined && existsSync(path(program)) ? path(program) : program;
    const rest = expanded(command === undefined ? (plan.args ?? container.args ?? []) : []);
    const args = [...(command === undefined ? first : mappedAll(first)), ...mappedAll(rest)];
    const { workingDir = '' } = container;
    const mappedFolder = path(workingDir);
    return {
      ...{ file, args },
      env: Object.fromEntries(
        [...variables].map(([name, value]) => [name, given.get(name) === value ? value : mapped(value, path)]),
      ),
      folder: plan.folder ?? (mappedFolder === workingDir ? process.cwd() : mappedFolder),
    };
  }

  #changed(): void {
    if (this.#isChanged) return;
    this.#isChanged = true;
    this.#writing = this.#writing.then(() => this.#write());
  }

  async #write(): Promise<void> {
    const { client, clock } = this.#around;
    while (this.#isChanged && !this.#isGone) {
      this.#isChanged = false;
      const { name, namespace, uid } = this.#pod.metadata;
      const basis = { ...this.#addresses, startedMs: this.#startedMs, nowMs: clock.now() };
      const status = podStatus(this.#pod, { init: this.#init, main: this.#main }, basis);
      try {
        const merge = { metadata: { uid }, status };
        const written = await client.subresource(Pod, `${namespace}/${name}`, 'status').patch({ merge } as never);
        // The next status keeps its times. A deletion is only noticed by the watch.
        if (this.#pod.metadata.uid === uid && written.status) this.#pod = { ...this.#pod, status: written.status };
      } catch (error) {
        if (isNotFound(error) || isConflict(error) || this.#stopping.signal.aborted) return;
        this.#isChanged = true;
        await clock.sleep(retryMs);
      }
    }
  }

  /** Deletes the pod, whose processes must have exited. */
  async remove(): Promise<void> {
    const { client } = this.#around;
    await this.settled();
    const { name, namespace, uid = '' } = this.#pod.metadata;
    const key = `${namespace}/${name}`;
    try {
      await client.delete(Pod, key, { gracePeriodSeconds: 0, preconditions: { uid } });
    } catch (error) {
      if (!isNotFound(error) && !isConflict(error)) this.#problem = (error as Error).message;
    }
  }
}

/** Replaces a path in a volume, alone or as the value of a flag. */
function mapped(word: string, path: (containerPath: string) => string): string {
  const [, flag = '', value = word] = /^(--?[^=]+=)(\/.*)$/s.exec(word) ?? [];
  return value.startsWith('/') ? `${flag}${path(value)}` : word;
}
