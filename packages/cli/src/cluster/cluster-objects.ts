import { type Client, type DiscoveredResource, discoverResources, type UnstructuredObject } from '@evenkeel/client';
import {
  type ApiResource,
  EvenkeelError,
  ignoreNotFound,
  isInvalid,
  parseApiVersion,
  StatusError,
} from '@evenkeel/core';
import type { CustomResourceDefinition } from '@evenkeel/kinds/apiextensions/v1';
import { applyDefinition } from '@evenkeel/testing/webhook';
import type { ManifestObject } from '../manifests/generated-file.ts';
import { changedFields, type FieldChange } from './changed-fields.ts';
import { sessionManager } from './field-manager.ts';
import { isDefinition, isWebhookConfiguration, type ObjectReference, referenceOf, shownName } from './object-name.ts';
import { replaceFieldManager } from './replace-field-manager.ts';

/** What happened to an object, or in a dry run, what would happen. */
export interface ObjectChange extends ObjectReference {
  readonly outcome: 'created' | 'configured' | 'unchanged' | 'deleted' | 'kept';
  /** The changed fields, if the outcome is `configured`. */
  readonly fields: readonly FieldChange[];
  /** The reason, if the outcome is `kept`. */
  readonly reason?: string;
}

export interface ApplyRequest {
  readonly dryRun: boolean;
  /** Whether to take over the fields of other managers. */
  readonly force: boolean;
  readonly signal: AbortSignal;
}

/** The objects of any kind on one cluster, which one field manager writes. */
export class ClusterObjects {
  readonly client: Client;
  /** The field manager of all writes. */
  readonly manager: string;
  readonly #discovered = new Map<string, Promise<readonly DiscoveredResource[]>>();

  constructor(client: Client, manager: string) {
    this.client = client;
    this.manager = manager;
  }

  /** Returns undefined if the cluster does not serve the kind. */
  async resourceOf({
    apiVersion,
    kind,
  }: Pick<ObjectReference, 'apiVersion' | 'kind'>): Promise<ApiResource | undefined> {
    const version = parseApiVersion(apiVersion);
    let discovered = this.#discovered.get(apiVersion);
    if (discovered === undefined) {
      discovered = discoverResources(this.client, version);
      this.#discovered.set(apiVersion, discovered);
    }
    const found = (await discovered).find((resource) => resource.kind === kind && !resource.name.includes('/'));
    return found === undefined ? undefined : { ...version, kind, plural: found.name, namespaced: found.namespaced };
  }

  /** Returns undefined if the object or its kind does not exist. */
  async get(reference: ObjectReference, signal: AbortSignal): Promise<UnstructuredObject | undefined> {
    const resource = await this.resourceOf(reference);
    if (resource === undefined) return undefined;
    return ignoreNotFound(this.client.get(resource, keyIn(resource, reference), { signal }));
  }

  /**
   * Creates or changes an object by server-side apply. The conversion of a CRD is replaced; see {@link applyDefinition}. Throws
   * `apply-conflict` if another manager owns a field with another value, `kind-not-served`, and `dev-session-running`.
   */
  async apply(object: ManifestObject, { dryRun, force, signal }: ApplyRequest): Promise<ObjectChange> {
    const reference = referenceOf(object);
    const resource = await this.resourceOf(reference);
    if (resource === undefined) throw notServed(reference);
    const before = await this.get(reference, signal);
    const after = await this.#apply(resource, object, { dryRun, force, signal });
    if (before === undefined) return { ...reference, outcome: 'created', fields: [] };
    const fields = changedFields(before, after);
    return { ...reference, outcome: fields.length === 0 ? 'unchanged' : 'configured', fields };
  }

  /**
   * Asks the API server in a dry run whether it would apply an object. Returns the error if it would certainly reject the object: a
   * conflict, an invalid object or a kind that it does not serve. Returns undefined if it would accept the object, or if other objects may
   * change the result.
   */
  async checkApply(
    object: ManifestObject,
    { force, signal }: Pick<ApplyRequest, 'force' | 'signal'>,
  ): Promise<EvenkeelError | StatusError | undefined> {
    const resource = await this.resourceOf(object);
    if (resource === undefined) return notServed(referenceOf(object));
    try {
      await this.#apply(resource, object, { dryRun: true, force, signal });
      return undefined;
    } catch (error) {
      if (error instanceof EvenkeelError && error.code === 'apply-conflict') return error;
      if (error instanceof StatusError) return isInvalid(error) ? error : undefined;
      if (error instanceof EvenkeelError && error.cause instanceof StatusError) return undefined;
      throw error;
    }
  }

