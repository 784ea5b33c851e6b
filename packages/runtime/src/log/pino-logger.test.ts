import { EvenkeelError, StatusError } from '@evenkeel/core';
import { createPinoLogger, type PinoLoggerOptions } from './pino-logger.ts';

async function logger(options: PinoLoggerOptions = {}) {
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  return { logger: await createPinoLogger({ ...options, destination }), lines };
}

describe('createPinoLogger()', () => {
  it('writes one JSON object a line: level, time, msg, and the keys of the logger and the line', async () => {
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

  it('leaves out what is below its level', async () => {
    const { logger: log, lines } = await logger({ level: 'warn' });
    log.info('no');
    log.debug('no');
    log.warn('yes');
    expect(lines.map(({ msg }) => msg)).toEqual(['yes']);
  });

  it('writes an error with its stack and cause, and a refusal of the API server with its reason', async () => {
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
    log.error('failed', { error: new TypeError('odd', { cause: refused }) });
    expect(lines[0]?.['error']).toEqual({
      type: 'TypeError',
      message: 'odd',
      stack: expect.stringContaining('TypeError: odd'),
      cause: { type: 'StatusError', message: 'no', reason: 'Forbidden', code: 403 },
    });
  });

  it('writes a mistake that its message explains without a stack, but the stack of what caused it', async () => {
    const { logger: log, lines } = await logger();
    const cause = new RangeError('odd');
    log.error('failed', { error: new EvenkeelError('class-not-constructible', 'Shop could not be made', { cause }) });
    expect(lines[0]?.['error']).toEqual({
      type: 'EvenkeelError',
      message: 'Shop could not be made',
      code: 'class-not-constructible',
      cause: { type: 'RangeError', message: 'odd', stack: expect.stringContaining('RangeError: odd') },
    });
  });
});
