import { ManualClock } from '@evenkeel/core';
import { runOwnChecks, verifyOwnChecks } from './own-checks.ts';

describe('runOwnChecks()', () => {
  it('passes a check that returns or resolves, and fails one that throws or rejects with its reason', async () => {
    const checks = {
      returns: () => false,
      resolves: async () => undefined,
      throws: () => {
        throw new Error('no licence');
      },
      rejects: () => Promise.reject('a text'),
    };
    expect(await runOwnChecks(checks, new ManualClock())).toEqual([
      { name: 'returns', problem: undefined },
      { name: 'resolves', problem: undefined },
      { name: 'throws', problem: 'no licence' },
      { name: 'rejects', problem: 'a text' },
    ]);
  });

  it('aborts a check that does not finish within 5 s, and leaves no timer', async () => {
    const clock = new ManualClock();
    let aborted = false;
    const hanging = (signal: AbortSignal): Promise<never> => {
      signal.addEventListener('abort', () => {
        aborted = true;
      });
      return new Promise(() => undefined);
    };
    const results = runOwnChecks({ hanging, quick: () => undefined }, clock);
    await clock.advance(4999);
    expect(aborted).toBe(false);
    await clock.advance(1);
    expect(await results).toEqual([
      { name: 'hanging', problem: 'the check did not finish within 5000 ms' },
      { name: 'quick', problem: undefined },
    ]);
    expect([aborted, clock.pending]).toEqual([true, 0]);
  });
});

describe('verifyOwnChecks()', () => {
  it.each(['manager', 'controller-nginx', '', 'a/b', 'a b', 'x'.repeat(64)])('rejects the name %j', (name) => {
    expect(() => verifyOwnChecks({ [name]: () => undefined })).toThrow(
      expect.objectContaining({ code: 'invalid-option', message: expect.stringContaining('health.readiness') }),
    );
  });

  it('accepts valid names', () => {
    expect(() => verifyOwnChecks({ 'billing-api': () => undefined, 'db.v1_x': () => undefined })).not.toThrow();
  });
});
