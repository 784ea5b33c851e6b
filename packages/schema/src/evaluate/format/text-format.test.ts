import { enforcedFormat, textFormat } from './text-format.ts';

describe('string formats', () => {
  it.each([
    ['date', '2024-02-29', '2023-02-29'],
    ['date-time', '2024-01-01T00:00:00.5Z', '2024-01-01T00:00:60Z'],
    ['duration', '3 weeks', '3 moons'],
    ['email', 'A <a@b>', 'a b@c'],
    ['hostname', 'a.example.com', '-a.example.com'],
    ['ipv4', '010.0.0.1', '10.0.0.256'],
    ['ipv6', 'fe80::1', 'fe80::1%eth0'],
    ['cidr', '10.0.0.1/8', '10.0.0.1/33'],
    ['mac', '0123.4567.89ab', '0123:4567:89ab'],
    ['uri', '/path', 'path'],
    ['uuid', '123e4567e89b12d3a456426614174000', '123e4567'],
    ['uuid4', '16fd2706-8baf-433b-82eb-8c7fada847da', '16fd2706-8baf-533b-82eb-8c7fada847da'],
    ['byte', 'YQ==', ''],
    ['isbn', '978-0321751041', '978-0321751042'],
    ['creditcard', '4111 1111 1111 1111', '4111 1111 1111 1112'],
    ['k8s-short-name', 'a-b', 'a.b'],
    ['k8s-long-name', 'a.b', 'A.b'],
    ['hexcolor', '#fff', '#ffff'],
    ['rgbcolor', 'rgb(1, 2, 255)', 'rgb(1, 2, 256)'],
  ])('%s accepts %s and rejects %s', (name, good, bad) => {
    const isOf = textFormat(name);
    expect([isOf?.(good), isOf?.(bad)]).toEqual([true, false]);
  });

  it('are enforced only for their types', () => {
    expect(textFormat('no-such-format')).toBeUndefined();
    expect(enforcedFormat('no-such-format', ['string'])).toBe('');
    expect(enforcedFormat('int32', ['integer'])).toBe('int32');
    expect(enforcedFormat('int32', ['number'])).toBe('');
    expect(enforcedFormat('date', ['array'])).toBe('');
    expect(enforcedFormat('date', ['integer', 'string'])).toBe('date');
  });

  it.each([
    'duration',
    'hostname',
    'email',
    'uri',
    'isbn',
    'creditcard',
    'k8s-long-name',
    'byte',
    'rgbcolor',
    'date-time',
  ])('%s is checked in linear time', (name) => {
    for (const text of [
      '1'.repeat(200_000),
      'a-'.repeat(100_000),
      'a.'.repeat(100_000),
      '"\\'.repeat(100_000),
      ' '.repeat(200_000),
    ]) {
      expect(typeof textFormat(name)?.(text)).toBe('boolean');
    }
  });
});
