import type { CustomResourceDefinition } from '@evenkeel/kinds';

/** The CRDs that new ones replace in clusters. */
export interface PreviousDefinitions {
  /** The CRD that a new one replaces. Undefined if there is none, or if it is the same. */
  replacedBy(definition: CustomResourceDefinition): PreviousDefinition | undefined;
  /**
   * Whether the CRDs were released, so that users may have stored objects under them. A change that affects such objects is
   * then an error unless the class accepts it by `lossy`. Otherwise it is a notice. A removed version that clusters still use is
   * always an error.
   */
  readonly areReleased: boolean;
}

/** A CRD that a new one replaces. */
export interface PreviousDefinition {
  /** It must be valid. */
  readonly definition: CustomResourceDefinition;
  /** The path of its file, as messages show it. */
  readonly file: string;
}
