import { framesOf, takeCallers, userFrames } from './user-frames.ts';

function withStack(message: string, frames: string): Error {
  const error = new Error(message);
  error.stack = `Error: ${message}\n${frames}`;
  return error;
}

const own = new Error().stack?.split('\n')[1]?.replace(/^.*?((?:file:\/\/)?\/.*)core\/src\/errors\/.*$/, '$1');

describe('framesOf()', () => {
  it('returns the file and line of each frame, but not the frames of Node', () => {
    const error = withStack(
      'no',
      `    at async Site.reconcile (file:///app/dist/site.js:40:5)
    at /my app/(one)/main.js:7:1
    at process.processTicksAndRejections (node:internal/process/task_queues:105:5)`,
    );
    expect(framesOf(error)).toEqual([
      {
        file: 'file:///app/dist/site.js',
        line: 40,
        text: 'at async Site.reconcile (file:///app/dist/site.js:40:5)',
      },
      { file: '/my app/(one)/main.js', line: 7, text: 'at /my app/(one)/main.js:7:1' },
    ]);
  });

  it('ignores lines of the message that look like frames, long lines, and an error without a stack', () => {
    const forged = '\n    at Site.reconcile (/etc/passwd:1:1)';
    expect(framesOf(withStack(`no${forged}`, '    at /app/main.js:7:1')).map(({ line }) => line)).toEqual([7]);
    expect(framesOf(withStack('no', `    at ${' /a'.repeat(100_000)}:1:1`))).toEqual([]);
    const bare = new Error('bare');
    Object.assign(bare, { stack: undefined });
    expect(framesOf(bare)).toEqual([]);
  });
});

describe('userFrames()', () => {
  it('returns only frames that are neither in node_modules nor in a package of Evenkeel', () => {
    const error = withStack(
      'no',
      `    at statusError (${own}client/src/refusal.ts:45:10)
    at async retry (/app/node_modules/p-retry/index.js:3:1)
    at async Site.reconcile (/app/src/site.ts:40:5)
    at async RunningController.run (/app/node_modules/@evenkeel/runtime/dist/controller.js:9:9)`,
    );
    expect(userFrames(error)?.map(({ file }) => file)).toEqual(['/app/src/site.ts']);
  });
});

describe('takeCallers()', () => {
  it('replaces the stack by the functions that await the call, and keeps the limit of frames', async () => {
    const { stackTraceLimit } = Error;
    const error = new Error('from elsewhere');
    error.stack = 'gone';
    const inner = async (depth: number): Promise<void> => {
      await Promise.resolve();
      if (depth > 0) await inner(depth - 1);
      else takeCallers(error);
    };
    const outermost = async () => await inner(20);
    await outermost();
    expect(error.stack).toMatch(/^Error: from elsewhere\n/);
    expect(error.stack).toContain('outermost');
    expect(Error.stackTraceLimit).toBe(stackTraceLimit);
  });
});
