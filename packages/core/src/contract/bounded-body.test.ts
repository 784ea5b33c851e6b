import { BoundedBody, readBounded } from './bounded-body.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Gives the pieces one after another and records whether its reader has left it. */
async function* body(pieces: readonly string[], seen: string[]): AsyncGenerator<Uint8Array> {
  try {
    for (const piece of pieces) {
      seen.push(piece);
      yield bytes(piece);
    }
  } finally {
    seen.push('left');
  }
}

describe('readBounded()', () => {
  it.each([
    [[], ''],
    [['ab'], 'ab'],
    [['ab', '', 'c'], 'abc'],
  ])('returns the bytes of %j', async (pieces, whole) => {
    expect(await readBounded(body(pieces, []), 3)).toEqual(bytes(whole));
  });

  it('returns undefined at the first piece beyond the limit, and reads no further', async () => {
    const seen: string[] = [];
    expect(await readBounded(body(['ab', 'cd', 'ef'], seen), 3)).toBeUndefined();
    expect(seen).toEqual(['ab', 'cd', 'left']);
  });

  it('accepts a body that is exactly as large as the limit', async () => {
    expect(await readBounded(body(['ab', 'c'], []), 3)).toEqual(bytes('abc'));
    expect(await readBounded(body(['abc', 'd'], []), 3)).toBeUndefined();
  });

  it('rejects with what the body rejects with', async () => {
    const broken = (async function* (): AsyncGenerator<Uint8Array> {
      yield bytes('a');
      throw new Error('the connection broke');
    })();
    await expect(readBounded(broken, 10)).rejects.toThrow('the connection broke');
  });
});

describe('BoundedBody', () => {
  it('does not copy a body of one piece', () => {
    const piece = bytes('abc');
    const collected = new BoundedBody(3);
    collected.add(piece);
    expect(collected.bytes).toBe(piece);
  });

  it('keeps nothing of a body that is too large', () => {
    const collected = new BoundedBody(2);
    expect([collected.add(bytes('ab')), collected.add(bytes('c'))]).toEqual([true, false]);
    expect(collected.add(bytes(''))).toBe(false);
  });
});
