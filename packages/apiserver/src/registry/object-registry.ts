import {
  apiVersionOf,
  type Clock,
  type ManagedFieldsEntry,
  type Random,
  rfc3339,
  type StatusError,
} from '@evenkeel/core';
import {
  copyJson,
  dns1123SubdomainErrors,
  type FieldError,
  goIntegerError,
  invalid,
  type JsonObject,
  jsonEqual,
  nameRule,
  objectBytesMax,
  pathSegmentErrors,
} from '../apimachinery/index.ts';
import { decodeManagers } from '../apply/manager.ts';
import { PathSet } from '../apply/path-set.ts';
import { updateManagedFields } from '../apply/update-managed-fields.ts';
import { type ApiObject } from '../kind/api-object.ts';
import type { KindDescription } from '../kind/kind-description.ts';
import type { ObjectCodec, VersionLookup } from '../kind/object-codec.ts';
import { generateName, randomUid } from '../kind/random-name.ts';
import type { ResourcePermission, ServiceAllocator, StrategyContext } from '../kind/strategy.ts';
import type { UserInfo } from '../request/user-info.ts';
import {
  alreadyExists,
  badRequest,
  conflict,
  entityTooLarge,
  forbidden,
  generateNameConflict,
  invalidObject,
  modifiedMeanwhile,
  notFound,
  refusal,
} from '../status/refusal.ts';
import type { ObjectStore } from '../store/object-store.ts';
import type { StoredObject } from '../store/stored-object.ts';
import { prepareForCreate, prepareForUpdate, preparePartForUpdate } from './generic-strategy.ts';
import { objectMetaErrors } from './object-meta-rules.ts';
import { AllocationJournal } from './service-allocations.ts';
import type {
  AdmissionQuota,
  AdmissionRequest,
  AdmissionStep,
  DynamicAdmission,
  MutatingAdmissionStep,
  QuotaCharge,
  ValidatingAdmissionStep,
  WriteRequest,
} from './write-request.ts';

export interface ObjectRegistryOptions {
  readonly store: ObjectStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly allocator: ServiceAllocator;
  /** Whether a user has a permission. */
  readonly allows: (user: UserInfo, access: ResourcePermission) => boolean;
  readonly resourceOf: StrategyContext['resourceOf'];
}

/** The result of a write. */
export interface WriteResult {
  /** The object in the version of the request. */
  readonly object: ApiObject;
  readonly created: boolean;
  /** The stored object; undefined for a dry run, or if the write removed the object. */
  readonly stored: StoredObject | undefined;
}

/**
 * Computes the requested object from the stored one, which is undefined if the object does not exist. A pure function, which
 * may run several times.
 */
export type ObjectChange = (current: ApiObject | undefined, versionOf: VersionLookup) => ApiObject;

/** The object of a subresource in place of the whole object, in requests and for admission: a Scale. */
export interface ObjectForm {
  /** The form that validating webhooks see. */
  of(object: ApiObject): ApiObject;
  /** The form of the stored object with its managed fields, which mutating webhooks see. */
  live(current: ApiObject): ApiObject;
  /** Returns the whole object with what the form changes. */
  merge(form: ApiObject, current: ApiObject): ApiObject;
  decode(json: JsonObject): ApiObject;
}

export interface UpdateOptions {
  /** `change` returns an object of this form. */
  readonly form?: ObjectForm;
  /** Creates the object if it does not exist. */
  readonly createIfMissing?: boolean;
  /** A uid in the object is a precondition that the stored object must match. Default: it only must not change. */
  readonly expectsUid?: boolean;
  /** The change itself has set `metadata.managedFields`. */
  readonly ownsManagedFields?: boolean;
  /** A change by the server itself, which may set every field: no strategy prepares or validates it. */
  readonly trusted?: boolean;
}

/** What managed fields depend on. */
type FieldsRequest = Pick<WriteRequest, 'kind' | 'manager' | 'subresource'> & {
  readonly codec: Pick<ObjectCodec, 'schema' | 'empty'>;
};

/** The number of generated names to try, as upstream (`maxNameGenerationCreateAttempts`). */
const generateNameAttemptsMax = 8;

