import type { Client } from '@evenkeel/client';
import type { KubernetesObject } from '@evenkeel/core';
import type { ScorecardResult } from '@evenkeel/olm';

/** What a custom test of `evenkeel scorecard` gets. */
export interface ScorecardContext {
  /** A client with the permissions of the kubeconfig. */
  readonly client: Client;
  /** The path of the kubeconfig of the API server, for other programs. */
  readonly kubeconfig: string;
  /** The namespace of the examples, in which the test may create objects. */
  readonly namespace: string;
  /** The folder of the bundle. */
  readonly bundle: string;
  /** The examples of the bundle as the operator has left them. */
  readonly examples: readonly KubernetesObject[];
  /** Aborted when the test takes too long. */
  readonly signal: AbortSignal;
}

/**
 * A custom test of `evenkeel scorecard`: the export of a module that an entrypoint names, such as `[./scorecard.ts, sells]`. It passes if it
 * returns nothing, and fails with the message if it throws. Or it returns results.
 *
 * It runs in a separate process, in which nothing else runs.
 */
export type ScorecardTestFunction = (
  context: ScorecardContext,
) =>
  | undefined
  | ScorecardResult
  | readonly ScorecardResult[]
  | Promise<undefined | ScorecardResult | readonly ScorecardResult[]>;
