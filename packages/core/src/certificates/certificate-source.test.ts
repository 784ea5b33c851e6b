import { plannedCertificates } from './certificate-source.ts';
import { certificateTiming } from './certificate-timing.ts';

const hourMs = 3_600_000;

describe('plannedCertificates()', () => {
  it('are built in by default, with the declared durations', () => {
    expect(plannedCertificates()).toEqual({ source: 'built-in', timing: certificateTiming() });
    const durations = { certificateDuration: '1d', authorityDuration: '30d' } as const;
    expect(plannedCertificates(durations)).toEqual({ source: 'built-in', timing: certificateTiming(durations) });
  });

  it('have the durations of cert-manager, and an authority of 10 years, unless they are declared', () => {
    const certificates = 'cert-manager';
    expect(plannedCertificates({ certificates })).toEqual({
      source: certificates,
      certificateMs: undefined,
      authorityMs: 87_600 * hourMs,
    });
    expect(plannedCertificates({ certificates, certificateDuration: '1h', authorityDuration: '90d' })).toEqual({
      source: certificates,
      certificateMs: hourMs,
      authorityMs: 90 * 24 * hourMs,
    });
    expect(plannedCertificates({ certificates: 'files' })).toEqual({ source: 'files', url: undefined });
    const url = 'https://webhooks.example.com:8443/sites';
    expect(plannedCertificates({ certificates: 'files', url })).toEqual({ source: 'files', url });
  });

  it.each([
    [
      { certificates: 'files', certificateDuration: '1d' },
      "certificateDuration has no effect with certificates: 'files'",
    ],
    [{ url: 'https://a.example.com' }, "url needs certificates: 'files'"],
    [{ certificates: 'cert-manager', url: 'https://a.example.com' }, "url needs certificates: 'files'"],
    [{ certificates: 'files', url: 'http://a.example.com' }, 'url is "http://a.example.com"; write an https URL'],
    [{ certificates: 'files', url: 'https://me@a.example.com' }, 'url is "https://me@a.example.com"; write'],
    [{ certificates: 'files', url: 'https://a.example.com/?x' }, 'url is "https://a.example.com/?x"; write'],
    [{ certificates: 'files', url: '' }, 'url is ""; write an https URL'],
    [{ certificates: 'files', authorityDuration: '1d' }, "authorityDuration has no effect with certificates: 'files'"],
    [
      { certificates: 'cert-manager', certificateDuration: '59m' },
      'certificateDuration is 59m, and cert-manager rejects',
    ],
    [{ certificates: 'cert-manager', authorityDuration: '80d' }, 'certificateDuration (90d) is longer than'],
    [{ certificates: 'cert-manager', authorityDuration: '3651d' }, 'authorityDuration is 3651d; use at most 3650d'],
    [{ authorityDuration: '3651d' }, 'authorityDuration is 3651d; use at most 3650d'],
    [{ certificateDuration: '2m' }, 'certificateDuration is 2m, so a certificate could expire before its renewal'],
  ] as const)('reject %j', (declared, message) => {
    expect(() => plannedCertificates(declared)).toThrow(
      expect.objectContaining({
        code: 'invalid-option',
        message: expect.stringContaining(`webhookServer: ${message}`) as string,
      }),
    );
  });

  it('reject a duration without a unit', () => {
    expect(() => plannedCertificates({ certificateDuration: '90' as never })).toThrow(
      expect.objectContaining({
        code: 'invalid-duration',
        message: expect.stringMatching(/^webhookServer: certificateDuration: "90" has no unit/) as string,
      }),
    );
  });
});
