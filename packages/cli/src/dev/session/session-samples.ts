import type { Client } from '@evenkeel/client';
import {
  type ApiResource,
  apiVersionOf,
  EvenkeelError,
  type KubernetesObject,
  ObjectKey,
  parseApiVersion,
  StatusError,
  type Transport,
} from '@evenkeel/core';
import type { CustomResourceDefinition } from '@evenkeel/kinds';
import { kindKey } from '../kind-key.ts';
import { type FieldSchema, fieldHint } from '../misspelt-field.ts';
import type { Narrator } from '../narrator.ts';
import type { LoadedProgram } from '../operator/operator-contract.ts';
import type { SampleObject } from '../sample.ts';
import { readJson } from './read-json.ts';

/** A sample with its resource. */
export interface Sample extends SampleObject {
  readonly resource: ApiResource;
  readonly key: ObjectKey;
  /** Whether its kind is generated here and supports `kubectl scale`. */
  readonly scalable: boolean;
  /** Only for kinds that are generated here. */
  readonly schema: FieldSchema | undefined;
}

const answerWithinMs = 5000;

/** The samples of a session on its API server. */
export class SessionSamples {
  readonly #client: Client;
  readonly #transport: Transport;
  readonly #narrator: Narrator;
  /** The applied objects as JSON, by resource and key. */
  readonly #applied = new Map<string, string>();
  #all: readonly Sample[] = [];

  constructor(client: Client, transport: Transport, narrator: Narrator) {
    this.#client = client;
    this.#transport = transport;
    this.#narrator = narrator;
  }

  get all(): readonly Sample[] {
    return this.#all;
  }

  /** Those of custom kinds. Kinds of Kubernetes itself have other controllers, and conditions with other meanings. */
  get withGoal(): readonly Sample[] {
    return this.#all.filter(({ resource: { group } }) => group.includes('.') && !group.endsWith('.k8s.io'));
  }

  /**
   * Finds the resources of samples. Throws `invalid-sample` for one that the operator would never reconcile, and for two of the same
   * object.
   */
  async resolve(objects: readonly SampleObject[], program: LoadedProgram): Promise<readonly Sample[]> {
    const samples = await Promise.all(
      objects.map(async ({ object, place }) => {
        const resource = await this.#resourceOf(object, place, program);
        const version = versionOf(object, program.definitions);
        return {
          object,
          place,
          resource,
          key: keyOf(resource, object),
          scalable: version?.subresources?.scale !== undefined,
          schema: version?.schema?.openAPIV3Schema as FieldSchema | undefined,
        };
      }),
    );
    for (const sample of samples) checkIsWatched(sample, program);
    checkAreDifferent(samples);
    return samples;
  }

  /** Applies the samples that are not applied in this form. Throws `invalid-sample` if the API server rejects one. */
  async apply(samples: readonly Sample[]): Promise<void> {
    this.#all = samples;
    for (const { resource, object, key, place, schema } of samples) {
      const id = idOf({ resource, key });
      const metadata = { ...object.metadata, ...(key.namespace === undefined ? {} : { namespace: key.namespace }) };
      const sample = { ...object, metadata };
      const text = JSON.stringify(sample);
      if (this.#applied.get(id) === text) continue;
      await this.#client.apply(resource, sample, { force: true }).catch((error: unknown) => {
        if (!(error instanceof StatusError)) throw error;
        throw new EvenkeelError('invalid-sample', `${place}: ${error.message}${fieldHint(error.message, schema)}`, {
          cause: error,
        });
      });
      this.#applied.set(id, text);
      this.#narrator.report('sample', `applied ${resource.kind} ${key}`);
    }
  }

  /** Finds the resource of an object: from a generated CRD, otherwise from the server's discovery. */
  async #resourceOf(
    { apiVersion, kind }: KubernetesObject,
    place: string,
    { definitions }: LoadedProgram,
  ): Promise<ApiResource> {
    const { group, version } = parseApiVersion(apiVersion);
    const own = definitions.find(
      ({ spec }) =>
        spec.group === group && spec.names.kind === kind && spec.versions.some(({ name }) => name === version),
    );
    if (own !== undefined) {
      return { group, version, kind, plural: own.spec.names.plural, namespaced: own.spec.scope === 'Namespaced' };
    }
    const path = group === '' ? `/api/${version}` : `/apis/${apiVersionOf({ group, version })}`;
    const { resources = [] } = (await readJson(this.#transport, path, AbortSignal.timeout(answerWithinMs))) as {
      resources?: { name: string; kind: string; namespaced: boolean }[];
    };
    const found = resources.find((resource) => resource.kind === kind && !resource.name.includes('/'));
    if (found === undefined) {
      throw new EvenkeelError(
        'invalid-sample',
        `${place}: the server does not serve ${kind} in ${apiVersion}; check the version, and that the CRD is installed`,
      );
    }
    return { group, version, kind, plural: found.name, namespaced: found.namespaced };
  }
}

function keyOf(resource: ApiResource, { metadata }: KubernetesObject): ObjectKey {
  return new ObjectKey(metadata.name, resource.namespaced ? (metadata.namespace ?? 'default') : undefined);
}

function checkIsWatched(
  { resource, key: { namespace }, place }: Sample,
  { controllers, namespaces }: LoadedProgram,
): void {
  if (!controllers.has(kindKey(resource)) || namespace === undefined) return;
  if (namespaces === undefined || namespaces.includes(namespace)) return;
  throw new EvenkeelError(
    'invalid-sample',
    `${place}: the operator does not watch the namespace ${namespace}, only ${namespaces.join(', ')}; set metadata.namespace of the sample, or "namespaces" of defineOperator()`,
  );
}

function idOf({ resource, key }: Pick<Sample, 'resource' | 'key'>): string {
  return `${kindKey(resource)} ${key}`;
}

/** Two samples of one object in the same version would overwrite each other. */
function checkAreDifferent(samples: readonly Sample[]): void {
  const places = new Map<string, string>();
  for (const sample of samples) {
    const id = `${sample.resource.version} ${idOf(sample)}`;
    const other = places.get(id);
    if (other !== undefined) {
      throw new EvenkeelError(
        'invalid-sample',
        `${sample.place}: ${sample.resource.kind} ${sample.key} is also in ${other}; give one of them another name`,
      );
    }
    places.set(id, sample.place);
  }
}

/** Finds the version of a generated CRD that an object belongs to. */
function versionOf({ apiVersion, kind }: KubernetesObject, definitions: readonly CustomResourceDefinition[]) {
  const { group, version } = parseApiVersion(apiVersion);
  const definition = definitions.find(({ spec }) => spec.group === group && spec.names.kind === kind);
  return definition?.spec.versions.find(({ name }) => name === version);
}
