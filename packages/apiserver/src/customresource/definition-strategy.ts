import { withCondition } from '@evenkeel/core';
import {
  type CustomResourceDefinition,
  decodeCustomResourceDefinition,
  defaultCustomResourceDefinition,
  unrecognizedFormats,
  validateCustomResourceDefinition,
} from '@evenkeel/schema/evaluate';
import { copyJson, type FieldError, jsonEqual } from '../apimachinery/index.ts';
import { type ApiObject } from '../kind/api-object.ts';
import { DecodingError } from '../kind/object-codec.ts';
import type { Strategy } from '../kind/strategy.ts';
import {
  cleanupFinalizer,
  type DefinitionStatus,
  type StoredDefinition,
  storageVersionOf,
} from './custom-definition.ts';

/** Only the status, and metadata: by it the server's own controller takes its finalizer away. */
const status: Strategy = {
  prepareForUpdate(object, old) {
    object['spec'] = copyJson(old['spec']);
  },
};

/**
 * The rules of CustomResourceDefinitions themselves. What follows a write, from accepted names to the deletion of
 * objects, is the lifecycle's.
 *
 * Sources: apiextensions-apiserver `pkg/registry/customresourcedefinition/strategy.go` and `etcd.go`.
 */
export const definitionStrategy: Strategy = {
  default(object) {
    // The schema of schemas says nothing of what is below items.
    const { crd, errors } = decodeCustomResourceDefinition(object);
    const [error] = errors;
    if (error !== undefined) throw new DecodingError(`${error.field}: ${error.detail}`);
    object['spec'] = crd.spec ?? {};
    defaultCustomResourceDefinition(crdOf(object));
  },
  prepareForCreate(object) {
    object['status'] = { conditions: null, acceptedNames: { kind: '', plural: '' }, storedVersions: [] };
    recordStorageVersion(object);
  },
  prepareForUpdate(object, old) {
    if (old['status'] === undefined) delete object['status'];
    else object['status'] = copyJson(old['status']);
    recordStorageVersion(object);
  },
  validate: (object) => validateCustomResourceDefinition(crdOf(object)) as readonly FieldError[],
  validateUpdate: (object, old) => validateCustomResourceDefinition(crdOf(object), crdOf(old)) as readonly FieldError[],
  warnings(object, old) {
    const known = old === undefined ? [] : unrecognizedFormats(crdOf(old));
    return unrecognizedFormats(crdOf(object))
      .filter((format) => !known.includes(format))
      .map((format) => `unrecognized format ${JSON.stringify(format)}`);
  },
  generation: (object, old) => !jsonEqual(object['spec'], old['spec']),
  statusIsSubresource: true,
  allowUnconditionalUpdate: false,
  garbageCollection: 'Unsupported',
  otherFinalizers: ({ metadata }) => (metadata.deletionTimestamp === undefined ? [cleanupFinalizer] : []),
  markDeleting: (object) => markDeleting(object),
  subresources: { status },
};

function recordStorageVersion(object: ApiObject): void {
  const { spec, status: before } = storedDefinition(object);
  const version = storageVersionOf(spec);
  const storedVersions = before?.storedVersions ?? [];
  if (version === '' || storedVersions.includes(version)) return;
  object['status'] = { ...before, storedVersions: [...storedVersions, version] } satisfies DefinitionStatus;
}

/** The first deletion leaves everything but the time of it, a finalizer and a condition to the lifecycle. */
function markDeleting(object: ApiObject): void {
  const { metadata } = object;
  if (metadata.finalizers?.includes(cleanupFinalizer) === true) return;
  const { status: before } = storedDefinition(object);
  // The second deletion is the one that goes by the generic rules, which count the mark itself as a generation.
  if (metadata.generation !== undefined) metadata.generation -= 1;
  delete metadata.deletionGracePeriodSeconds;
  metadata.finalizers = [...(metadata.finalizers ?? []), cleanupFinalizer];
  const conditions = withCondition(
    before?.conditions ?? undefined,
    {
      type: 'Terminating',
      status: 'True',
      reason: 'InstanceDeletionPending',
      message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
    },
    new Date(metadata.deletionTimestamp ?? 0),
  );
  object['status'] = { ...before, conditions } satisfies DefinitionStatus;
}

function crdOf(object: ApiObject): CustomResourceDefinition {
  return object as unknown as CustomResourceDefinition;
}

/** A stored object as the definition that it is. */
export function storedDefinition(object: ApiObject): StoredDefinition {
  return object as unknown as StoredDefinition;
}
