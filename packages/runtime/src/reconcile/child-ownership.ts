import {
  type ApiResource,
  EvenkeelError,
  type KubernetesObject,
  ObjectKey,
  type OwnerReference,
  parseApiVersion,
} from '@evenkeel/core';

/** The controller owner reference of an object. The API server enforces that there is at most one. */
export function controllerOf({ metadata }: KubernetesObject): OwnerReference | undefined {
  return metadata.ownerReferences?.find((reference) => reference.controller === true);
}

/**
 * Whether an object is a child of `owner`: its controller owner reference has the uid of `owner`.
 *
 * Only the uid proves this. Users choose the names, and every user who may write the object can change its labels and
 * managedFields. The uid is the same for all releases of the operator, and a recreated owner has another one.
 */
export function isChildOf(object: KubernetesObject, { metadata: { uid } }: KubernetesObject): boolean {
  return uid !== undefined && controllerOf(object)?.uid === uid;
}

/** The error for an object that has the name of a child but is not a child of `owner`. */
export function foreignChild(
  owner: KubernetesObject,
  { kind }: ApiResource,
  object: KubernetesObject,
  mayAdopt: boolean,
): EvenkeelError {
  const child = `${kind} ${ObjectKey.of(object)}`;
  return new EvenkeelError(
    'foreign-child',
    `${owner.kind} ${ObjectKey.of(owner)}: cannot apply ${child}: it ${whyForeign(owner, kind, object, mayAdopt)}`,
  );
}

/**
 * The error for a child that the server has but the cache lacks.
 *
 * @param restored the label that the child had lost, and that was restored. Undefined: it has the label.
 */
export function childNotCached(
  owner: KubernetesObject,
  { kind }: ApiResource,
  key: ObjectKey,
  restored: string | undefined,
): EvenkeelError {
  const why =
    restored === undefined
      ? 'the cache does not contain it yet, so this run may have computed its fields as if it did not exist; no action is required, because the run is retried'
      : `it had lost the label ${restored}, so this run may have computed its fields as if it did not exist; the label was restored and the run is retried. If this repeats, find what removes the label`;
  return new EvenkeelError(
    'child-not-cached',
    `${owner.kind} ${ObjectKey.of(owner)}: did not apply ${kind} ${key}: ${why}`,
  );
}

function whyForeign(owner: KubernetesObject, kind: string, object: KubernetesObject, mayAdopt: boolean): string {
  const controller = controllerOf(object);
  if (controller !== undefined && isEarlier(controller, owner)) {
    return `is controlled by an earlier ${controller.kind} ${controller.name} (uid ${controller.uid}) and was not changed; wait until the garbage collector has deleted it`;
  }
  if (controller !== undefined) {
    const isNamesake = controller.kind === owner.kind && controller.apiVersion !== owner.apiVersion;
    const which = isNamesake ? `${controller.apiVersion} ${controller.kind}` : controller.kind;
    return `is controlled by ${which} ${controller.name} (uid ${controller.uid}) and was not changed; use another name for the ${owner.kind} or for its ${kind}`;
  }
  if (object.metadata.deletionTimestamp !== undefined) {
    return `is being deleted, is not controlled by this ${owner.kind} and was not changed; wait until it is deleted`;
  }
  if (mayAdopt) return `was not adopted because this ${owner.kind} was deleted; no action is required`;
  return `exists, is not controlled by this ${owner.kind} and was not changed; use another name for the ${owner.kind} or for its ${kind}, delete the existing ${kind} if it is not needed, or let the operator take it over with apply(child, { adopt: true })`;
}

/** Whether a reference is to an earlier object of the same name, which was deleted and recreated as `owner`. */
function isEarlier({ apiVersion, kind, name }: OwnerReference, owner: KubernetesObject): boolean {
  const { group } = parseApiVersion(apiVersion);
  return group === parseApiVersion(owner.apiVersion ?? '').group && kind === owner.kind && name === owner.metadata.name;
}