const defaultNameErrors = nameRule(dns1123SubdomainErrors);
/** Those of the generic registry, which checks the metadata of kinds whose validation does not (`rest.BeforeCreate`). */
const genericNameErrors = nameRule(pathSegmentErrors);

/**
 * The rules for every write, for all kinds and all callers: apiserver's generic registry. From reading the stored object to
 * storing the new one it is synchronous, unless an admission step waits or a webhook converts the object.
 */
export class ObjectRegistry {
  readonly store: ObjectStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly #allocator: ServiceAllocator;
  readonly #allows: ObjectRegistryOptions['allows'];
  readonly #resourceOf: StrategyContext['resourceOf'];
  readonly #admission: AdmissionStep[] = [];
  readonly #mutatingAdmission: MutatingAdmissionStep[] = [];
  readonly #validatingAdmission: ValidatingAdmissionStep[] = [];
  readonly #grants: ValidatingAdmissionStep[] = [];
  #dynamic: DynamicAdmission | undefined;
  #quota: AdmissionQuota | undefined;

  constructor(options: ObjectRegistryOptions) {
    this.store = options.store;
    this.clock = options.clock;
    this.random = options.random;
    this.#allocator = options.allocator;
    this.#allows = options.allows;
    this.#resourceOf = options.resourceOf;
  }

  addAdmission(step: AdmissionStep): void {
    this.#admission.push(step);
  }

  addMutatingAdmission(step: MutatingAdmissionStep): void {
    this.#mutatingAdmission.push(step);
  }

  addValidatingAdmission(step: ValidatingAdmissionStep): void {
    this.#validatingAdmission.push(step);
  }

  /**
   * Adds a step that runs after all changes by admission and before the strategy prepares the object, like the checks of
   * upstream's storage for roles.
   */
  addGrantCheck(step: ValidatingAdmissionStep): void {
    this.#grants.push(step);
  }

  useQuota(quota: AdmissionQuota): void {
    this.#quota = quota;
  }

  useDynamicAdmission(admission: DynamicAdmission): void {
    this.#dynamic = admission;
  }

