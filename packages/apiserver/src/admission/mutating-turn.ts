import type { ApiObject } from '../kind/api-object.ts';
import type { AdmissionRequest } from '../registry/write-request.ts';

/** What the policies, or the webhooks, do to one request: they have a turn each, and another one if something changed. */
export interface MutatingTurn {
  /**
   * Runs those that match the request, or again those that ask for it. The object in `admission` is not changed. `changed`
   * requires another turn.
   */
  run(
    admission: AdmissionRequest,
    reinvocation: boolean,
  ): Promise<{ readonly object: ApiObject | undefined; readonly changed: boolean }>;
}
