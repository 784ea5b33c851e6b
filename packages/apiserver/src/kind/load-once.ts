/**
 * Returns a function that calls `load` at its first call and returns the same promise at every further one. A failed
 * load is not kept: the call after it loads again. Jest, for example, rejects an `import()` between two tests.
 */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}
