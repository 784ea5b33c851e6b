import { checkHistory, checkRestored, type Operation } from './check-history.fixture.ts';

const put = (value: string, startedMs: number, endedMs: number | undefined, revision?: number): Operation => ({
  ...{ kind: 'put', key: 'k', value, startedMs, endedMs },
  ...(revision === undefined ? {} : { revision }),
});
const get = (value: string | undefined, startedMs: number, endedMs: number, revision = 0): Operation => ({
  ...{ kind: 'get', key: 'k', startedMs, endedMs },
  found: value === undefined ? undefined : { value, revision },
});
const data = (revision: number, value: string, written: number) => ({
  revision,
  found: new Map([['k', { value, revision: written }]]),
});

describe('checkHistory', () => {
  it('accepts the last acknowledged write, a write in flight, and a later write of unknown outcome', () => {
    expect(
      checkHistory([
        ...[get(undefined, 0, 1), put('a', 1, 2, 2), get('a', 3, 4, 2), put('b', 5, 8, 3), get('b', 6, 7, 3)],
        ...[put('c', 9, undefined), get('b', 10, 11, 3), get('c', 12, 13, 4), put('d', 14, 15, 5), get('d', 16, 17, 5)],
      ]),
    ).toEqual([]);
  });

  it('finds a lost write: a value from before it, or none', () => {
    expect(checkHistory([put('a', 0, 1, 2), put('b', 2, 3, 3), get('a', 4, 5, 2)])).toEqual([
      'a read of k has revision 2, after the write of b had 3',
    ]);
    expect(checkHistory([put('a', 0, 1, 2), get(undefined, 4, 5)])).toEqual([
      'a read of k has revision 0, after the write of a had 2',
    ]);
  });

  it('finds a lost write whose revision was given again', () => {
    expect(checkHistory([put('a', 0, 1, 2), put('b', 2, 3, 2)])).toEqual([
      'two writes have revision 2: b, a',
      'the write of b has revision 2, after the write of a had 2',
      'the write of b has revision 2, after the write of a had 2',
    ]);
  });

  it('finds a read that goes back behind another read', () => {
    expect(checkHistory([put('a', 0, 1, 2), put('b', 2, undefined), get('b', 4, 5, 3), get('a', 6, 7, 2)])).toEqual([
      'a read of k has revision 2, after a read of k had 3',
    ]);
  });

  it('finds a value that was never written, was refused, or is that of another write', () => {
    expect(checkHistory([put('a', 0, 1, 2), get('x', 4, 5, 3)])).toEqual([
      'a read of k found x at revision 3, which no write has',
    ]);
    expect(checkHistory([put('a', 0, 1, 2), get('x', 4, 5, 2)])).toEqual([
      'a read of k found x at revision 2, which wrote a',
    ]);
    expect(checkHistory([get('a', 0, 1, 2), put('a', 2, undefined)])).toEqual([
      'a read of k found a at revision 2, which no write has',
    ]);
  });
});

describe('checkRestored', () => {
  const history = [put('a', 0, 1, 2), put('b', 2, 3, 3), put('c', 4, undefined)];

  it('accepts the data of exactly one revision, with all writes from before the backup', () => {
    expect(checkRestored(history, data(2, 'a', 2), 2)).toEqual([]);
    expect(checkRestored(history, data(3, 'b', 3), 4)).toEqual([]);
    expect(checkRestored(history, data(4, 'c', 4), 4)).toEqual([]);
  });

  it('finds missing, older and newer data', () => {
    expect(checkRestored(history, data(2, 'a', 2), 4)).toEqual(['the backup lacks b, which was acknowledged before']);
    expect(checkRestored(history, data(3, 'a', 2), 4)).toEqual(['the restored k has revision 2, not 3']);
    expect(checkRestored(history, data(2, 'b', 3), 2)).toEqual(['the restored k is newer than the backup']);
    expect(checkRestored(history, { revision: 3, found: new Map() }, 4)).toEqual([
      'the restored k has revision undefined, not 3',
    ]);
  });
});