  /**
   * Runs the steps, policies and webhooks that change an object. Returns a promise only if there is a policy or webhook to ask.
   *
   * Source: `managedFieldsValidatingAdmissionController` of apimachinery `util/managedfields`.
   */
  #mutate(admission: AdmissionRequest & { readonly object: ApiObject }): ApiObject | Promise<ApiObject> {
    const { request, operation, current } = admission;
    const runSteps = (object: ApiObject): void => {
      if (operation === 'DELETE' || operation === 'CONNECT') return;
      const context = this.contextOf(request);
      for (const step of this.#mutatingAdmission) {
        step({ request, operation, object, ...(current !== undefined && { current }), context });
      }
    };
    runSteps(admission.object);
    const changing = this.#dynamic?.mutate(admission, runSteps);
    if (changing === undefined) return admission.object;
    return changing.then((changed) => {
      const { managedFields } = changed.metadata;
      try {
        decodeManagers(managedFields);
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        setManagedFields(changed, admission.object.metadata.managedFields);
        request.warn(invalidManagedFields + why);
      }
      return changed;
    });
  }

  /** Lets policies and webhooks change or reject the body of an action, such as an Eviction. */
  async admitAction(
    request: WriteRequest,
    body: ApiObject,
    decode: (json: JsonObject) => ApiObject,
  ): Promise<ApiObject> {
    checkNamespace(request, body);
    return this.#admitOnly('CREATE', request, body, decode);
  }

  /** Lets policies and webhooks change or reject the options of a connection, such as PodExecOptions. */
  admitConnection(
    request: WriteRequest,
    options: ApiObject,
    decode: (json: JsonObject) => ApiObject,
  ): Promise<ApiObject> {
    return this.#admitOnly('CONNECT', request, options, decode);
  }

  /** Runs admission for a request that stores nothing. */
  async #admitOnly(
    operation: 'CREATE' | 'CONNECT',
    request: WriteRequest,
    body: ApiObject,
    decode: (json: JsonObject) => ApiObject,
  ): Promise<ApiObject> {
    const admission = { request, operation, name: request.name, decode } as const;
    const object = (await this.#dynamic?.mutate({ ...admission, object: body }, () => undefined)) ?? body;
    await this.#dynamic?.validate({ ...admission, object });
    return object;
  }

  /** Lets policies and webhooks reject a deletion. Returns undefined if there is nothing to ask. */
  admitDeletion(request: WriteRequest, name: string, current: ApiObject, options: object): Promise<void> | undefined {
    const admission = { request, operation: 'DELETE', name, current, options } as const;
    const changing = this.#dynamic?.mutate(admission, () => undefined);
    if (changing === undefined) return this.#dynamic?.validate(admission);
    return changing.then(() => this.#dynamic?.validate(admission));
  }

  /** Runs the admission steps. Returns a promise only if a step waits. */
  admit(admission: AdmissionRequest): Promise<void> | undefined {
    const { kind } = admission.request;
    if (admission.operation === 'CREATE' && kind.terminating === true) {
      const why = 'create not allowed while custom resource definition is terminating';
      throw forbidden(kind.names, admission.name, why);
    }
    for (const [index, step] of this.#admission.entries()) {
      const pending = step(admission);
      if (pending !== undefined) return this.#admitRest(pending, index + 1, admission);
    }
    return undefined;
  }

  async #admitRest(pending: Promise<void>, from: number, admission: AdmissionRequest): Promise<void> {
    await pending;
    for (const step of this.#admission.slice(from)) await step(admission);
  }

  contextOf(request: WriteRequest, allocator: ServiceAllocator = this.#allocator): StrategyContext {
    return {
      user: request.user,
      clock: this.clock,
      random: this.random,
      dryRun: request.dryRun,
      allocator,
      allows: (access) => this.#allows(request.user, access),
      resourceOf: this.#resourceOf,
      lookup: ({ group, plural }, namespace, name) =>
        this.store.get(`${group}/${plural}`, namespace ?? '', name)?.object,
    };
  }

  /** Records the sender as the manager of all fields of a new object. */
  claimFields(request: FieldsRequest, object: ApiObject): void {
    setManagedFields(object, this.#managedFields(request, request.codec.empty, object, noVersions));
  }

  /** Stores a new object. `requested` is decoded; the registry owns it from now on. */
  async create(request: WriteRequest, requested: ApiObject): Promise<WriteResult> {
    const { metadata } = requested;
    wipeSystemFields(requested);
    checkNamespace(request, requested);
    const admission = { request, operation: 'CREATE', name: metadata.name ?? '', object: requested } as const;
    await this.admit(admission);
    await this.#recordManagers(request, request.codec.empty, requested);
    const changing = this.#mutate(admission);
    const object = changing instanceof Promise ? await changing : changing;
    this.#checkGrants({ ...admission, object });
    const { name, generateName: prefix } = object.metadata;
    if (name || !prefix) return this.#insert(request, object);
    for (let attempt = 1; ; attempt++) {
      const named = copyJson(object);
      named.metadata.name = generateName(prefix, this.random);
      try {
        return await this.#insert(request, named);
      } catch (error) {
        if ((error as StatusError).reason !== 'AlreadyExists') throw error;
        if (attempt === generateNameAttemptsMax) throw generateNameConflict(request.kind.names, named.metadata.name);
      }
    }
  }

  #insert(request: WriteRequest, object: ApiObject, byUpdate = false): WriteResult | Promise<WriteResult> {
    return this.#allocating(request, (context) => this.#insertIn(request, object, context, byUpdate));
  }

  /** Runs a write, and frees what strategies allocated for it if nothing was stored. */
  #allocating<Result extends WriteResult | Promise<WriteResult | undefined>>(
    request: WriteRequest,
    write: (context: StrategyContext) => Result,
  ): Result {
    const journal = new AllocationJournal(this.#allocator);
    let result: Result | undefined;
    let stored: StoredObject | undefined;
    try {
      result = write(this.contextOf(request, journal));
      if (!(result instanceof Promise)) stored = result.stored;
      return result;
    } finally {
      if (result instanceof Promise) void giveBackUnlessStored(journal, result);
      else if (stored === undefined) journal.giveBack();
    }
  }

  #insertIn(
    request: WriteRequest,
    object: ApiObject,
    context: StrategyContext,
    byUpdate: boolean,
  ): WriteResult | Promise<WriteResult> {
    const { kind, codec, namespace } = request;
    const { metadata } = object;
    // Strategies may read the name; an empty one is rejected below.
    metadata.name ??= '';
    checkNamespace(request, object);
    metadata.creationTimestamp = rfc3339(new Date(this.clock.now()));
    metadata.uid = randomUid(this.random);
    prepareForCreate(kind, codec, object, context);
    const { strategy } = kind;
    const inMetadata = objectMetaErrors(metadata, kind, this.#nameErrors(kind));
    const last = strategy.metadataLast === true;
    this.#refuse(kind, object, this.#validate(request, object, undefined, context, last ? [] : inMetadata));
    if (last) this.#refuse(kind, object, inMetadata);
    for (const warning of strategy.warnings?.(object, undefined, context) ?? []) request.warn(warning);
    strategy.canonicalize?.(object);
    const { name } = metadata;
    const checkNew = (): void => {
      // The storage rejects it after all other checks, but not in a dry run (`Create` of the etcd3 store).
      if (!byUpdate && !request.dryRun && hasRevision(metadata)) {
        throw refusal(500, '', 'resourceVersion should not be set on objects to be created');
      }
      const existing = this.store.get(kind.storageKey, namespace, name)?.object.metadata;
      if (existing === undefined) return;
      throw alreadyExists(kind.names, name, { isDeleting: existing.deletionTimestamp !== undefined });
    };
    const admission = { request, operation: 'CREATE', name, object } as const;
    const put = (converted: ApiObject, charge: QuotaCharge | undefined): WriteResult => {
      const stored = this.#put(request, name, object, converted, charge);
      strategy.afterStore?.(object, undefined, context);
      return { object, created: true, stored };
    };
    const store = (): WriteResult | Promise<WriteResult> => {
      const charge = this.#quota?.check(admission);
      checkNew();
      const converted = codec.toStorage(object);
      if (converted instanceof Promise) {
        return converted.then((inStorage) => {
          if (request.dryRun) return this.#readBack(request, inStorage, true);
          checkNew();
          return put(inStorage, charge);
        });
      }
      if (!request.dryRun) return put(converted, charge);
      return { object: codec.fromStorage(converted), created: true, stored: undefined };
    };
    const validating = this.#admitValid(admission);
    return validating === undefined ? store() : validating.then(store);
  }

  /** The result of a dry run whose object a webhook converted: what a later read would return. */
  async #readBack({ codec }: WriteRequest, inStorage: ApiObject, created: boolean): Promise<WriteResult> {
    await codec.prepare?.([inStorage]);
    return { object: codec.fromStorage(inStorage), created, stored: undefined };
  }

  /**
   * Changes a stored object. `change` is called with the object in the request's version, and again if the object changed
   * while admission waited. With `createIfMissing` (apply), or for kinds that allow it, a missing object is created.
   */
  async update(request: WriteRequest, change: ObjectChange, options: UpdateOptions = {}): Promise<WriteResult> {
    const { kind, codec, namespace, name } = request;
    for (;;) {
      const existing = this.store.get(kind.storageKey, namespace, name);
      const creates = options.createIfMissing === true || kind.strategy.allowCreateOnUpdate === true;
      if (existing === undefined) {
        if (!creates) throw notFound(kind.names, name);
        const object = await codec.withVersions((versionOf) => change(undefined, versionOf));
        const { managedFields } = object.metadata;
        const owned = options.ownsManagedFields === true ? managedFields : 'updated';
        const created = await this.#createByUpdate(request, object, owned);
        if (created === undefined) continue;
        return created;
      }
      const isCurrent = (): boolean => this.store.get(kind.storageKey, namespace, name) === existing;
      const preparing = codec.prepare?.([existing.object]);
      if (preparing !== undefined) await preparing;
      const current = codec.fromStorage(existing.object);
      const changing = codec.withVersions((versionOf) => change(current, versionOf));
      let object = changing instanceof Promise ? await changing : changing;
      if (!isCurrent()) continue;
      if (object === current) {
        if (this.#dynamic?.none !== false) return { object: current, created: false, stored: existing };
        object = copyJson(current);
      }
      const { form } = options;
      if (form === undefined && options.trusted !== true) checkNamespace(request, object);
      const update = {
        request,
        operation: 'UPDATE',
        name,
        current: form === undefined ? current : form.live(current),
        ...(form !== undefined && { decode: form.decode }),
      } as const;
      const pending = this.admit({ ...update, object });
      if (pending !== undefined) {
        await pending;
        if (!isCurrent()) continue;
      }
      if (options.ownsManagedFields !== true) {
        const recording = this.#recordManagers(request, current, object);
        if (recording !== undefined) await recording;
        if (!isCurrent()) continue;
      }
      if (options.trusted === true) {
        const stored = request.dryRun
          ? undefined
          : this.#put(request, name, object, codec.toStorage(object) as ApiObject);
        return { object, created: false, stored };
      }
      const mutating = this.#mutate({ ...update, object });
      const mutated = mutating instanceof Promise ? await mutating : mutating;
      if (!isCurrent()) continue;
      const whole = form === undefined ? mutated : form.merge(mutated, current);
      const replacing = this.#allocating(request, (context) =>
        this.#replace(request, context, existing, whole, options),
      );
      const replaced = replacing instanceof Promise ? await replacing : replacing;
      if (replaced !== undefined) return replaced;
    }
  }

  /** Returns undefined if another request created the object while admission waited. */
  async #createByUpdate(
    request: WriteRequest,
    object: ApiObject,
    managedFields: readonly ManagedFieldsEntry[] | undefined | 'updated',
  ): Promise<WriteResult | undefined> {
    const { resourceVersion, uid } = object.metadata;
    if (uid) {
      throw conflict(request.kind.names, request.name, uidMismatch(request, uid, ''));
    }
    // A version is compared only with that of an existing object, but it must be a number (`Store.Update`).
    if (resourceVersion && !/^\d+$/.test(resourceVersion)) {
      throw refusal(500, '', goIntegerError('ParseUint', resourceVersion));
    }
    checkNamespace(request, object);
    await this.admit({ request, operation: 'CREATE', name: request.name, object });
    if (managedFields === 'updated') await this.#recordManagers(request, request.codec.empty, object);
    else setManagedFields(object, managedFields);
    const mutated = await this.#mutate({ request, operation: 'CREATE', name: request.name, object });
    if (this.store.get(request.kind.storageKey, request.namespace, request.name) !== undefined) return undefined;
    this.#checkGrants({ request, operation: 'CREATE', name: request.name, object: mutated });
    return this.#insert(request, mutated, true);
  }

  /** The promise is fulfilled with undefined if the object has changed while a webhook was called. */
  #replace(
    request: WriteRequest,
    context: StrategyContext,
    existing: StoredObject,
    object: ApiObject,
    { expectsUid = false, form }: UpdateOptions,
  ): WriteResult | Promise<WriteResult | undefined> {
    const { kind, codec, name, subresource } = request;
    const current = codec.fromStorage(existing.object);
    const { strategy } = kind;
    const { metadata } = object;
    const old = current.metadata;
    if (expectsUid && metadata.uid && metadata.uid !== old.uid) {
      throw conflict(kind.names, name, uidMismatch(request, metadata.uid, old.uid ?? ''));
    }
    this.#checkGrants({ request, operation: 'UPDATE', name, object, current });
    if (!metadata.resourceVersion || metadata.resourceVersion === '0') {
      if (!(strategy.allowUnconditionalUpdate ?? !kind.custom)) {
        const detail = 'must be specified for an update';
        const qualified = { group: kind.names.group, kind: kind.names.plural };
        throw invalidObject(qualified, name, [invalid('metadata.resourceVersion', 0, detail)]);
      }
    } else if (metadata.resourceVersion !== String(existing.revision)) {
      if (!/^\d+$/.test(metadata.resourceVersion)) {
        throw refusal(500, '', goIntegerError('ParseUint', metadata.resourceVersion));
      }
      throw conflict(kind.names, name, modifiedMeanwhile);
    }
    metadata.resourceVersion = String(existing.revision);
    checkNamespace(request, object);

    if (old.generation === undefined) delete metadata.generation;
    else metadata.generation = old.generation;
    const part = subresource?.rules.type === 'part' ? subresource.rules : undefined;
    if (part === undefined) {
      prepareForUpdate(kind, codec, object, current, context);
    } else preparePartForUpdate(kind, part, subresource?.name ?? '', object, current, context);
    keepSystemFields(object, current);

    const errors = [
      ...objectMetaErrors(object.metadata, kind, this.#nameErrors(kind), old),
      ...this.#validate(request, object, current, context),
    ];
    this.#refuse(kind, object, errors);
    if (part === undefined) {
      for (const warning of strategy.warnings?.(object, current, context) ?? []) request.warn(warning);
    }
    strategy.canonicalize?.(object);
    keepManagedTimes(object, current);

    const isCurrent = (): boolean => this.store.get(kind.storageKey, existing.namespace, existing.name) === existing;
    const [newForm, oldForm] = form === undefined ? [object, current] : [form.of(object), form.of(current)];
    const admission = { request, operation: 'UPDATE', name, object: newForm, current: oldForm } as const;
    const store = (): WriteResult | Promise<WriteResult | undefined> => {
      const charge = this.#quota?.check(admission);
      if (isFinished(kind, object, current)) {
        if (!request.dryRun) {
          this.store.remove(kind.storageKey, existing.namespace, existing.name);
          strategy.afterStore?.(undefined, object, context);
        }
        return { object, created: false, stored: undefined };
      }
      const isChanged = !jsonEqual(object, current);
      // As upstream, what would be stored decides: an unchanged object is stored again in a new storage version of its kind.
      const isStored = (converted: ApiObject): boolean => !isChanged && jsonEqual(converted, existing.object);
      const unchanged: WriteResult = { object: current, created: false, stored: existing };
      const put = (converted: ApiObject): WriteResult => {
        const stored = this.#put(request, name, object, converted, charge);
        strategy.afterStore?.(object, current, context);
        return { object, created: false, stored };
      };
      const converted = codec.toStorage(object);
      if (converted instanceof Promise) {
        return converted.then((inStorage) => {
          if (isStored(inStorage)) return unchanged;
          if (request.dryRun) return this.#readBack(request, inStorage, false);
          return isCurrent() ? put(inStorage) : undefined;
        });
      }
      if (isStored(converted)) return unchanged;
      return request.dryRun
        ? { object: codec.fromStorage(converted), created: false, stored: undefined }
        : put(converted);
    };
    const validating = this.#admitValid(admission);
    return validating === undefined ? store() : validating.then(() => (isCurrent() ? store() : undefined));
  }

  #checkGrants(admission: AdmissionRequest): void {
    for (const check of this.#grants) check(admission);
  }

  /** Runs the validating steps, policies and webhooks. Returns a promise only if one of them must be waited for. */
  #admitValid(admission: AdmissionRequest): Promise<void> | undefined {
    for (const step of this.#validatingAdmission) step(admission);
    return this.#dynamic?.validate(admission);
  }

  /**
   * Stores a change of an object of a built-in kind by the server itself, in this turn. No admission, strategy or
   * validation takes part.
   */
  overwrite(request: WriteRequest, current: ApiObject, object: ApiObject): void {
    setManagedFields(object, this.#managedFields(request, current, object, noVersions));
    this.#put(request, request.name, object, object);
  }

  /** Stores an object of the request, which `stored` is in the storage version. */
  #put(
    { kind, namespace, user }: WriteRequest,
    name: string,
    object: ApiObject,
    stored: ApiObject,
    charge?: QuotaCharge,
  ): StoredObject {
    if (this.store.bytesOf(stored) > objectBytesMax) throw entityTooLarge(`limit is ${objectBytesMax}`);
    charge?.commit();
    const put = this.store.put(kind.storageKey, namespace, name, stored, user);
    object.metadata.resourceVersion = stored.metadata.resourceVersion ?? '';
    return put;
  }

  #validate(
    request: WriteRequest,
    object: ApiObject,
    current: ApiObject | undefined,
    context: StrategyContext,
    found: readonly FieldError[] = [],
  ): readonly FieldError[] {
    const { kind, codec, subresource } = request;
    if (kind.custom) checkTypeMeta(kind, object);
    // A create by an update of a subresource is validated like every other one.
    const part = current !== undefined && subresource?.rules.type === 'part' ? subresource.rules.strategy : undefined;
    const strategy = part ?? kind.strategy;
    const own =
      current === undefined
        ? strategy.validate?.(object, context)
        : strategy.validateUpdate?.(object, current, context);
    return codec.validate(object, current, [...found, ...(own ?? [])], subresource?.name === 'status');
  }

  #refuse(kind: KindDescription, object: ApiObject, errors: readonly FieldError[]): void {
    if (errors.length > 0) throw invalidObject(kind.names, object.metadata.name ?? '', errors);
  }

  #nameErrors(kind: KindDescription): (name: string, prefix: boolean) => readonly string[] {
    return kind.strategy.validateName ?? (kind.strategy.metadataLast === true ? genericNameErrors : defaultNameErrors);
  }

  /** Records the sender as the manager of what it changed. Returns a promise only if a webhook converts the object. */
  #recordManagers(request: WriteRequest, live: ApiObject, updated: ApiObject): Promise<void> | undefined {
    const recorded = request.codec.withVersions((versionOf) => this.#managedFields(request, live, updated, versionOf));
    if (recorded instanceof Promise) return recorded.then((entries) => setManagedFields(updated, entries));
    setManagedFields(updated, recorded);
    return undefined;
  }

  #managedFields(
    request: FieldsRequest,
    live: ApiObject,
    updated: ApiObject,
    versionOf: VersionLookup,
  ): ManagedFieldsEntry[] | undefined {
    const { kind, codec, manager, subresource } = request;
    return updateManagedFields({
      versionOf,
      live,
      updated,
      manager,
      schema: codec.schema,
      apiVersion: updated.apiVersion,
      ignored: ignoredFields(kind, subresource?.name),
      subresource: subresource?.name,
      now: new Date(this.clock.now()),
    });
  }
}

