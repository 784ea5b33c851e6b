import { type ApiRequest, type Client, describeRequest, type Interceptor, isDryRun, type Verb } from '@evenkeel/client';
import {
  type ApiResource,
  apiVersionOf,
  EvenkeelError,
  groupResourceOf,
  isForbidden,
  type KubernetesObject,
  type Logger,
  ObjectKey,
} from '@evenkeel/core';
import { liveObject } from '../cache/live-object.ts';
import { isPartOf, lostFields } from './lost-fields.ts';
import { kindSchema } from './missing-fields.ts';
import { type DocumentOptions, readDocument } from './served-document.ts';
import { openApiPathOf } from './served-fields.ts';
import { storageVersionHash } from './storage-version-hash.ts';
import { fieldsOnlyIn, type StoredSchema } from './stored-schema.ts';

export interface FieldProtectionOptions extends DocumentOptions {
  /** Reads objects before they are written. */
  readonly client: Client;
  /** The kinds whose versions this program converts. Their differences are reported only if a write would drop fields. */
  readonly converted: readonly Pick<ApiResource, 'group' | 'plural'>[];
  readonly logger: Logger;
}

/** A version that lacks fields of the storage version. */
interface LackingVersion {
  readonly storage: ApiResource;
  readonly storageSchema: StoredSchema;
  /** Never empty. */
  readonly fields: readonly string[];
}

/** The writes before which the server reads the stored object in the version of the request. */
const changing: ReadonlySet<Verb> = new Set(['update', 'patch', 'apply']);
/** An object that changes between two reads is read again, at most this often. */
const readsMax = 10;

/**
 * Rejects writes with `lossy-writes` that would drop fields of stored objects, because the operator writes a version that lacks
 * fields of the storage version. Without a conversion, the API server reads the object in the version of the request, and stores
 * what is left, even if the write changes only the status or nothing.
 *
 * For each kind whose group has a domain outside of `k8s.io`, it compares the version that the operator uses with the storage
 * version, by discovery and OpenAPI documents, which need no permission. If the storage version has more fields, it reads each
 * object in both versions before a write, with the permission to list that its informer needs. If they differ in more than missing
 * fields, the CRD has a conversion: such writes pass, and no further objects of the kind are read until its watch is opened again.
 *
 * Not protected are fields that another client sets between the check and the write, objects that the operator deletes, and kinds
 * whose storage version is not served or that the operator may not read. If the versions cannot be compared, the last result applies;
 * without one, writes pass, and each asks again.
 */
export class FieldProtection {
  readonly #options: FieldProtectionOptions;
  readonly #known = new Map<string, Promise<LackingVersion | undefined>>();
  readonly #closing = new AbortController();
  readonly #reported = new Map<string, string>();

  constructor(options: FieldProtectionOptions) {
    this.#options = options;
  }

  /** Compares the versions of a kind again. The server ends the watches of a kind after a change of its CRD. */
  compare(resource: ApiResource): void {
    if (isProtected(resource)) void this.#ask(resource);
  }

  /** Ends all comparisons. */
  close(): void {
    this.#closing.abort(new Error('the manager stops'));
  }

