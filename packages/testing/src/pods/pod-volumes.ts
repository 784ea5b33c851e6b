import { chmod, mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import type { Container, Pod } from '@evenkeel/kinds';
import type { DownwardAPIVolumeFile, KeyToPath, Volume } from '@evenkeel/kinds/core/v1';
import { expandVariables } from './expand-variables.ts';
import { replaceFile } from './pod-credentials.ts';
import { containerResource, type PodAddresses, podField } from './pod-fields.ts';
import { ContainerConfigError, keyOf, type PodSources, type SourceData } from './pod-sources.ts';

export interface PodVolumesOptions {
  /** The folder of this pod's volumes. */
  readonly folder: string;
  /** The folder of all claims, which outlive the pods. */
  readonly claims: string;
  readonly sources: PodSources;
  readonly addresses: PodAddresses;
  /** PEM of the API server's authorities. */
  readonly ca: string;
  readonly token: (request: { audiences?: readonly string[]; expirationSeconds?: number }) => Promise<string>;
}

interface VolumeFile {
  readonly content: Buffer;
  readonly mode: number;
}

type VolumeFiles = Map<string, VolumeFile>;

const defaultFileMode = 0o644;

/** The volumes of a pod as folders. Containers that mount the same volume share its folder. */
export class PodVolumes {
  readonly #options: PodVolumesOptions;
  readonly #folders = new Map<string, string>();

  constructor(options: PodVolumesOptions) {
    this.#options = options;
  }

  /**
   * Creates the folders, and writes the files of ConfigMaps, Secrets and projected volumes, again if they have changed. Throws
   * {@link ContainerConfigError} if a source does not exist, or the type of a volume is not supported.
   */
  async write(pod: Pod): Promise<void> {
    for (const volume of pod.spec?.volumes ?? []) {
      const folder = this.#folderOf(volume, pod);
      this.#folders.set(volume.name, folder);
      if (volume.hostPath !== undefined) continue;
      await mkdir(folder, { recursive: true });
      const files = await this.#filesOf(volume, pod);
      if (files !== undefined) await writeFiles(folder, files);
    }
  }

  /**
   * Returns the path on this machine of a path in a container. A path outside of all mounts is returned unchanged. Throws
   * {@link ContainerConfigError} if variables lead out of a volume.
   */
  path({ volumeMounts = [] }: Container, containerPath: string, variables: ReadonlyMap<string, string>): string {
    const mounts = volumeMounts.toSorted((one, other) => other.mountPath.length - one.mountPath.length);
    for (const { mountPath, name, subPath = '', subPathExpr } of mounts) {
      const mount = mountPath.replace(/(.)\/+$/, '$1');
      const folder = this.#folders.get(name);
      if (folder === undefined || (containerPath !== mount && !containerPath.startsWith(`${mount}/`))) continue;
      const below = subPathExpr === undefined ? subPath : expandVariables(subPathExpr, variables);
      // As the kubelet. The API server checks only the expression, not the values of its variables.
      if (below.split('/').includes('..')) {
        throw new ContainerConfigError(`volume mount ${mountPath}: the sub-path "${below}" must not contain ".."`);
      }
      return join(folder, below, containerPath.slice(mount.length));
    }
    return containerPath;
  }

  async remove(): Promise<void> {
    await rm(this.#options.folder, { recursive: true, force: true });
  }

  #folderOf({ name, hostPath, persistentVolumeClaim, ephemeral }: Volume, { metadata }: Pod): string {
    const { folder, claims } = this.#options;
    if (hostPath !== undefined) return hostPath.path;
    const claim =
      persistentVolumeClaim?.claimName ?? (ephemeral === undefined ? undefined : `${metadata.name}-${name}`);
    return claim === undefined ? join(folder, name) : join(claims, metadata.namespace ?? '', claim);
  }

  /** Undefined for a folder that processes fill. */
  async #filesOf(volume: Volume, pod: Pod): Promise<VolumeFiles | undefined> {
    const { configMap, secret, projected, downwardAPI } = volume;
    const files: VolumeFiles = new Map();
    if (configMap !== undefined) {
      const { name = '', optional = false, items, defaultMode = defaultFileMode } = configMap;
      const data = await this.#options.sources.configMap(name, optional);
      addKeys(files, data, { items, mode: defaultMode, source: `configmap ${name}`, isOptional: optional });
    } else if (secret !== undefined) {
      const { secretName = '', optional = false, items, defaultMode = defaultFileMode } = secret;
      const data = await this.#options.sources.secret(secretName, optional);
      addKeys(files, data, { items, mode: defaultMode, source: `secret ${secretName}`, isOptional: optional });
    } else if (downwardAPI !== undefined) {
      this.#addFields(files, pod, downwardAPI.items, downwardAPI.defaultMode ?? defaultFileMode);
    } else if (projected !== undefined) {
      await this.#addProjected(files, pod, projected);
    } else if ((volume.emptyDir ?? volume.persistentVolumeClaim ?? volume.ephemeral) !== undefined) {
      return undefined;
    } else {
      const [, type = 'its type'] = Object.keys(volume);
      throw new ContainerConfigError(`volume "${volume.name}": a PodRunner does not support ${type}`);
    }
    return files;
  }

  async #addProjected(files: VolumeFiles, pod: Pod, projected: NonNullable<Volume['projected']>): Promise<void> {
    const { sources: reader, ca, token } = this.#options;
    const { defaultMode: mode = defaultFileMode, sources = [] } = projected;
    for (const { configMap, secret, downwardAPI, serviceAccountToken } of sources) {
      if (configMap !== undefined) {
        const { name = '', optional: isOptional = false, items } = configMap;
        // The authorities of the API server. Their ConfigMap needs a controller, which some servers do not have.
        const isCa = name === 'kube-root-ca.crt';
        const data =
          (await reader.configMap(name, isOptional || isCa)) ??
          (isCa ? new Map([['ca.crt', Buffer.from(ca)]]) : undefined);
        addKeys(files, data, { items, mode, source: `configmap ${name}`, isOptional });
      }
      if (secret !== undefined) {
        const { name = '', optional: isOptional = false, items } = secret;
        addKeys(files, await reader.secret(name, isOptional), { items, mode, source: `secret ${name}`, isOptional });
      }
      if (downwardAPI !== undefined) this.#addFields(files, pod, downwardAPI.items, mode);
      if (serviceAccountToken !== undefined) {
        const { path, audience, expirationSeconds } = serviceAccountToken;
        const content = await token({
          ...(audience === undefined ? {} : { audiences: [audience] }),
          ...(expirationSeconds === undefined ? {} : { expirationSeconds }),
        });
        files.set(path, { content: Buffer.from(content), mode });
      }
    }
  }

  #addFields(files: VolumeFiles, pod: Pod, items: readonly DownwardAPIVolumeFile[] = [], defaultMode: number): void {
    for (const { path, fieldRef, resourceFieldRef, mode = defaultMode } of items) {
      const text =
        fieldRef !== undefined
          ? podField(pod, fieldRef, this.#options.addresses)
          : resourceFieldRef && containerResource(pod, '', resourceFieldRef);
      if (text === undefined)
        throw new ContainerConfigError(`volume file ${path}: unknown field ${fieldRef?.fieldPath}`);
      files.set(path, { content: Buffer.from(text), mode });
    }
  }
}

function addKeys(
  files: VolumeFiles,
  data: SourceData | undefined,
  keys: {
    readonly items: readonly KeyToPath[] | undefined;
    readonly mode: number;
    readonly source: string;
    readonly isOptional: boolean;
  },
): void {
  if (keys.items === undefined) {
    for (const [key, content] of data ?? []) files.set(key, { content, mode: keys.mode });
    return;
  }
  for (const { key, path, mode = keys.mode } of keys.items) {
    const content = keyOf(data, { key, source: keys.source, isOptional: keys.isOptional });
    if (content !== undefined) files.set(path, { content, mode });
  }
}

/** Replaces the files of a folder, and removes those that are no longer in the volume. */
async function writeFiles(folder: string, files: VolumeFiles): Promise<void> {
  for (const [path, { content, mode }] of files) {
    const file = join(folder, posix.normalize(path));
    await mkdir(dirname(file), { recursive: true });
    await replaceFile(file, content, mode);
    // The process's umask does not apply to volumes.
    await chmod(file, mode);
  }
  const known = new Set([...files.keys()].map((path) => join(folder, posix.normalize(path))));
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    const file = join(entry.parentPath, entry.name);
    if (entry.isFile() && !known.has(file)) await rm(file, { force: true });
  }
}
