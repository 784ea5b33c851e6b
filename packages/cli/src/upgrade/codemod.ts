import type { ProjectSources } from '../create/project-sources.ts';

/** A change of the user's sources that a new version of the framework needs. */
export interface Codemod {
  /** The first version that needs it. An upgrade from an older version applies it. */
  readonly since: string;
  /** The description of the change, for the report. */
  readonly title: string;
  /**
   * Plans its changes. Applied to its own result, it changes nothing. May throw `edit-refused`, which becomes a notice.
   *
   * @param notice is called for each change that the user must make by hand.
   */
  plan(project: ProjectSources, notice: (text: string) => void): void;
}
