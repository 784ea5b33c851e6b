import type { ApiObject } from '../kind/api-object.ts';

/** Converts objects between the versions of one definition. */
export interface VersionConverter {
  /**
   * Returns the objects in another version, in the same order. It does not change its arguments.
   *
   * @throws StatusError 500 with the real server's message if the webhook cannot be called, or its response is invalid.
   */
  convert(objects: readonly ApiObject[], apiVersion: string): Promise<ApiObject[]>;
}
