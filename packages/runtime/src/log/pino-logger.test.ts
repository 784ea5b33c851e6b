import { EvenkeelError, StatusError } from '@evenkeel/core';
import { createPinoLogger, type PinoLoggerOptions } from './pino-logger.ts';

async function logger(options: PinoLoggerOptions = {}) {
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  return { logger: await createPinoLogger({ ...options, destination }), lines };
}

describe('createPinoLogger()', () => {
  it('writes one JSON object per line, with level, time, msg, and the keys of the logger and the line', async () => {
    const { logger: log, lines } = await logger();
    log.child({ controller: 'nginx' }).info('reconciled', { object: 'default/web' });
    expect(lines).toEqual([
      {
        level: 'info',
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        msg: 'reconciled',
        controller: 'nginx',
        object: 'default/web',
      },
    ]);
  });

  it('omits lines below its level', async () => {
    const { logger: log, lines } = await logger({ level: 'warn' });
    log.info('no');
    log.debug('no');
    log.warn('yes');
    expect(lines.map(({ msg }) => msg)).toEqual(['yes']);
  });

  it('writes an error with its stack and cause, and an error of the API server with its reason', async () => {
    const { logger: log, lines } = await logger();
    const refused = new StatusError({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'no',
      reason: 'Forbidden',
      code: 403,
    });
    log.error('failed', { error: 'Bearer abc was thrown', other: 'text' });
    expect(lines.pop()).toMatchObject({ error: { message: 'Bearer (withheld) was thrown' }, other: 'text' });
    log.error('failed', { error: undefined });
    expect(lines.pop()?.['error']).toEqual({ message: 'undefined' });
    log.error('failed', { error: new TypeError('odd', { cause: refused }) });
    expect(lines[0]?.['error']).toEqual({
      type: 'TypeError',
      message: 'odd',
      stack: expect.stringContaining('TypeError: odd'),
      cause: {
        ...{ type: 'StatusError', message: 'no', reason: 'Forbidden', code: 403 },
        stack: expect.stringMatching(/^at .*pino-logger\.test\.ts:\d+:\d+\)$/),
      },
    });
  });

  it('writes an EvenkeelError with the frames of user code, and its cause with the whole stack', async () => {
    const { logger: log, lines } = await logger();
    const cause = new RangeError('odd');
    log.error('failed', { error: new EvenkeelError('class-not-constructible', 'Shop could not be made', { cause }) });
    expect(lines[0]?.['error']).toEqual({
      type: 'EvenkeelError',
      message: 'Shop could not be made',
      code: 'class-not-constructible',
      stack: expect.stringMatching(/^at .*pino-logger\.test\.ts:\d+:\d+\)$/),
      cause: { type: 'RangeError', message: 'odd', stack: expect.stringContaining('RangeError: odd') },
    });
  });

  it('writes a Kubernetes object at any place as its kind, namespace and name, and an Error next to it', async () => {
    const { logger: log, lines } = await logger();
    const metadata = { name: 'web', namespace: 'shop', labels: { a: 'b' } };
    const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec: { replicas: 3 } };
    const node = Object.assign(Object.create({ kind: 'Node' }), { metadata: { name: 'n1' } });
    log.info('seen', { deployment, all: [deployment, { changed: node }], error: new Error('no') });
    const written = { kind: 'Deployment', namespace: 'shop', name: 'web' };
    expect(lines[0]).toMatchObject({
      deployment: written,
      all: [written, { changed: { kind: 'Node', name: 'n1' } }],
      error: { type: 'Error', message: 'no' },
    });
    expect(JSON.stringify(lines)).not.toContain('replicas');
    log.child({ deployment }).info('again');
    expect(lines[1]).toMatchObject({ deployment: written });
  });

  it('never writes the contents of a Secret: as an object, as a part of it, in a list, or in the last-applied annotation', async () => {
    const { logger: log, lines } = await logger();
    const lastApplied = { 'kubectl.kubernetes.io/last-applied-configuration': '{"stringData":{"password":"hunter2"}}' };
    const secret = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'db', namespace: 'shop', annotations: lastApplied },
      data: { password: 'aHVudGVyMg==' },
      stringData: { password: 'hunter2' },
    };
    const { kind: _kind, metadata: _metadata, ...contents } = secret;
    const error = Object.assign(new Error('could not write it'), {
      object: secret,
      cause: Object.assign(new Error('why'), { secret }),
    });
    log.info('all of it', { secret });
    log.warn('parts', { contents, annotations: secret.metadata.annotations, meta: { annotations: lastApplied } });
    log.error('around it', { list: { items: [secret] }, event: { type: 'ADDED', object: secret }, error });
    log.child({ secret, contents }).info('child');
    log.info('as JSON', { request: { toJSON: () => secret } });
    expect(lines).toHaveLength(5);
    expect(lines[0]).toMatchObject({ secret: { kind: 'Secret', namespace: 'shop', name: 'db' } });
    expect(JSON.stringify(lines)).not.toMatch(/hunter2|aHVudGVyMg/);
  });

  it('never writes a bearer token in an error, its cause or stack, a message or a value', async () => {
    const { logger: log, lines } = await logger();
    const cause = new Error('headers: { Authorization: "Bearer eyJhbGciOi.abc-_123" }');
    const error = new Error('GET /api was refused (authorization: bearer   eyJhbGciOi.abc-_123)', { cause });
    log.error('failed with Bearer eyJhbGciOi.abc-_123', { error, curl: ['-H', 'Bearer eyJhbGciOi.abc-_123'] });
    expect(JSON.stringify(lines)).not.toContain('eyJ');
    expect(lines[0]).toMatchObject({ msg: 'failed with Bearer (withheld)', curl: ['-H', 'Bearer (withheld)'] });
  });

  it('cuts circular, deep and large values', async () => {
    const { logger: log, lines } = await logger();
    const circle: Record<string, unknown> = { name: 'circle' };
    circle['self'] = circle;
    const wide = Array.from({ length: 100_000 }, (_none, at) => ({ at, next: circle }));
    log.info('large', {
      circle,
      wide,
      when: new Date(0),
      big: 2n ** 70n,
      nothing: null,
      ['__proto__']: { polluted: 1 },
    });
    expect(JSON.stringify(lines[0]).length).toBeLessThan(100_000);
    expect(lines[0]).toMatchObject({ when: '1970-01-01T00:00:00.000Z', big: '1180591620717411303424' });
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});
