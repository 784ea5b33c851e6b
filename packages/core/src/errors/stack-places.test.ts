import { framesOf, placesOf, takeCallers, userFramesOf, userPlaceOf, userPlacesOf } from './stack-places.ts';

function withStack(stack: string, cause?: unknown): Error {
  return Object.assign(new Error('broken', cause === undefined ? {} : { cause }), { stack });
}

const own = placesOf(new Error())[0]?.file.replace('stack-places.test.ts', 'stack-places.ts') ?? '';

describe('the places of a stack', () => {
  it('are files and lines, with and without functions and as URLs, the innermost first', () => {
    const stack = `Error: broken
    at async Site.reconcile (/app/src/site.ts:4:11)
    at /app/src/main.ts:12:3
    at file:///app/a%20folder/x.js:3:1
    at node:internal/process/task_queues:95:5
    at <anonymous>`;
    expect(placesOf(withStack(stack))).toEqual([
      { file: '/app/src/site.ts', line: 4 },
      { file: '/app/src/main.ts', line: 12 },
      { file: '/app/a folder/x.js', line: 3 },
    ]);
    expect(placesOf('thrown')).toEqual([]);
  });

  it('are those of this test and of no function of Evenkeel or another package', () => {
    const stack = `Error: broken
    at Client.get (${own}:1:1)
    at run (/app/node_modules/jest/index.js:7:1)
    at main (/app/src/main.ts:12:3)`;
    expect(userPlacesOf(withStack(stack))).toEqual([{ file: '/app/src/main.ts', line: 12 }]);
    expect(userPlaceOf(new Error())?.file).toMatch(/stack-places\.test\.ts$/);
  });

  it('are searched in the causes if the error itself was created elsewhere', () => {
    const inner = withStack('Error: broken\n    at main (/app/src/main.ts:12:3)');
    expect(userPlaceOf(withStack('Error: broken', inner))).toEqual({ file: '/app/src/main.ts', line: 12 });
    const circular = withStack('Error: broken');
    circular.cause = circular;
    expect(userPlaceOf(circular)).toBeUndefined();
  });

  it('are found in bounded time in a message of any size', () => {
    expect(userPlaceOf(withStack(`Error: ${' /a'.repeat(1_000_000)}\n    at main (/app/src/main.ts:12:3)`))).toEqual({
      file: '/app/src/main.ts',
      line: 12,
    });
  });

  it('are not taken from a message that looks like frames', () => {
    const error = new Error('broken\n    at Site.reconcile (/etc/passwd:1:1)');
    error.stack = `Error: ${error.message}\n    at main (/app/src/main.ts:12:3)`;
    expect(placesOf(error)).toEqual([{ file: '/app/src/main.ts', line: 12 }]);
  });

  it('include the place above the message of a syntax error', () => {
    const error = withStack(
      'file:///app/src/site.ts:7\nexport class {\n^\n\nSyntaxError: broken\n    at x (node:internal:1:1)',
    );
    expect(placesOf(error)).toEqual([{ file: '/app/src/site.ts', line: 7 }]);
  });

  it('are in frames, which have the text of V8', () => {
    const stack = `Error: broken
    at Client.get (${own}:1:1)
    at async Site.reconcile (file:///app/dist/site.js:4:11)`;
    expect(framesOf(withStack(stack))).toHaveLength(2);
    expect(userFramesOf(withStack(stack))).toEqual([
      { file: '/app/dist/site.js', line: 4, text: 'at async Site.reconcile (file:///app/dist/site.js:4:11)' },
    ]);
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
