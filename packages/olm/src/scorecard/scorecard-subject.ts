import type { JsonObject } from '@evenkeel/apimachinery/json';
import type { Bundle } from '../bundle/bundle.ts';
import type { ObservedRun } from '../capability/capability-facts.ts';

/** What the built-in tests look at. */
export interface ScorecardSubject {
  readonly bundle: Bundle;
  /** The examples of the bundle. */
  readonly examples: readonly JsonObject[];
  /** Why the examples cannot be read. */
  readonly examplesProblem?: string | undefined;
  /** What happened to the examples on an API server. Missing if there was none. */
  readonly run?: ScorecardRun | undefined;
}

/** What happened to the examples on an API server. */
export interface ScorecardRun extends ObservedRun {
  /** The messages of the API server about examples that it rejected. */
  readonly rejected: readonly string[];
  /** Whether the operator ran, so that the children and the status are its work. */
  readonly hasOperator: boolean;
}

/** The errors and suggestions of a test. A test with an error fails. */
export interface TestFindings {
  readonly errors: readonly string[];
  readonly suggestions?: readonly string[];
}
