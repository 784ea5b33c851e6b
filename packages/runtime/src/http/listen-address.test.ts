import { addressText, isLoopback, parseListenAddress } from './listen-address.ts';

describe('parseListenAddress()', () => {
  it.each([
    [':8081', { host: undefined, port: 8081 }, false],
    ['127.0.0.1:8080', { host: '127.0.0.1', port: 8080 }, true],
    ['127.1.2.3:0', { host: '127.1.2.3', port: 0 }, true],
    ['0.0.0.0:8443', { host: '0.0.0.0', port: 8443 }, false],
    ['[::]:8443', { host: '::', port: 8443 }, false],
    ['[::1]:65535', { host: '::1', port: 65_535 }, true],
    ['localhost:1', { host: 'localhost', port: 1 }, true],
    ['localhost.example.com:1', { host: 'localhost.example.com', port: 1 }, false],
    ['127.example.com:1', { host: '127.example.com', port: 1 }, false],
  ])('parses %s', (text, expected, loopback) => {
    const address = parseListenAddress(text);
    expect(address).toEqual(expected);
    expect(address === undefined ? undefined : addressText(address)).toBe(text);
    expect(address === undefined ? undefined : isLoopback(address)).toBe(loopback);
  });

  it('returns undefined for 0 and off', () => {
    expect([parseListenAddress('0'), parseListenAddress('off')]).toEqual([undefined, undefined]);
  });

  it.each([
    '',
    '8080',
    ':',
    ':65536',
    ':-1',
    '::1:8080',
    '[::1]',
    'http://localhost:80',
    'a b:1',
    ':8080/',
    '[x]:1',
    ':1\n',
  ])('rejects %j with examples of valid addresses', (text) => {
    expect(() => parseListenAddress(text)).toThrow(
      expect.objectContaining({
        code: 'invalid-address',
        message: expect.stringContaining('use :8080, 127.0.0.1:8080'),
      }),
    );
  });
});
