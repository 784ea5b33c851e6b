import { tooLong } from '@evenkeel/apimachinery/field-error';
import { type AdmissionReview, type ApiStatus, StatusError } from '@evenkeel/core';
import { type CaseStep, type CaseWebhook, map, maps, type Reviewed, type WebhookCase } from './webhook-case.fixture.ts';

type Review = AdmissionReview<Reviewed>;
type Expected = Pick<CaseStep, 'code' | 'message' | 'body' | 'warnings' | 'seen'>;

const create: CaseStep['request'] = ['POST', maps, map({ a: 'b' })];

/** A webhook for ConfigMaps that responds in a certain way, and the response that the client gets. */
const answers = (
  title: string,
  reviews: (review: Review, object: Reviewed) => unknown,
  expected: Expected,
  type: CaseWebhook['type'] = 'validating',
): WebhookCase => ({
  title,
  webhooks: [{ type, reviews: (object, review) => reviews(review, object) }],
  steps: [{ request: create, ...expected }],
});

const is = 'ConfigMap "map" is invalid: ';
const invalid = (
  message: string,
  ...causes: readonly (readonly [reason: string, message: string, field: string])[]
): Expected => ({
  code: 422,
  message: `denied the request: ${is}${message}`,
  body: {
    reason: 'Invalid',
    details: {
      name: 'map',
      kind: 'ConfigMap',
      causes: causes.map(([reason, text, field]) => ({ reason, message: text, field })),
    },
  },
});
/** One field error. */
const field = (path: string, reason: string, message: string): Expected =>
  invalid(`${path}: ${message}`, [reason, message, path]);

const values: readonly (readonly [title: string, value: unknown, shown: string])[] = [
  ['a string', 'x', '"x"'],
  ['a string with quotes', 'a "b"\n', String.raw`"a \"b\"\n"`],
  ['an empty string', '', '""'],
  ['a string of other letters', 'ä€', '"ä€"'],
  ['a number', 7, '7'],
  ['a fraction', 1.5, '1.5'],
  ['a boolean', false, 'false'],
  ['null', null, 'null'],
  ['a list', [1, 'a'], '[1,"a"]'],
  ['an object', { a: { b: 1 } }, '{"a":{"b":1}}'],
];

