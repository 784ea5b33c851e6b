import { electionTiming, type LeaderElectionOptions } from './election-timing.ts';

describe('electionTiming()', () => {
  it("has client-go's times by default", () => {
    expect(electionTiming({ name: 'nginx' })).toEqual({
      leaseDurationMs: 15_000,
      renewDeadlineMs: 10_000,
      retryPeriodMs: 2000,
    });
  });

  it.each<[Partial<LeaderElectionOptions>, RegExp]>([
    [{ renewDeadline: '15s' }, /renewDeadline \(15000 ms\) is not less than leaseDuration \(15000 ms\)/],
    [{ retryPeriod: '9s' }, /renewDeadline \(10000 ms\) is not more than 1.2 times retryPeriod \(9000 ms\)/],
    [{ retryPeriod: '0' }, /retryPeriod \(0 ms\), or retryPeriod is not positive/],
    [{ leaseDuration: '15500ms' }, /leaseDuration is 15500 ms; the Lease stores whole seconds/],
    [{ name: 'My Operator' }, /name "My Operator" is not a valid Lease name/],
  ])('rejects %j', (options, message) => {
    expect(() => electionTiming({ name: 'nginx', ...options })).toThrow(
      expect.objectContaining({ code: 'invalid-option', message: expect.stringMatching(message) }),
    );
  });
});
