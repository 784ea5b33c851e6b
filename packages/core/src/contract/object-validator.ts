import type { KindClass } from '../kind/api-resource.ts';
import type { KubernetesObject } from '../object/kubernetes-object.ts';

/** What is wrong with a value, and where. */
export interface ValidationFinding {
  /** As the API server writes it: `spec.ports[0].port`. */
  readonly path: string;
  readonly message: string;
}

/**
 * Checks an object beyond what its CRD could say. Implementations do no I/O, keep nothing of the objects they see, and
 * change none: objects come out of caches, frozen. The same object gets the same findings every time.
 */
export interface ObjectValidator {
  /**
   * Told of each kind whose objects are to come, before the first of them. Throws where it could not check them, so that
   * a mistake shows when the operator starts, and not when the first object comes.
   */
  prepare?(kind: KindClass): void;

  /** Everything that is wrong with the object; empty where nothing is. */
  validate(object: KubernetesObject): readonly ValidationFinding[];
}
