import type { SemanticVersion } from '../format/semantic-version.ts';

/** The bundle that a cluster has. It need not be in the catalog any more. */
export interface InstalledBundle {
  readonly name: string;
  readonly version: SemanticVersion;
}
