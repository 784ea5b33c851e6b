import type { ApiStatus } from '@evenkeel/apimachinery/status';
import {
  ignoreNotFound,
  isAlreadyExists,
  isConflict,
  isForbidden,
  isGone,
  isInvalid,
  isNotFound,
  isTooManyRequests,
  isUnauthorized,
  StatusError,
} from './status-error.ts';

const predicates = {
  isNotFound,
  isAlreadyExists,
  isConflict,
  isInvalid,
  isForbidden,
  isUnauthorized,
  isTooManyRequests,
  isGone,
};

function rejection(code: number | undefined, reason?: string): StatusError {
  const status: ApiStatus = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure' };
  return new StatusError({
    ...status,
    ...(code === undefined ? {} : { code }),
    ...(reason === undefined ? {} : { reason }),
  });
}

function matching(error: unknown): string[] {
  return Object.entries(predicates)
    .filter(([, isIt]) => isIt(error))
    .map(([name]) => name);
}

describe('the predicates of a StatusError', () => {
  it.each([
    [404, 'NotFound', ['isNotFound']],
    [409, 'AlreadyExists', ['isAlreadyExists']],
    [409, 'Conflict', ['isConflict']],
    [422, 'Invalid', ['isInvalid']],
    [403, 'Forbidden', ['isForbidden']],
    [401, 'Unauthorized', ['isUnauthorized']],
    [429, 'TooManyRequests', ['isTooManyRequests']],
    [410, 'Expired', ['isGone']],
    [410, 'Gone', ['isGone']],
    [500, 'InternalError', []],
  ])('use the reason: %d %s', (code, reason, expected) => {
    expect(matching(rejection(code, reason))).toEqual(expected);
  });

  it.each([
    [404, ['isNotFound']],
    // It can mean AlreadyExists or Conflict. Only for Conflict does it help a caller to read the object again.
    [409, ['isConflict']],
    [410, ['isGone']],
    [502, []],
    [undefined, []],
  ])('use the HTTP status if the response of a proxy has no reason: %p', (code, expected) => {
    expect(matching(rejection(code))).toEqual(expected);
  });

  it('prefer the reason if the HTTP status differs from it', () => {
    expect(matching(rejection(404, 'Conflict'))).toEqual(['isConflict']);
    expect(matching(rejection(404, 'SomethingNew'))).toEqual([]);
  });

  it('return false for anything but a StatusError', () => {
    for (const other of [undefined, null, 'NotFound', new Error('NotFound'), { code: 404, reason: 'NotFound' }]) {
      expect(matching(other)).toEqual([]);
    }
  });
});

describe('a StatusError', () => {
  it('has the message of the status, or a message with the code', () => {
    expect(new StatusError({ ...rejection(404).status, message: 'pods "a" not found' }).message).toBe(
      'pods "a" not found',
    );
    expect(rejection(503).message).toBe('the server responded with 503');
    expect(rejection(undefined)).toMatchObject({ code: 500, reason: '' });
  });
});

describe('ignoreNotFound', () => {
  it('returns undefined for a missing object, and passes on all other results and errors', async () => {
    await expect(ignoreNotFound(Promise.reject(rejection(404, 'NotFound')))).resolves.toBeUndefined();
    await expect(ignoreNotFound(Promise.resolve('there'))).resolves.toBe('there');
    await expect(ignoreNotFound(Promise.reject(rejection(409, 'Conflict')))).rejects.toMatchObject({
      reason: 'Conflict',
    });
  });
});
