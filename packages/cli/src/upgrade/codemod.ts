import type { ProjectSources } from '../create/project-sources.ts';

/** A change of the user's sources that a new version of the framework needs. */
export interface Codemod {
  /** The first version that needs it. An upgrade from an older version applies it. */
  readonly since: string;
  /** What it changes, for the report. */
  readonly title: string;
  /**
   * Plans its changes. Applied to its own result, it changes nothing. May throw `edit-refused`, which becomes a notice.
   *
   * @param notice is called for what the user must change by hand.
   */
  plan(project: ProjectSources, notice: (text: string) => void): void;
}
