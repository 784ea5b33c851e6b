import { DeclaredLists } from './declared-lists.ts';
import { NewFiles } from './new-files.ts';
import { ProjectSources } from './project-sources.ts';

/** A change of a project that a command plans. Nothing is written until the command has planned everything. */
export class ProjectEdit {
  readonly project: ProjectSources;
  readonly lists: DeclaredLists;
  readonly files: NewFiles;
  /** Notices for the user, such as steps to do afterwards. */
  readonly notices: string[] = [];

  /** Throws `invalid-config` if there is no configuration. */
  constructor(from: string, config?: string) {
    this.project = new ProjectSources(from, config);
    this.lists = new DeclaredLists(this.project);
    this.files = new NewFiles(this.project, this.lists);
  }

  noticeMissingTest(): void {
    this.notices.push(
      'no test was created, because package.json does not list @evenkeel/testing and jest or vitest; install them, and write a test as in docs/testing.md',
    );
  }
}
