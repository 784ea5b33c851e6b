import { isJsonObject, type JsonObject, valueAt } from '@evenkeel/apimachinery/json';
import {
  type AdmissionOperation,
  type AdmissionResource,
  type AdmissionUser,
  admissionOperations,
  type GroupVersionKind,
} from '@evenkeel/core';
import { parseReviewJson, UndecodableReview } from './review-json.ts';

/** The request of an AdmissionReview, checked. */
export interface AdmissionRequest {
  readonly uid: string;
  readonly operation: AdmissionOperation;
  readonly kind: GroupVersionKind;
  readonly resource: AdmissionResource;
  readonly requestKind: GroupVersionKind;
  readonly subresource: string | undefined;
  readonly name: string;
  readonly namespace: string | undefined;
  readonly user: AdmissionUser;
  readonly dryRun: boolean;
  readonly options: JsonObject;
  /** Undefined in a deletion. */
  readonly object: JsonObject | undefined;
  /** Undefined in a creation and for `connect`. */
  readonly oldObject: JsonObject | undefined;
  /** The request as it was sent, without its uid and objects. */
  readonly given: JsonObject;
}

const apiVersion = 'admission.k8s.io/v1';

/**
 * Reads the body of a call to an admission webhook. It comes from outside, so every field is checked that is used later.
 *
 * @throws UndecodableReview if it is not an AdmissionReview of v1 with a complete request.
 */
export function readAdmissionRequest(body: Uint8Array): AdmissionRequest {
  const review = parseReviewJson(body);
  if (review['apiVersion'] !== apiVersion || review['kind'] !== 'AdmissionReview') {
    throw new UndecodableReview(`the body is not an AdmissionReview of ${apiVersion}`);
  }
  const request = valueAt(review, 'request');
  if (!isJsonObject(request)) throw new UndecodableReview('the review has no request');
  const operation = String(valueAt(request, 'operation')).toLowerCase() as AdmissionOperation;
  if (!admissionOperations.includes(operation)) throw new UndecodableReview('request.operation is unknown');
  const uid = textAt(request, 'uid');
  if (uid === '') throw new UndecodableReview('request.uid is missing');
  const kind = kindAt(request, 'kind');
  if (kind === undefined) throw new UndecodableReview('request.kind is missing');
  const resource = objectAt(request, 'resource') ?? {};
  const subresource = textAt(request, 'subResource');
  const namespace = textAt(request, 'namespace');
  const object = objectAt(request, 'object');
  const oldObject = objectAt(request, 'oldObject');
  const reviewed = operation === 'delete' ? oldObject : object;
  if (reviewed === undefined) {
    throw new UndecodableReview(`request.${operation === 'delete' ? 'oldObject' : 'object'} is missing`);
  }
  return {
    uid,
    operation,
    kind,
    resource: {
      group: textAt(resource, 'group'),
      version: textAt(resource, 'version'),
      plural: textAt(resource, 'resource'),
    },
    requestKind: kindAt(request, 'requestKind') ?? kind,
    subresource: subresource === '' ? undefined : subresource,
    name: textAt(request, 'name'),
    namespace: namespace === '' ? undefined : namespace,
    user: userOf(objectAt(request, 'userInfo') ?? {}),
    dryRun: valueAt(request, 'dryRun') === true,
    options: objectAt(request, 'options') ?? {},
    object,
    oldObject,
    given: withoutObjects(request),
  };
}

function withoutObjects({ uid: _, object: __, oldObject: ___, ...given }: JsonObject): JsonObject {
  return given;
}

function kindAt(request: JsonObject, name: string): GroupVersionKind | undefined {
  const given = objectAt(request, name);
  if (given === undefined) return undefined;
  const kind = { group: textAt(given, 'group'), version: textAt(given, 'version'), kind: textAt(given, 'kind') };
  return kind.kind === '' ? undefined : kind;
}

function userOf(info: JsonObject): AdmissionUser {
  const uid = textAt(info, 'uid');
  const extra = objectAt(info, 'extra') ?? {};
  return {
    username: textAt(info, 'username'),
    uid: uid === '' ? undefined : uid,
    groups: textsOf(valueAt(info, 'groups')),
    extra: Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, textsOf(values)])),
  };
}

function textsOf(values: unknown): string[] {
  return Array.isArray(values) ? values.filter((value) => typeof value === 'string') : [];
}

/** An empty string if there is none. */
function textAt(object: JsonObject, key: string): string {
  const value = valueAt(object, key) ?? '';
  if (typeof value === 'string') return value;
  throw new UndecodableReview(`${key} is not a string`);
}

function objectAt(object: JsonObject, key: string): JsonObject | undefined {
  const value = valueAt(object, key) ?? undefined;
  if (value === undefined || isJsonObject(value)) return value;
  throw new UndecodableReview(`${key} is not an object`);
}
