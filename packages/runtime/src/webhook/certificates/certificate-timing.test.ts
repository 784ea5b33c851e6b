import { certificateTiming } from './certificate-timing.ts';

const day = 24 * 3_600_000;

describe('certificateTiming()', () => {
  it('has the defaults that docs/certificates.md states', () => {
    expect(certificateTiming()).toEqual({
      authorityMs: 365 * day,
      leafMs: 90 * day,
      trustDelayMs: 300_000,
      checkMs: 60_000,
    });
  });

  it.each([
    [{ checkInterval: '0' }, /checkInterval is 0 ms; use a positive duration/],
    [{ leafDuration: '366d' }, /leafDuration .* is longer than authorityDuration/],
    [{ leafDuration: '2m' }, /a third of leafDuration \(120000 ms\) is less than checkInterval/],
    [
      { authorityDuration: '20m', leafDuration: '10m' },
      /a third of authorityDuration \(1200000 ms\) is less than trustDelay \(300000 ms\)/,
    ],
  ] as const)('rejects %j, with which a call could fail', (options, message) => {
    expect(() => certificateTiming(options)).toThrow(
      expect.objectContaining({ code: 'invalid-option', message: expect.stringMatching(message) as string }),
    );
  });
});
