import { decodeManagers, encodeManagers, managerNameOf } from './manager.ts';

describe('managerNameOf', () => {
  it.each([
    ['the fieldManager', 'mine', 'kubectl/v1', 'mine'],
    ['the part of the User-Agent before the first slash', undefined, 'kubectl/v1.36 (linux/amd64)', 'kubectl'],
    ['limited to printable characters', '', 'a\u0007b\u200b c', 'ab c'],
    ['limited to 128 bytes', undefined, 'ü'.repeat(70), 'ü'.repeat(64)],
    ['"unknown" where nothing is said', undefined, undefined, 'unknown'],
  ])('is %s', (_, fieldManager, userAgent, expected) => {
    expect(managerNameOf(fieldManager, userAgent)).toBe(expected);
  });
});

describe('managers', () => {
  const entry = (manager: string, operation: string, time: string | undefined, more: object = {}) => ({
    manager,
    operation,
    apiVersion: 'v1',
    ...(time === undefined ? {} : { time }),
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:data': {} },
    ...more,
  });

  it('are encoded with appliers first, then by time, name, version and subresource', () => {
    const sorted = [
      entry('z', 'Apply', undefined),
      entry('a', 'Apply', '2026-01-01T00:00:00Z'),
      entry('b', 'Update', '2026-01-01T00:00:00Z'),
      entry('c', 'Update', '2026-01-01T00:00:00Z'),
      entry('c', 'Update', '2026-01-01T00:00:00Z', { subresource: 'status' }),
      entry('a', 'Update', '2026-01-01T00:00:01Z'),
    ];
    expect(encodeManagers(decodeManagers(sorted.toReversed()))).toEqual(sorted);
  });

  it('are decoded with the last entry of each manager', () => {
    const twice = [entry('a', 'Apply', undefined, { apiVersion: 'v2' }), entry('a', 'Apply', '2026-01-01T00:00:00Z')];
    expect(encodeManagers(decodeManagers(twice))).toEqual([twice[1]]);
  });

  it.each([
    [entry('a', 'Foo', undefined), 'operation must be `Apply` or `Update`'],
    [entry('a', 'Apply', undefined, { apiVersion: '' }), 'apiVersion must not be empty'],
    [entry('a', 'Apply', undefined, { fieldsType: undefined }), 'missing fieldsType in managed fields entry 0'],
    [entry('a', 'Apply', undefined, { fieldsType: 'X' }), 'invalid fieldsType "X" in managed fields entry 0'],
    [null, 'operation must be `Apply` or `Update`'],
  ])('cannot be decoded from %j', (broken, message) => {
    expect(() => decodeManagers([broken])).toThrow(message);
  });
});