/** Frees the allocations of a write that waits, unless it stores the object. Its error reaches the caller elsewhere. */
async function giveBackUnlessStored(
  journal: AllocationJournal,
  writing: Promise<WriteResult | undefined>,
): Promise<void> {
  const result = await writing.catch(() => undefined);
  if (result?.stored === undefined) journal.giveBack();
}

/** Rejects a custom resource of another type, before its content is validated (`ValidateTypeMeta`). */
function checkTypeMeta({ names }: KindDescription, { kind, apiVersion, metadata }: ApiObject): void {
  const expected = apiVersionOf(names);
  const errors = [
    ...(kind === names.kind ? [] : [invalid('kind', kind, `must be ${names.kind}`)]),
    ...(apiVersion === expected ? [] : [invalid('apiVersion', apiVersion, `must be ${expected}`)]),
  ];
  if (errors.length === 0) return;
  const group = apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '';
  throw invalidObject({ group, kind }, metadata.name ?? '', errors);
}

const invalidManagedFields =
  '.metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; please fix your requests: ';

const noVersions: VersionLookup = () => undefined;

const statusPath = PathSet.of(['status']);
const specPath = PathSet.of(['spec']);
const metadataAndSpecPaths = PathSet.of(['metadata'], ['spec']);

/** The fields that a write resets, so that it does not make the sender their manager (`GetResetFields` upstream). */
export function ignoredFields(kind: KindDescription, subresource: string | undefined): PathSet | undefined {
  const { unowned } = (subresource === undefined ? kind.strategy : kind.strategy.subresources?.[subresource]) ?? {};
  if (unowned !== undefined) return PathSet.of(...unowned.map((part) => [part]));
  if (subresource === 'status') {
    const resetsMetadata = kind.custom || kind.strategy.subresources?.['status']?.resetsMetadata === true;
    return resetsMetadata ? metadataAndSpecPaths : specPath;
  }
  return kind.subresources.has('status') ? statusPath : undefined;
}

