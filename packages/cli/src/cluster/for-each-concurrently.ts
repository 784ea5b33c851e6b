/** How many calls are in progress at the same time: an API server accepts more, and a laptop need not open more connections. */
const concurrency = 8;

/**
 * Calls `work` for each item, several at a time, at most `limit`. Rejects with the first error, after which no further call starts.
 */
export async function forEachConcurrently<Item>(
  items: Iterable<Item>,
  work: (item: Item) => Promise<void>,
  limit = concurrency,
): Promise<void> {
  const waiting = [...items];
  const next = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
      try {
        await work(item);
      } catch (error) {
        waiting.length = 0;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: limit }, next));
}
