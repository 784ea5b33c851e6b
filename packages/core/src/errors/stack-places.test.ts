import { placesOf, userPlaceOf, userPlacesOf } from './stack-places.ts';

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
});
