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

function refusal(code: number | undefined, reason?: string): StatusError {
  const status: ApiStatus = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure' };
  return new StatusError({
    ...status,
    ...(code === undefined ? {} : { code }),
    ...(reason === undefined ? {} : { reason }),
  });
}

function answering(error: unknown): string[] {
  return Object.entries(predicates)
    .filter(([, isIt]) => isIt(error))
    .map(([name]) => name);
}

describe('the predicates of a refusal', () => {
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
  ])('go by the reason: %d %s', (code, reason, expected) => {
    expect(answering(refusal(code, reason))).toEqual(expected);
  });

  it.each([
    [404, ['isNotFound']],
    // Either of two things: only Conflict is what a caller can do something about by reading again.
    [409, ['isConflict']],
    [410, ['isGone']],
    [502, []],
    [undefined, []],
  ])('go by the status where a proxy answered without a reason: %p', (code, expected) => {
    expect(answering(refusal(code))).toEqual(expected);
  });

  it('believe the reason where the status says something else', () => {
    expect(answering(refusal(404, 'Conflict'))).toEqual(['isConflict']);
    expect(answering(refusal(404, 'SomethingNew'))).toEqual([]);
  });

  it('are false for what is no refusal, whatever it looks like', () => {
    for (const other of [undefined, null, 'NotFound', new Error('NotFound'), { code: 404, reason: 'NotFound' }]) {
      expect(answering(other)).toEqual([]);
    }
  });
});

describe('a StatusError', () => {
  it('has the message of the status, or at least the code', () => {
    expect(new StatusError({ ...refusal(404).status, message: 'pods "a" not found' }).message).toBe(
      'pods "a" not found',
    );
    expect(refusal(503).message).toBe('the server answered 503');
    expect(refusal(undefined)).toMatchObject({ code: 500, reason: '' });
  });
});

describe('ignoreNotFound', () => {
  it('gives undefined for what is not there, and lets everything else pass', async () => {
    await expect(ignoreNotFound(Promise.reject(refusal(404, 'NotFound')))).resolves.toBeUndefined();
    await expect(ignoreNotFound(Promise.resolve('there'))).resolves.toBe('there');
    await expect(ignoreNotFound(Promise.reject(refusal(409, 'Conflict')))).rejects.toMatchObject({
      reason: 'Conflict',
    });
  });
});