const status = (code: number, reason: string, message: string, more: object = {}): StatusError =>
  new StatusError({
    ...{ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure' },
    ...{ code, reason, message, ...more },
  } as ApiStatus);

const failed = (error: string): Expected => ({
  code: 500,
  message: new RegExp(`denied the request: .+ failed with ${error}; the log of the operator has the details$`),
  body: { reason: 'InternalError' },
});
const denied = (message: string): Expected => ({
  code: 403,
  message: `denied the request: ${message}`,
  body: { reason: 'Forbidden' },
});

/** By these two, a test finds out that the API server calls the webhooks. */
export const probeCases: readonly WebhookCase[] = (['mutating', 'validating'] as const).map((type) =>
  answers(`a ${type} webhook denies`, (review) => review.deny('called'), denied('called'), type),
);

export const answerCases: readonly WebhookCase[] = [
  answers('accepts without a word', () => undefined, { code: 201, warnings: [], body: { data: { a: 'b' } } }),
  ...values.map(([title, value, shown]) =>
    answers(
      `invalid() with ${title}`,
      (review) => review.invalid('data.a', value, 'is wrong'),
      field('data.a', 'FieldValueInvalid', `Invalid value: ${shown}: is wrong`),
    ),
  ),
  answers(
    'invalid() without a value',
    (review) => review.invalid('data.a', undefined, 'is wrong'),
    field('data.a', 'FieldValueInvalid', 'Invalid value: is wrong'),
  ),
  answers(
    'invalid() without a detail',
    (review) => review.invalid('data.a', 'x', ''),
    field('data.a', 'FieldValueInvalid', 'Invalid value: "x"'),
  ),
  answers(
    'invalid() with a percent sign in the detail',
    (review) => review.invalid('data.a', 'x', '100 %s'),
    field('data.a', 'FieldValueInvalid', 'Invalid value: "x": 100 %s'),
  ),
  answers(
    'invalid() with a key in the path',
    (review) => review.invalid('metadata.labels[example.com/app]', 'x', 'is wrong'),
    field('metadata.labels[example.com/app]', 'FieldValueInvalid', 'Invalid value: "x": is wrong'),
  ),
  answers('required()', (review) => review.required('data.b'), field('data.b', 'FieldValueRequired', 'Required value')),
  answers(
    'required() with a detail',
    (review) => review.required('data.b', 'or set data.c'),
    field('data.b', 'FieldValueRequired', 'Required value: or set data.c'),
  ),
  answers(
    'forbidden()',
    (review) => review.forbidden('data.a', 'may not change'),
    field('data.a', 'FieldValueForbidden', 'Forbidden: may not change'),
  ),
  answers(
    'notSupported() with one value',
    (review) => review.notSupported('data.a', 'b', ['x']),
    field('data.a', 'FieldValueNotSupported', 'Unsupported value: "b": supported values: "x"'),
  ),
  answers(
    'notSupported() with several values',
    (review) => review.notSupported('data.a', 'b', ['x', 'a"b', '']),
    field('data.a', 'FieldValueNotSupported', String.raw`Unsupported value: "b": supported values: "x", "a\"b", ""`),
  ),
  answers(
    'notSupported() with a number',
    (review) => review.notSupported('data.a', 3, ['1', '2']),
    field('data.a', 'FieldValueNotSupported', 'Unsupported value: 3: supported values: "1", "2"'),
  ),
  answers(
    'duplicate()',
    (review) => review.duplicate('data.a', 'b'),
    field('data.a', 'FieldValueDuplicate', 'Duplicate value: "b"'),
  ),
  answers(
    'duplicate() with an object',
    (review) => review.duplicate('data[1]', { name: 'x' }),
    field('data[1]', 'FieldValueDuplicate', 'Duplicate value: {"name":"x"}'),
  ),
  answers(
    'reject() with another type of error',
    (review) => review.reject(tooLong('data.a', 3)),
    field('data.a', 'FieldValueTooLong', 'Too long: may not be more than 3 bytes'),
  ),
  answers(
    'several field errors',
    (review) => {
      review.required('data.b');
      review.invalid('data.a', 'b', 'is wrong');
      review.forbidden('data.c', 'is not yours');
    },
    invalid(
      '[data.b: Required value, data.a: Invalid value: "b": is wrong, data.c: Forbidden: is not yours]',
      ['FieldValueRequired', 'Required value', 'data.b'],
      ['FieldValueInvalid', 'Invalid value: "b": is wrong', 'data.a'],
      ['FieldValueForbidden', 'Forbidden: is not yours', 'data.c'],
    ),
  ),
  answers(
    'the same field error twice',
    (review) => {
      for (let count = 0; count < 2; count++) review.required('data.b');
    },
    { code: 422, message: `${is}data.b: Required value` },
  ),
  answers(
    '1,000 field errors',
    (review) => {
      for (let index = 0; index < 1000; index++) review.required(`data.f${index}`);
    },
    { code: 422, message: /data\.f0: Required value, data\.f1: Required value/ },
  ),
  answers('deny()', (review) => review.deny('not today'), denied('not today')),
  answers('deny() with other letters', (review) => review.deny('„ä" <b> %d \\'), denied('„ä" <b> %d \\')),
  answers('deny() with several lines', (review) => review.deny('one\ntwo'), denied('one\ntwo')),
  answers(
    'deny() after a field error',
    (review) => {
      review.required('data.b');
      review.deny('not today');
    },
    denied('not today'),
  ),
  answers(
    'deny() that the method catches',
    (review) => {
      try {
        review.deny('not today');
      } catch {
        review.warn('caught');
      }
    },
    { ...denied('not today'), warnings: ['caught'] },
  ),
  answers(
    'deny() in an asynchronous method',
    async (review) => {
      await Promise.resolve();
      review.deny('not today');
    },
    denied('not today'),
  ),
  answers('deny() in a mutating webhook', (review) => review.deny('not today'), denied('not today'), 'mutating'),
  answers(
    'field errors of a mutating webhook',
    (review) => review.invalid('data.a', 'b', 'is wrong'),
    field('data.a', 'FieldValueInvalid', 'Invalid value: "b": is wrong'),
    'mutating',
  ),
  answers(
    'a thrown StatusError',
    () => {
      throw status(409, 'Conflict', 'somebody was faster', { details: { name: 'x', kind: 'y', causes: [] } });
    },
    {
      code: 409,
      message: 'denied the request: somebody was faster',
      body: { reason: 'Conflict', details: { name: 'x', kind: 'y' } },
    },
  ),
  answers(
    'a thrown StatusError of a missing object',
    () => {
      throw status(404, 'NotFound', 'quotas "x" not found', { details: { name: 'x', kind: 'quotas' } });
    },
    { code: 404, message: 'denied the request: quotas "x" not found', body: { reason: 'NotFound' } },
  ),
  answers(
    'a thrown StatusError with seconds to wait',
    () => {
      throw status(429, 'TooManyRequests', 'slow down', { details: { retryAfterSeconds: 3 } });
    },
    { code: 429, message: 'denied the request: slow down', body: { details: { retryAfterSeconds: 3 } } },
  ),
  answers(
    'a thrown StatusError without an error code',
    () => {
      throw status(200, '', 'all is well');
    },
    failed('StatusError'),
  ),
  answers(
    'a thrown error, without its message',
    () => {
      throw new TypeError('the password is 1234');
    },
    failed('TypeError'),
  ),
  answers(
    'a thrown string',
    () => {
      throw 'the password is 1234';
    },
    failed('string'),
  ),
  answers(
    'a rejected promise after a field error',
    async (review) => {
      review.required('data.b');
      throw new RangeError('no');
    },
    failed('RangeError'),
  ),
  answers(
    'another thrown error',
    () => {
      throw new Error('no');
    },
    failed('Error'),
  ),
  answers('a returned value', () => false, failed('EvenkeelError')),
  answers('a promise of a value', async () => ({ allowed: false }), failed('EvenkeelError')),
  answers('a returned value in a mutating webhook', (_, object) => object, failed('EvenkeelError'), 'mutating'),
  answers(
    'a change of the frozen object',
    (_, object) => {
      object.data.a = 'c';
    },
    failed('EvenkeelError'),
  ),
  answers(
    'a new field of the frozen object',
    (_, object) => {
      object.metadata.labels = {};
    },
    failed('EvenkeelError'),
  ),
  answers(
    'a deleted field of the frozen object',
    (_, object) => {
      delete object.data;
    },
    failed('EvenkeelError'),
  ),
  answers('warn()', (review) => review.warn('careful'), { code: 201, warnings: ['careful'] }),
  answers(
    'several warnings, each once',
    (review) => {
      for (const text of ['one', 'two', 'one']) review.warn(text);
    },
    { code: 201, warnings: ['one', 'two'] },
  ),
  answers('a warning of several lines', (review) => review.warn('one\n\ttwo'), { code: 201, warnings: ['one two'] }),
  answers('a warning with quotes and other letters', (review) => review.warn('a "b" \\ ä€'), {
    code: 201,
    warnings: ['a "b" \\ ä€'],
  }),
  answers(
    'long warnings',
    (review) => {
      for (const text of ['x', 'y']) review.warn(text.repeat(3000));
    },
    { code: 201, warnings: ['x'.repeat(256), 'y'.repeat(256)] },
  ),
  answers(
    'warn() and deny()',
    (review) => {
      review.warn('careful');
      review.deny('no');
    },
    { ...denied('no'), warnings: ['careful'] },
  ),
  answers(
    'warn() and a field error',
    (review) => {
      review.warn('careful');
      review.required('data.b');
    },
    { code: 422, message: 'data.b: Required value', warnings: ['careful'] },
  ),
  answers(
    'warn() before an error',
    (review) => {
      review.warn('careful');
      throw new Error('no');
    },
    { ...failed('Error'), warnings: [] },
  ),
  answers(
    'warn() of a mutating webhook',
    (review) => review.warn('careful'),
    { code: 201, warnings: ['careful'] },
    'mutating',
  ),
  answers(
    'audit()',
    (review) => {
      review.audit('checked-by', 'policy');
      review.audit('checked-by', 'ä "b"');
    },
    { code: 201, warnings: [] },
  ),
  answers('audit() with an invalid key', (review) => review.audit('a/b c', 'x'), failed('EvenkeelError')),
  answers(
    'audit() and deny()',
    (review) => {
      review.audit('why', 'x');
      review.deny('no');
    },
    denied('no'),
  ),
];