  readonly interceptor: Interceptor = async (request, next) => {
    const { verb, resource, name } = request;
    if (!changing.has(verb) || name === undefined || !isProtected(resource) || isDryRun(request)) return next(request);
    const known = this.#known.get(nameOf(resource)) ?? this.#ask(resource);
    const lacking = await known;
    if (lacking !== undefined && (await this.#isConverted(request, new ObjectKey(name, request.namespace), lacking))) {
      if (this.#known.get(nameOf(resource)) === known) this.#known.set(nameOf(resource), Promise.resolve(undefined));
    }
    return next(request);
  };

  #ask(resource: ApiResource): Promise<LackingVersion | undefined> {
    const name = nameOf(resource);
    const before = this.#known.get(name);
    const asked = this.#lackingVersion(resource).then(
      (lacking) => {
        this.#report(resource, lacking);
        return lacking;
      },
      (error: unknown) => {
        this.#options.logger.debug('cannot compare a version with the storage version', { resource: name, error });
        if (before === undefined && this.#known.get(name) === asked) this.#known.delete(name);
        return before;
      },
    );
    this.#known.set(name, asked);
    return asked;
  }

  async #lackingVersion(resource: ApiResource): Promise<LackingVersion | undefined> {
    const own = await this.#read(`/apis/${apiVersionOf(resource)}`);
    const { resources = [] } = own as { resources?: readonly { name?: string; storageVersionHash?: string }[] };
    const hash = resources.find(({ name }) => name === resource.plural)?.storageVersionHash;
    if (hash === undefined || hash === storageVersionHash(resource)) return undefined;
    const { versions = [] } = (await this.#read(`/apis/${resource.group}`)) as {
      versions?: readonly { version: string }[];
    };
    const storage = versions
      .map(({ version }) => ({ ...resource, version }))
      .find((other) => storageVersionHash(other) === hash);
    if (storage === undefined) return undefined;
    const [schema, storageSchema] = await Promise.all(
      [resource, storage].map(async (of) => kindSchema(await this.#read(openApiPathOf(of)), of)),
    );
    if (schema === undefined || storageSchema === undefined) return undefined;
    const fields = fieldsOnlyIn(storageSchema, schema);
    return fields.length === 0 ? undefined : { storage, storageSchema, fields };
  }

  async #read(path: string): Promise<unknown> {
    return (await readDocument(this.#options, path, this.#closing.signal))?.document;
  }

  #report(resource: ApiResource, lacking: LackingVersion | undefined): void {
    const fields = lacking?.fields.join(', ') ?? '';
    if (fields === (this.#reported.get(nameOf(resource)) ?? '')) return;
    this.#reported.set(nameOf(resource), fields);
    if (lacking === undefined || this.#options.converted.some((other) => isSameKind(other, resource))) return;
    this.#options.logger.info(
      `${nameOf(resource)} lacks fields of the storage version ${lacking.storage.version}: ${fields}; writes that would drop them fail`,
      { resource: nameOf(resource), code: 'lossy-writes' },
    );
  }

  /** Whether the object shows that the CRD has a conversion. Throws `lossy-writes` if the request would drop fields. */
  async #isConverted(
    request: ApiRequest,
    key: ObjectKey,
    { storage, storageSchema }: LackingVersion,
  ): Promise<boolean> {
    const { resource } = request;
    let found: readonly [KubernetesObject, KubernetesObject] | undefined;
    try {
      found = await this.#readBoth(request, key, storage);
    } catch (error) {
      if (!isForbidden(error)) throw error;
      this.#options.logger.debug('cannot read an object before it is written', { object: `${key}`, error });
    }
    if (found === undefined) return false;
    const [stored, shown] = found;
    if (!isPartOf(shown, stored)) return true;
    const lost = lostFields(stored, shown, storageSchema);
    if (lost.size === 0 || isRemoved(stored)) return false;
    throw new EvenkeelError(
      'lossy-writes',
      `${describeRequest(request)}: the cluster stores ${storage.version}, and ${resource.version} does not have ${[...lost].join(', ')}, so this write would drop it; nothing was written; use the class of ${storage.version}, as the newest version of the operator does, or declare a conversion`,
    );
  }

  /** Resolves to undefined if the object does not exist. */
  async #readBoth(
    { resource, signal }: ApiRequest,
    key: ObjectKey,
    storage: ApiResource,
  ): Promise<readonly [KubernetesObject, KubernetesObject] | undefined> {
    const { client } = this.#options;
    for (let reads = 1; ; reads++) {
      const [stored, shown] = await Promise.all(
        [storage, resource].map((version) => liveObject(client, version, key, signal)),
      );
      if (stored === undefined || shown === undefined) return undefined;
      if (stored.metadata.resourceVersion === shown.metadata.resourceVersion) return [stored, shown];
      if (reads === readsMax) throw new Error(`${resource.kind} ${key} changes too often to be read in two versions`);
    }
  }
}

function isSameKind(one: Pick<ApiResource, 'group' | 'plural'>, other: ApiResource): boolean {
  return one.group === other.group && one.plural === other.plural;
}

function nameOf(resource: ApiResource): string {
  return `${groupResourceOf(resource)}/${resource.version}`;
}

/** Kubernetes' own kinds, and kinds that its API review has approved, convert without loss. */
function isProtected({ group }: ApiResource): boolean {
  return group.includes('.') && !group.endsWith('.k8s.io');
}

/** Whether a write of a finalizer removes the object. What it contains is not needed any more. */
function isRemoved({ metadata: { deletionTimestamp, finalizers = [] } }: KubernetesObject): boolean {
  return deletionTimestamp !== undefined && finalizers.length <= 1;
}
