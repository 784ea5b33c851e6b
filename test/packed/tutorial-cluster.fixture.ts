import { execFileSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Environment, PodRunner } from '@evenkeel/testing';
import { parse, stringify } from 'yaml';
import { hasRealServer, type RealServer, startRealServer } from '../real-server.fixture.ts';

interface Kubeconfig {
  contexts: { name: string }[];
  'current-context': string;
}

/**
 * The cluster of `kind create cluster`: a real control plane with simulated nodes, or the embedded server without one. The
 * container of the operator runs as a process, with the program of the loaded image.
 */
export class TutorialCluster {
  readonly #folder: string;
  readonly #environment: Environment;
  readonly #server: RealServer | undefined;
  #pods: PodRunner | undefined;
  /** The folders of loaded images, by their names. */
  readonly #images = new Map<string, string>();
  /** The pods of the operator, in the order of their start. */
  readonly started: { readonly image: string; readonly key: string }[] = [];

  private constructor(folder: string, environment: Environment, server: RealServer | undefined) {
    this.#folder = folder;
    this.#environment = environment;
    this.#server = server;
  }

  /** @param operator the name of the Deployment. */
  static async create(folder: string, operator: string): Promise<TutorialCluster> {
    const server = hasRealServer() ? await startRealServer('nodes') : undefined;
    const variables = server === undefined ? {} : { USE_EXISTING_CLUSTER: 'true', KUBECONFIG: server.kubeconfig };
    const cluster = new TutorialCluster(folder, await Environment.create({ variables }), server);
    await cluster.#runPods(operator);
    return cluster;
  }

  async #runPods(operator: string): Promise<void> {
    this.#pods = await PodRunner.start({
      environment: this.#environment,
      select: { 'app.kubernetes.io/name': operator },
      run: ({ image = '' }, { metadata: { name, namespace } }) => {
        const files = this.#images.get(image);
        if (files === undefined) return undefined;
        this.started.push({ image, key: `${namespace}/${name}` });
        return { command: [process.execPath, join(files, 'app/operator.mjs')] };
      },
    });
  }

  /** Writes a kubeconfig with the context of kind, and returns its path. */
  async kubeconfig(): Promise<string> {
    const path = join(this.#folder, 'kubeconfig');
    const config = parse(await readFile(await this.#environment.kubeconfig(), 'utf8')) as Kubeconfig;
    const contexts = config.contexts.map((context) => ({ ...context, name: 'kind-kind' }));
    await writeFile(path, stringify({ ...config, contexts, 'current-context': 'kind-kind' }));
    return path;
  }

  /** As `kind load image-archive`: extracts the layer of the operator. */
  async load(archive: string): Promise<void> {
    const files = join(this.#folder, `image-${this.#images.size}`);
    await mkdir(files);
    execFileSync('tar', ['--extract', '--file', archive, '--directory', files]);
    const [{ RepoTags, Layers }] = JSON.parse(await readFile(join(files, 'manifest.json'), 'utf8'));
    execFileSync('tar', ['--extract', '--file', join(files, Layers.at(-1)), '--directory', files]);
    for (const name of RepoTags) this.#images.set(name, files);
  }

  /** The output of the operator in a pod, also after the pod is deleted. */
  logs(pod: string): string {
    return this.#pods?.logs(pod) ?? '';
  }

  async close(): Promise<void> {
    await this.#environment.close();
    await this.#server?.stop();
  }
}
