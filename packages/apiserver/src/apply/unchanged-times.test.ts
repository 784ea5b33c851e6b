import { keepUnchangedTimes } from './unchanged-times.ts';

const object = (time: string | undefined, data: unknown, fields: unknown = { 'f:data': {} }) => ({
  metadata: {
    name: 'x',
    managedFields: [
      { manager: 'a', operation: 'Apply', apiVersion: 'v1', ...(time === undefined ? {} : { time }), fieldsV1: fields },
    ],
  },
  data,
});

describe('keepUnchangedTimes', () => {
  it('restores the stored times if nothing else differs', () => {
    const stored = object('2026-01-01T00:00:00Z', { a: '1' });
    expect(keepUnchangedTimes(stored, object('2026-01-02T00:00:00Z', { a: '1' }))).toEqual(stored);
  });

  it.each([
    ['the object changed', object('2026-01-02T00:00:00Z', { a: '2' })],
    ['an owner changed', object('2026-01-02T00:00:00Z', { a: '1' }, { 'f:data': { 'f:a': {} } })],
    ['no time changed', object('2026-01-01T00:00:00Z', { a: '1' })],
    ['there are no managedFields', { metadata: { name: 'x' }, data: { a: '1' } }],
  ])('returns the object unchanged if %s', (_, updated) => {
    expect(keepUnchangedTimes(object('2026-01-01T00:00:00Z', { a: '1' }), updated)).toBe(updated);
  });
});
