import type { KubernetesObject } from './kubernetes-object.ts';

/** What is wrong with a value, and where. */
export interface ValidationFinding {
  /** As the API server writes it: `spec.ports[0].port`. */
  readonly path: string;
  readonly message: string;
}

/** Checks an object beyond what its CRD could say. Implementations do no I/O. */
export interface ObjectValidator {
  validate(object: KubernetesObject): readonly ValidationFinding[];
}
