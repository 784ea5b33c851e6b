import type { Client } from '@evenkeel/client';
import type { Clock, KindClass, ObjectKey } from '@evenkeel/core';

/** The delay before a watch is opened again. It doubles while watches fail at once. */
const firstDelayMs = 1000;
const longestDelayMs = 30_000;

export interface ObjectAlarmOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly kind: KindClass;
  readonly key: ObjectKey;
  /** Called when the object may have changed. */
  readonly changed: () => void;
  /** Called with the reason for which a watch could not be opened, or was lost. */
  readonly failed: (error: unknown) => void;
}

/**
 * Watches one object, only to report that it may have changed: whoever is called reads it. Unlike an informer, it keeps no copy that
 * could be old, and needs only the permission to watch this one name. A change is reported late if the watch is lost silently, so
 * callers also read it from time to time.
 */
export async function watchObject(options: ObjectAlarmOptions, signal: AbortSignal): Promise<void> {
  const { client, clock, kind, key, changed, failed } = options;
  const { name, namespace } = key;
  let delayMs = firstDelayMs;
  while (!signal.aborted) {
    const startedMs = clock.monotonic();
    try {
      const watched = { namespace, fields: { 'metadata.name': name }, bookmarks: false, signal };
      for await (const _event of client.watch(kind, watched)) changed();
    } catch (error) {
      if (signal.aborted) return;
      failed(error);
    }
    delayMs = clock.monotonic() - startedMs > longestDelayMs ? firstDelayMs : Math.min(delayMs * 2, longestDelayMs);
    await clock.sleep(delayMs, signal).catch(() => undefined);
    // The object may have been deleted meanwhile, and the next watch would not report that.
    if (!signal.aborted) changed();
  }
}