function setManagedFields(object: ApiObject, entries: readonly ManagedFieldsEntry[] | undefined): void {
  if (entries === undefined) delete object.metadata.managedFields;
  else object.metadata.managedFields = entries as ManagedFieldsEntry[];
}

/** Whether an object has a resourceVersion other than zero. As upstream, one that is not a number does not count. */
function hasRevision({ resourceVersion }: ApiObject['metadata']): boolean {
  return resourceVersion !== undefined && /^0*[1-9]\d{0,18}$/.test(resourceVersion);
}

/** `rest.WipeObjectMetaSystemFields`. */
function wipeSystemFields({ metadata }: ApiObject): void {
  delete metadata.creationTimestamp;
  delete metadata.deletionTimestamp;
  delete metadata.deletionGracePeriodSeconds;
  delete metadata.uid;
  delete metadata.selfLink;
}

/**
 * Sets the namespace of the request in an object without one; rejects another namespace. The namespace of a cluster-scoped
 * object is removed (`EnsureObjectNamespaceMatchesRequestNamespace`).
 */
function checkNamespace({ kind, namespace }: WriteRequest, { metadata }: ApiObject): void {
  const expected = kind.names.namespaced ? namespace : '';
  if (expected === '') delete metadata.namespace;
  else if (metadata.namespace === undefined || metadata.namespace === '') {
    metadata.namespace = expected;
  } else if (metadata.namespace !== expected) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
}

