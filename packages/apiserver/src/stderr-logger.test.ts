import { ManualClock } from '@evenkeel/core';
import { jest } from '@jest/globals';
import { StderrLogger } from './stderr-logger.ts';

describe('StderrLogger', () => {
  it('writes only warnings and errors, as JSON lines with their keys', () => {
    const written: unknown[] = [];
    const write = jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
      written.push(text);
      return true;
    });
    try {
      const logger = new StderrLogger(new ManualClock()).child({ controller: 'kubelet' });
      logger.debug('no');
      logger.info('no');
      logger.warn('a warning');
      logger.error('an error', { key: 'default/a' });
    } finally {
      write.mockRestore();
    }
    expect(written).toEqual([
      '{"level":"warn","time":"2026-01-01T00:00:00.000Z","controller":"kubelet","msg":"a warning"}\n',
      '{"level":"error","time":"2026-01-01T00:00:00.000Z","controller":"kubelet","key":"default/a","msg":"an error"}\n',
    ]);
  });
});
