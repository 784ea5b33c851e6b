import type { JsonObject } from '@evenkeel/apimachinery/json';
import type { ClusterServiceVersionSpec } from '../bundle/cluster-service-version.ts';
import type { CapabilityQuestion } from './capability-question.ts';

/** A test whose title names the questions that it shows. */
export interface TaggedTest {
  readonly questions: readonly CapabilityQuestion[];
  /** The title with those of its groups, without the tag. */
  readonly title: string;
  /** The path of its module. */
  readonly file: string;
  readonly passed: boolean;
}

/** An object of a manifest. */
export interface ManifestFact {
  /** Where it is: `config/alerts.yaml`, or the name of a generated object. */
  readonly place: string;
  readonly object: JsonObject;
}

/** What a run of the operator for examples has shown. */
export interface ObservedRun {
  /** The examples, as they were at the end. */
  readonly examples: readonly JsonObject[];
  /** The objects that have an example as their owner, directly or indirectly. */
  readonly children: readonly JsonObject[];
  /** The Events that the operator recorded. */
  readonly events: readonly JsonObject[];
  /** Conditions of an example that changed: `Memcached cache: Available was False, then True`. */
  readonly changedConditions: readonly string[];
  /** Whether the operator had finished its work. Otherwise, a missing object is no evidence. */
  readonly hasConverged: boolean;
}

/** What is known about an operator. */
export interface CapabilityFacts {
  /** The CRDs of its kinds. */
  readonly definitions: readonly JsonObject[];
  /** The objects that are installed with the operator, its Deployment included. */
  readonly manifests: readonly ManifestFact[];
  readonly tests: readonly TaggedTest[];
  /** The spec of its ClusterServiceVersion. Missing if there is no bundle. */
  readonly csv?: ClusterServiceVersionSpec | undefined;
  /** Missing if the operator was not run. */
  readonly run?: ObservedRun | undefined;
}