function keepSystemFields({ metadata }: ApiObject, { metadata: old }: ApiObject): void {
  delete metadata.selfLink;
  if (!metadata.uid && old.uid) metadata.uid = old.uid;
  if (old.creationTimestamp) metadata.creationTimestamp = old.creationTimestamp;
  if (old.deletionTimestamp) metadata.deletionTimestamp = old.deletionTimestamp;
  if (old.deletionGracePeriodSeconds !== undefined && metadata.deletionGracePeriodSeconds === undefined) {
    metadata.deletionGracePeriodSeconds = old.deletionGracePeriodSeconds;
  }
}

/** Keeps the old managedFields if only their times changed, so that the write is no change. */
function keepManagedTimes(object: ApiObject, current: ApiObject): void {
  const { managedFields: entries } = object.metadata;
  const { managedFields: old } = current.metadata;
  if (entries === undefined || old === undefined || entries.length !== old.length) return;
  const timeless = entries.every((entry, index) =>
    jsonEqual({ ...entry, time: undefined }, { ...old[index], time: undefined }),
  );
  if (!timeless) return;
  const { managedFields: _, ...metadata } = object.metadata;
  const { managedFields: __, ...oldMetadata } = current.metadata;
  if (!jsonEqual({ ...object, metadata }, { ...current, metadata: oldMetadata })) return;
  object.metadata.managedFields = old;
}

