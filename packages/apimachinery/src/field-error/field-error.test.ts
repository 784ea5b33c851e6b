import { goFloat, goJson, goQuote } from '../go-format/go-format.ts';
import {
  aggregateMessage,
  fieldErrorOf,
  fieldErrorText,
  invalid,
  invalidStatus,
  notSupported,
  required,
  tooLong,
  tooMany,
} from './field-error.ts';

describe('field errors', () => {
  it('are formatted as in Kubernetes', () => {
    const errors = [
      invalid('spec.replicas', 60, 'must be less'),
      invalid('spec.size', 1_000_000, 'x'),
      invalid('spec.size', 1234567.5, 'x'),
      invalid('spec.name', 'a"b', 'x'),
      invalid('spec.map', { b: 1, a: ['<'] }, 'x'),
      invalid('', null, 'no path'),
      invalid('spec', undefined, 'no value'),
      required('spec.name'),
      tooLong('spec.name', 1),
      tooMany('spec.list', 5, 3),
      notSupported('spec.mode', 'x', ['a', 'b']),
    ];
    expect(errors.map(fieldErrorText)).toEqual([
      'spec.replicas: Invalid value: 60: must be less',
      'spec.size: Invalid value: 1000000: x',
      'spec.size: Invalid value: 1.2345675e+06: x',
      'spec.name: Invalid value: "a\\"b": x',
      'spec.map: Invalid value: {"a":["\\u003c"],"b":1}: x',
      '<nil>: Invalid value: null: no path',
      'spec: Invalid value: no value',
      'spec.name: Required value',
      'spec.name: Too long: may not be more than 1 byte',
      'spec.list: Too many: 5: must have at most 3 items',
      'spec.mode: Unsupported value: "x": supported values: "a", "b"',
    ]);
  });

  it('are read from messages in the form of the API server, and made from others', () => {
    const read = (message: string) => fieldErrorText(fieldErrorOf('spec.size', message, 5));
    for (const message of ['Required value', 'Required value: set it', 'Invalid value: 6: too large', 'Too long']) {
      expect(read(message)).toBe(`spec.size: ${message}`);
    }
    expect(read('must be even')).toBe('spec.size: Invalid value: 5: must be even');
    expect(read('Required values differ')).toBe('spec.size: Invalid value: 5: Required values differ');
  });

  it('are joined into one message without duplicates', () => {
    expect(aggregateMessage([required('a')])).toBe('a: Required value');
    expect(aggregateMessage([required('a'), required('b'), required('a')])).toBe(
      '[a: Required value, b: Required value]',
    );
  });

  it('are the causes of the Status of a rejected object', () => {
    expect(invalidStatus({ group: 'web.example.com', kind: 'Nginx' }, 'x', [required('spec.size')])).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'Nginx.web.example.com "x" is invalid: spec.size: Required value',
      reason: 'Invalid',
      details: {
        name: 'x',
        group: 'web.example.com',
        kind: 'Nginx',
        causes: [{ reason: 'FieldValueRequired', message: 'Required value', field: 'spec.size' }],
      },
      code: 422,
    });
  });
});

describe('Go formatting', () => {
  it.each([
    [1e6, '1e+06'],
    [123456, '123456'],
    [0.0001, '0.0001'],
    [0.00001, '1e-05'],
    [1e21, '1e+21'],
    [-2.5, '-2.5'],
  ])('prints the float %d as %s', (value, text) => {
    expect(goFloat(value)).toBe(text);
  });

  it('escapes unprintable characters', () => {
    expect(goQuote('é\u00a0\u200b\u007f\u0085😀\ufeff\n')).toBe('"é\\u00a0\\u200b\\x7f\\u0085😀\\ufeff\\n"');
  });

  it('writes whole numbers in JSON as integers', () => {
    expect(goJson([1e20, 1e-7, 2 ** 53, 9007199254740993n, 1.5])).toBe(
      '[100000000000000000000,1e-7,9007199254740992,9007199254740993,1.5]',
    );
  });
});
