import type { Client } from '@evenkeel/client';
import { isNotFound, type KubernetesObject } from '@evenkeel/core';
import { ConfigMap, Secret } from '@evenkeel/kinds';

/** A problem that prevents the creation of a container until it is fixed. The status of the container shows the message. */
export class ContainerConfigError extends Error {}

/** The contents of a ConfigMap or Secret by key. */
export type SourceData = ReadonlyMap<string, Buffer>;

/** Reads the ConfigMaps and Secrets of a pod's namespace. */
export class PodSources {
  readonly #client: Client;
  readonly #namespace: string;

  constructor(client: Client, namespace: string) {
    this.#client = client;
    this.#namespace = namespace;
  }

  /** Undefined if it is optional and does not exist. Throws {@link ContainerConfigError} if it must exist. */
  async configMap(name: string, isOptional: boolean): Promise<SourceData | undefined> {
    const found = await this.#get(ConfigMap, name, isOptional);
    if (found === undefined) return undefined;
    const { data = {}, binaryData = {} } = found;
    return new Map([
      ...Object.entries(data).map(([key, value]) => [key, Buffer.from(value)] as const),
      ...Object.entries(binaryData).map(([key, value]) => [key, Buffer.from(value, 'base64')] as const),
    ]);
  }

  /** Like {@link configMap}. */
  async secret(name: string, isOptional: boolean): Promise<SourceData | undefined> {
    const found = await this.#get(Secret, name, isOptional);
    if (found === undefined) return undefined;
    return new Map(
      Object.entries(found.data ?? {}).map(([key, value]) => [key, Buffer.from(value, 'base64')] as const),
    );
  }

  async #get<T extends KubernetesObject>(kind: new () => T, name: string, isOptional: boolean): Promise<T | undefined> {
    try {
      return (await this.#client.get(kind as never, `${this.#namespace}/${name}`)) as T;
    } catch (error) {
      if (!isNotFound(error)) throw error;
      if (isOptional) return undefined;
      throw new ContainerConfigError(`${kind.name.toLowerCase()} "${name}" not found`);
    }
  }
}

/** One key of a source. Undefined if it is optional and missing. */
export function keyOf(
  data: SourceData | undefined,
  { key, source, isOptional }: { readonly key: string; readonly source: string; readonly isOptional: boolean },
): Buffer | undefined {
  const value = data?.get(key);
  if (value !== undefined || isOptional) return value;
  throw new ContainerConfigError(`couldn't find key ${key} in ${source}`);
}