/** Whether an update removed the last finalizer or other condition that kept a deleted object. */
function isFinished(kind: KindDescription, object: ApiObject, current: ApiObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = current.metadata;
  if (deletionTimestamp === undefined || deletionGracePeriodSeconds !== 0) return false;
  if ((object.metadata.finalizers ?? []).length > 0) return false;
  return (kind.strategy.otherFinalizers?.(object) ?? []).length === 0;
}

/** The kinds whose etcd keys contain another name than their plural, and those that contain their group. */
const storageNames: Readonly<Record<string, string>> = {
  services: 'services/specs',
  endpoints: 'services/endpoints',
  nodes: 'minions',
  ingresses: 'ingress',
  replicationcontrollers: 'controllers',
};
const groupsInKeys = ['apiextensions.k8s.io', 'apiregistration.k8s.io'];

function uidMismatch({ kind, namespace, name, dryRun }: WriteRequest, asked: string, actual: string): string {
  const { group, plural } = kind.names;
  const path = kind.custom || groupsInKeys.includes(group) ? [group, plural] : [storageNames[plural] ?? plural];
  // A dry run does not reach the storage, which adds the prefix.
  const key = [dryRun ? '' : '/registry', ...path, namespace, name]
    .filter((part, index) => index === 0 || part !== '')
    .join('/');
  const reason = `Precondition failed: UID in precondition: ${asked}, UID in object meta: ${actual}`;
  return `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${reason}`;
}
