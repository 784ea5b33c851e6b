import { type ApiStatus, groupResourceOf, StatusError } from '@evenkeel/core';
import { aggregateMessage, type FieldError, goQuote, statusCauseOf } from '../apimachinery/index.ts';

/** The resource that a response names, or a kind in its place. */
export interface GroupResource {
  readonly group: string;
  readonly plural: string;
}

// The functions below use the messages, reasons and codes of apimachinery's `api/errors`.

export function notFound(resource: GroupResource, name: string): StatusError {
  return refusal(404, 'NotFound', `${groupResourceOf(resource)} ${goQuote(name)} not found`, detailsOf(resource, name));
}

/** The path does not exist, or it has no such resource. */
export function pathNotFound(): StatusError {
  return refusal(404, 'NotFound', 'the server could not find the requested resource', {});
}

export function alreadyExists(
  resource: GroupResource,
  name: string,
  { isDeleting = false }: { readonly isDeleting?: boolean } = {},
): StatusError {
  const message = `${groupResourceOf(resource)} ${goQuote(name)} already exists`;
  return refusal(
    409,
    'AlreadyExists',
    isDeleting ? `object is being deleted: ${message}` : message,
    detailsOf(resource, name),
  );
}

export function generateNameConflict(resource: GroupResource, name: string): StatusError {
  const what = `${groupResourceOf(resource)} ${goQuote(name)}`;
  const message = `${what} already exists, the server was not able to generate a unique name for the object`;
  return refusal(409, 'AlreadyExists', message, { ...detailsOf(resource, name), retryAfterSeconds: 1 });
}

export function conflict(resource: GroupResource, name: string, why: string): StatusError {
  const message = `Operation cannot be fulfilled on ${groupResourceOf(resource)} ${goQuote(name)}: ${why}`;
  return refusal(409, 'Conflict', message, detailsOf(resource, name));
}

/** `registry.OptimisticLockErrorMsg`. */
export const modifiedMeanwhile =
  'the object has been modified; please apply your changes to the latest version and try again';

export function forbidden(resource: GroupResource, name: string, why: string): StatusError {
  const what = name === '' ? groupResourceOf(resource) : `${groupResourceOf(resource)} ${goQuote(name)}`;
  return refusal(403, 'Forbidden', `${what} is forbidden: ${why}`, detailsOf(resource, name));
}

export function invalidObject(
  kind: { readonly group: string; readonly kind: string },
  name: string,
  errors: readonly FieldError[],
): StatusError {
  const qualified = kind.group === '' ? kind.kind : `${kind.kind}.${kind.group}`;
  const reasons = errors.length === 0 ? '' : `: ${aggregateMessage(errors)}`;
  const details = {
    ...(name !== '' && { name }),
    ...(kind.group !== '' && { group: kind.group }),
    ...(kind.kind !== '' && { kind: kind.kind }),
    causes: errors.map(statusCauseOf),
  };
  return refusal(422, 'Invalid', `${qualified} ${goQuote(name)} is invalid${reasons}`, details);
}

export function badRequest(message: string): StatusError {
  return refusal(400, 'BadRequest', message);
}

export function unauthorized(): StatusError {
  return refusal(401, 'Unauthorized', 'Unauthorized');
}

/** The error for a verb that a subresource does not have, in the form for custom kinds (`NewMethodNotSupported`). */
export function notSupported(resource: GroupResource, verb: string): StatusError {
  const message = `${verb} is not supported on resources of kind ${goQuote(groupResourceOf(resource))}`;
  return refusal(405, 'MethodNotAllowed', message, { group: resource.group, kind: resource.plural });
}

export function methodNotAllowed(): StatusError {
  return refusal(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {});
}

export function expired(message: string): StatusError {
  return refusal(410, 'Expired', message);
}

export function entityTooLarge(message: string): StatusError {
  return refusal(413, 'RequestEntityTooLarge', `Request entity too large: ${message}`);
}

export function notAcceptable(supported: readonly string[]): StatusError {
  const message = `only the following media types are accepted: ${supported.join(', ')}`;
  return refusal(406, 'NotAcceptable', message);
}

export function unsupportedMediaType(supported: readonly string[]): StatusError {
  const message = `the body of the request was in an unknown format - accepted media types include: ${supported.join(', ')}`;
  return refusal(415, 'UnsupportedMediaType', message);
}

/** `retryAfterSeconds`: undefined if upstream reads from etcd instead of its cache. */
export function tooLargeResourceVersion(asked: number, current: number, retryAfterSeconds?: number): StatusError {
  const message = `Too large resource version: ${asked}, current: ${current}`;
  return refusal(504, 'Timeout', `Timeout: ${message}`, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
}

export function internalError(message: string): StatusError {
  return refusal(500, 'InternalError', `Internal error occurred: ${message}`, { causes: [{ message }] });
}

export function refusal(code: number, reason: string, message: string, details?: ApiStatus['details']): StatusError {
  return new StatusError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    ...(reason !== '' && { reason }),
    ...(details !== undefined && { details }),
    code,
  });
}

function detailsOf({ group, plural }: GroupResource, name: string): NonNullable<ApiStatus['details']> {
  return { ...(name !== '' && { name }), ...(group !== '' && { group }), kind: plural };
}
