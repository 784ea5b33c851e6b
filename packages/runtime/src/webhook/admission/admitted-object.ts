import { copyJson, isJsonObject, type JsonObject } from '@evenkeel/apimachinery/json';
import type { WebhookPlan } from '@evenkeel/core/webhook';
import type { AdmissionRequest } from './admission-request.ts';
import { jsonPatchOf, type PatchOperation } from './json-patch.ts';
import { freezeDeep } from './review-json.ts';

/** The objects that the methods of a webhook get for one request. */
export interface AdmittedObjects {
  /** The reviewed object: the new one, or for a deletion the deleted one. Frozen, except where a mutating webhook may change it. */
  readonly object: JsonObject;
  readonly oldObject: JsonObject | undefined;
  /** What the methods have changed; empty if nothing. */
  patch(): readonly PatchOperation[];
}

/**
 * Prepares the objects of a request. They get the prototype of the kind's class. If the class declares a status, they have one,
 * because the API server removes it from an object that is created, and code may rely on the declared type.
 *
 * @param changed the object as rules leave it; it may share parts with that of the request. Default: unchanged.
 */
export function admittedObjects(
  plan: WebhookPlan,
  request: AdmissionRequest,
  isOfKind: boolean,
  changed: JsonObject | undefined = request.object,
): AdmittedObjects {
  const typed = (object: JsonObject | undefined): JsonObject | undefined => {
    if (object === undefined || !isOfKind) return object;
    Object.setPrototypeOf(object, plan.kind.prototype as object);
    if (plan.declaresStatus && !isJsonObject(object['status'])) object['status'] = {};
    return object;
  };
  const isChanged = changed !== request.object;
  const given = request.operation === 'delete' ? request.oldObject : isChanged ? copyJson(changed) : changed;
  if (given === undefined) throw new Error('bug: a request without an object was not rejected');
  const mayChange = plan.type === 'mutating' && request.operation !== 'delete';
  const before = isChanged ? (request.object ?? given) : mayChange ? copyJson(given) : given;
  const hadStatus = Object.hasOwn(given, 'status');
  const oldObject = typed(request.oldObject);
  freezeDeep(oldObject);
  const object = request.operation === 'delete' ? given : (typed(given) ?? given);
  if (!mayChange) freezeDeep(object);
  return {
    object,
    oldObject,
    patch: () => (mayChange ? jsonPatchOf(before, hadStatus ? object : withoutEmptyStatus(object)) : []),
  };
}

/** The status that {@link admittedObjects} added is no change, unless a method wrote to it. */
function withoutEmptyStatus(object: JsonObject): JsonObject {
  const { status, ...others } = object;
  return isJsonObject(status) && Object.keys(status).length > 0 ? object : others;
}
