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

/**
 * The error for an object that has the name of a child but is not a child of `owner`.
 *
 * @param mayAdopt whether the operator would have taken the object over.
 * @param adoptCall the call of the user that would take the object over.
 */
export function foreignChild(
  owner: KubernetesObject,
  { kind }: ApiResource,
  object: KubernetesObject,
  mayAdopt: boolean,
  adoptCall: string,
): EvenkeelError {
  const child = `${kind} ${ObjectKey.of(object)}`;
  return new EvenkeelError(
    'foreign-child',
    `${owner.kind} ${ObjectKey.of(owner)}: cannot apply ${child}: it ${whyForeign(owner, kind, object, mayAdopt ? undefined : adoptCall)}`,
  );
}

/** The label that selects the children of a controller, after it was written to a child. */
export interface WrittenLabel {
  readonly label: string;
  readonly controller: string;
  /** The previous value, the name of another controller. Undefined: the child had lost the label. */
  readonly other: string | undefined;
}

/**
 * The error for a child that the server has but the cache lacks.
 *
 * @param written the label, if it was written because the child had lost it or had another value. Undefined: the child has the label.
 */
export function childNotCached(
  owner: KubernetesObject,
  { kind }: ApiResource,
  key: ObjectKey,
  written: WrittenLabel | undefined,
): EvenkeelError {
  const { state, action } = whyNotCached(written);
  return new EvenkeelError(
    'child-not-cached',
    `${owner.kind} ${ObjectKey.of(owner)}: did not apply ${kind} ${key}: ${state}, so this run may have computed the child as if it did not exist; ${action}`,
  );
}

function whyNotCached(written: WrittenLabel | undefined): { readonly state: string; readonly action: string } {
  if (written === undefined) {
    return {
      state: 'the cache does not contain the child yet',
      action: 'no action is required, because the run is retried',
    };
  }
  const { label, controller, other } = written;
  if (other === undefined) {
    return {
      state: `the child had lost the label ${label}=${controller}`,
      action: 'the label was restored and the run is retried. If this repeats, find the program that removes the label',
    };
  }
  return {
    state: `the child had the label ${label}=${other} of the controller ${other}`,
    action: `the label was changed to ${controller} and the run is retried. If this repeats, the controllers ${other} and ${controller} apply the same child: let only one of them apply it, or use a different name in each`,
  };
}

/** @param adoptCall undefined if the operator would have taken the object over. */
function whyForeign(owner: KubernetesObject, kind: string, object: KubernetesObject, adoptCall?: string): string {
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
  if (adoptCall === undefined) return `was not adopted because this ${owner.kind} was deleted; no action is required`;
  return `exists, is not controlled by this ${owner.kind} and was not changed; use another name for the ${owner.kind} or for its ${kind}, delete the existing ${kind} if it is not needed, or let the operator take it over with ${adoptCall}`;
}

/** Whether a reference is to an earlier object of the same name, which was deleted and recreated as `owner`. */
function isEarlier({ apiVersion, kind, name }: OwnerReference, owner: KubernetesObject): boolean {
  const { group } = parseApiVersion(apiVersion);
  return group === parseApiVersion(owner.apiVersion ?? '').group && kind === owner.kind && name === owner.metadata.name;
}
