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
    [{ checkInterval: '0' }, 'checkInterval is 0; use a positive duration'],
    [{ certificateDuration: '366d' }, 'certificateDuration (366d) is longer than authorityDuration (365d); set'],
    [
      { certificateDuration: '179s' },
      'certificateDuration is 179s, so a certificate could expire before its renewal; use at least 180s',
    ],
    [
      { authorityDuration: '20m', certificateDuration: '10m' },
      'authorityDuration is 20m, so an authority could expire before the next one signs; use at least 1260s',
    ],
  ] as const)('rejects %j, with which a call could fail', (options, message) => {
    expect(() => certificateTiming(options)).toThrow(
      expect.objectContaining({
        code: 'invalid-option',
        message: expect.stringContaining(`webhookServer: ${message}`) as string,
      }),
    );
  });

  it('accepts the shortest durations', () => {
    expect(certificateTiming({ certificateDuration: '3m', authorityDuration: '21m' })).toMatchObject({
      leafMs: 180_000,
      authorityMs: 1_260_000,
    });
  });
});
