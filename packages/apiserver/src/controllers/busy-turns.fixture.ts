import { jest } from '@jest/globals';
import { ObjectStore } from '../store/object-store.ts';

/** The controllers of a server write 64 times in a turn (SyncTurns). A client in this process may answer each of these writes. */
export const writesInATurnMax = 150;

/**
 * Waits until `isOver`, and returns the most writes to a store in one turn of the event loop. A count does not depend on
 * the speed of the machine.
 */
export async function mostWritesInATurn(isOver: () => boolean, turnsMax = Number.POSITIVE_INFINITY): Promise<number> {
  const spies = [jest.spyOn(ObjectStore.prototype, 'put'), jest.spyOn(ObjectStore.prototype, 'remove')];
  const written = (): number => {
    let count = 0;
    for (const spy of spies) {
      count += spy.mock.calls.length;
      // Keeps no arguments of half a million calls.
      spy.mockClear();
    }
    return count;
  };
  let most = 0;
  try {
    for (let count = 0; !isOver(); count++) {
      if (count === turnsMax) throw new Error(`not over after ${turnsMax} turns of the event loop`);
      await new Promise((resolve) => setImmediate(resolve));
      most = Math.max(most, written());
    }
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return most;
}
