import type { KubernetesObject } from '@evenkeel/core';

/**
 * An object as the server holds it: the JSON of the wire, decoded and defaulted. What the store has handed out is
 * shared by everybody and never changed; who wants another state makes a copy.
 */
export interface ApiObject extends KubernetesObject {
  [field: string]: unknown;
}