  /** Throws `apply-conflict`, `webhook-not-reachable` and `dev-session-running`. */
  async #apply(resource: ApiResource, object: ManifestObject, request: ApplyRequest): Promise<object> {
    const apply = (force: boolean): Promise<object> => {
      const options = { ...request, force, fieldManager: this.manager };
      return isDefinition(object)
        ? applyDefinition(this.client, marked(object) as ManifestObject & CustomResourceDefinition, options)
        : this.client.apply(resource, marked(object) as never, options);
    };
    if (isDefinition(object) && !request.dryRun) {
      await replaceFieldManager(this.client, object.metadata.name, sessionManager, this.manager);
    }
    try {
      return await apply(request.force).catch((error: unknown) => {
        if (!isConflictWithSession(error)) throw error;
        return apply(true);
      });
    } catch (error) {
      throw explained(error, referenceOf(object));
    }
  }

  /**
   * Starts the deletion of an object, unless it does not belong to this manager. Returns undefined if it does not exist. It may still
   * exist afterwards, because of finalizers or of objects that it owns.
   */
  async delete(
    reference: ObjectReference,
    { dryRun, signal }: Pick<ApplyRequest, 'dryRun' | 'signal'>,
  ): Promise<ObjectChange | undefined> {
    const resource = await this.resourceOf(reference);
    const live = await this.get(reference, signal);
    if (resource === undefined || live === undefined) return undefined;
    const reason = this.foreignReason(live);
    if (reason !== undefined) return { ...reference, outcome: 'kept', fields: [], reason };
    const { uid } = live.metadata;
    const preconditions = uid === undefined ? {} : { preconditions: { uid } };
    const options = { dryRun, signal, ...preconditions };
    await ignoreNotFound(this.client.delete(resource, keyIn(resource, reference), options));
    return { ...reference, outcome: 'deleted', fields: [] };
  }

  /** Returns why an object does not belong to this manager, or to a session of `evenkeel dev`; undefined if it does. */
  foreignReason({ metadata }: UnstructuredObject): string | undefined {
    const entries = metadata.managedFields ?? [];
    const own = [this.manager, sessionManager];
    if (entries.some(({ manager = '', operation }) => own.includes(manager) && operation === 'Apply')) return undefined;
    const others = [...new Set(entries.flatMap(({ manager }) => manager ?? []))];
    return others.length === 0 ? 'evenkeel did not apply it' : `it belongs to ${others.join(', ')}`;
  }
}

/** Whether an apply fails only because a session of `evenkeel dev`, which has ended or will take them back, owns fields. */
function isConflictWithSession(error: unknown): boolean {
  const causes = error instanceof StatusError ? (error.status.details?.causes ?? []) : [];
  const owners = causes.filter(({ reason }) => reason === 'FieldManagerConflict');
  return owners.length > 0 && owners.every(({ message = '' }) => ownerIn(message) === `owned by "${sessionManager}"`);
}

/**
 * The recommended label of Kubernetes for the tool that manages an object. Deployed objects have it, because the API server records an
 * owner only for fields: it would not record who has applied a ServiceAccount without any.
 */
export const managedByLabel = { 'app.kubernetes.io/managed-by': 'evenkeel' } as const;

function marked(object: ManifestObject): ManifestObject {
  const { metadata } = object;
  return { ...object, metadata: { ...metadata, labels: { ...metadata.labels, ...managedByLabel } } };
}

/** Returns the key of a request for an object. */
export function keyIn({ namespaced }: ApiResource, { namespace, name }: ObjectReference) {
  return { name, namespace: namespaced ? (namespace ?? 'default') : undefined };
}

const installers: readonly (readonly [RegExp, string])[] = [
  [/^cert-manager\.io\//, 'install cert-manager first'],
  [
    /^monitoring\.coreos\.com\//,
    'install the Prometheus operator first, or remove serviceMonitor and alerts from deployment',
  ],
];

function notServed(reference: ObjectReference): EvenkeelError {
  const { apiVersion, kind } = reference;
  const fix = installers.find(([form]) => form.test(apiVersion))?.[1] ?? 'use a cluster of a newer Kubernetes version';
  return new EvenkeelError(
    'kind-not-served',
    `${shownName(reference)}: the cluster does not serve the kind ${kind} of ${apiVersion}; ${fix}`,
  );
}

function explained(error: unknown, reference: ObjectReference): unknown {
  if (!(error instanceof StatusError)) return error;
  const owners = (error.status.details?.causes ?? []).flatMap(({ reason, field = '', message = '' }) =>
    reason === 'FieldManagerConflict' ? `${field.replace(/^\./, '')}: ${ownerIn(message)}` : [],
  );
  if (owners.length > 0) {
    return new EvenkeelError(
      'apply-conflict',
      `${shownName(reference)}: other field managers own fields with other values; make them stop writing these fields, or take the fields over with --force-conflicts\n${owners.map((owner) => `    ${owner}`).join('\n')}`,
      { cause: error },
    );
  }
  const webhook = /failed calling webhook "([^"]+)"/.exec(error.message)?.[1];
  if (webhook !== undefined && !isWebhookConfiguration(reference)) {
    return new EvenkeelError(
      'webhook-not-reachable',
      `${shownName(reference)}: the API server cannot call the webhook ${webhook}, so it rejects the object; make the webhook reachable, or delete its configuration: ${error.message}`,
      { cause: error },
    );
  }
  return error;
}

/** The message is `conflict with "kubectl-edit" using apps/v1`, with the time of a change that was not an apply. */
function ownerIn(message: string): string {
  return message.replace(/^conflict with /, 'owned by ');
}
