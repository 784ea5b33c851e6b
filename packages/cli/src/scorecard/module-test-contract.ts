import type { JsonObject } from '@evenkeel/apimachinery/json';
import type { ScorecardResult } from '@evenkeel/olm';

/** The request to the process of a custom test. */
export interface ModuleTestRequest {
  /** The project's folder. */
  readonly folder: string;
  /** The path of the module as the configuration has it, and as an absolute path. */
  readonly file: string;
  readonly path: string;
  /** The name of the export. */
  readonly name: string;
  readonly kubeconfig: string;
  readonly namespace: string;
  readonly bundle: string;
  readonly examples: readonly JsonObject[];
  readonly timeoutMs: number;
}

/** Its answer: results, or the reason why it could not run. */
export type ModuleTestAnswer = { readonly results: readonly ScorecardResult[] } | { readonly problem: string };
