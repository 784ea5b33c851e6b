import { CertificateAuthority } from '@evenkeel/apimachinery/certificate';
import { authoritiesIn, bundleOf, createAuthority, pemBlocks, withoutKey } from './authority-record.ts';
import { readAuthorities, secretData } from './authority-secret.ts';

const name = 'nginx-webhook-ca';
const now = Date.parse('2030-01-01T00:00:00Z');
const day = 24 * 3_600_000;
const [newest, older] = [createAuthority(name, now, day), createAuthority(name, now - day, 2 * day)];
const base64 = (text: string): string => Buffer.from(text).toString('base64');

describe('readAuthorities()', () => {
  it('reads what secretData() has written, in the same order', () => {
    const records = [newest, older, withoutKey(createAuthority(name, now - 2 * day, 3 * day))];
    expect(readAuthorities(secretData(records), name)).toEqual({ records, damage: undefined });
    expect(authoritiesIn(bundleOf(records), name)).toEqual(records.map(withoutKey));
  });

  it.each<[string, Record<string, string> | undefined, number, RegExp]>([
    ['no data', undefined, 0, /^ca\.crt has no PEM block CERTIFICATE; ca\.key has no PEM block PRIVATE KEY$/],
    ['no base64', { 'ca.crt': '%%%', 'ca.key': '%%%' }, 0, /^ca\.crt has no PEM block/],
    ['no strings', { 'ca.crt': 5, 'ca.key': {} } as never, 0, /^ca\.crt has no PEM block/],
    [
      'a certificate that is garbage beside valid ones',
      {
        ...secretData([newest, older]),
        'ca.crt': base64(`-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n${newest.certificatePem}`),
      },
      1,
      /^block 1 of ca\.crt: .*; block 2 of ca\.key: it is the key of no certificate in ca\.crt$/,
    ],
    [
      'the authority of another program',
      secretData([createAuthority('other', now, day)]),
      0,
      /^block 1 of ca\.crt: the subject of the certificate is not CN=nginx-webhook-ca; block 1 of ca\.key/,
    ],
    [
      'the certificate of a server',
      {
        ...secretData([newest]),
        'ca.crt': base64(
          new CertificateAuthority(name, now).issue({ commonName: name, usage: 'server' }).certificatePem,
        ),
      },
      0,
      /^block 1 of ca\.crt: the certificate is not that of an authority/,
    ],
    [
      'a key that is garbage',
      { ...secretData([newest]), 'ca.key': base64('-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----') },
      1,
      /^block 1 of ca\.key: /,
    ],
    ['half a block', { ...secretData([newest]), 'ca.crt': base64(newest.certificatePem.slice(0, 200)) }, 0, /^ca\.crt/],
  ])('reports %s, and keeps only what is valid', (_what, data, valid, damage) => {
    const read = readAuthorities(data, name);
    expect(read.records).toHaveLength(valid);
    expect(read.damage).toMatch(damage);
    expect(read.damage).not.toContain('PRIVATE KEY-----');
  });

  it('ignores keys of the prototype', () => {
    const data = JSON.parse('{"__proto__": {"ca.crt": "eA=="}, "constructor": "eA=="}') as Record<string, string>;
    expect(readAuthorities(data, name).records).toEqual([]);
  });

  it('reads a Secret of the largest size in linear time', () => {
    const begins = base64('-----BEGIN CERTIFICATE-----\n'.repeat(30_000));
    const blocks = base64('-----BEGIN CERTIFICATE-----AAAA-----END CERTIFICATE-----'.repeat(15_000));
    expect(readAuthorities({ 'ca.crt': begins, 'ca.key': begins }, name).records).toEqual([]);
    expect(readAuthorities({ 'ca.crt': blocks }, name).records).toEqual([]);
    expect(pemBlocks(Buffer.from(blocks, 'base64').toString(), 'CERTIFICATE')).toHaveLength(64);
  });
});
