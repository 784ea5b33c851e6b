import { takeCallers, userPlaceOf } from '@evenkeel/core';

/**
 * Replaces the global `fetch` by one whose errors contain the line of the calling code. Node creates these errors in the
 * callback of a socket, without any frames.
 */
export function traceFetch(): void {
  const original = globalThis.fetch;
  globalThis.fetch = async function fetch(...request) {
    try {
      return await original(...request);
    } catch (error) {
      // The reason of the caller's own AbortSignal may have a better place.
      if (error instanceof Error && userPlaceOf(error) === undefined) takeCallers(error);
      throw error;
    }
  };
}
