import { mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './run.ts';

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));

/** A user's project in a folder of its own, with the packages of this repository. */
export class Project {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async create(files: Readonly<Record<string, string>>): Promise<Project> {
    const project = new Project(await mkdtemp(join(tmpdir(), 'evenkeel-project-')));
    await symlink(join(root, 'node_modules'), join(project.folder, 'node_modules'));
    await project.write({ 'package.json': '{ "type": "module" }', ...files });
    return project;
  }

  async write(files: Readonly<Record<string, string>>): Promise<void> {
    for (const [name, text] of Object.entries(files)) {
      const path = join(this.folder, name);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
    }
  }

  async read(name: string): Promise<string> {
    return readFile(join(this.folder, name), 'utf8');
  }

  async changedAt(name: string): Promise<number> {
    return (await stat(join(this.folder, name))).mtimeMs;
  }

  /** Runs a command line in the project. */
  async run(...commandLine: string[]): Promise<{ exitCode: number; out: string; err: string }> {
    const out: string[] = [];
    const err: string[] = [];
    const exitCode = await run(commandLine, {
      folder: this.folder,
      out: (line) => out.push(line),
      err: (line) => err.push(line),
    });
    const shown = (lines: string[]) => lines.join('\n').replaceAll(this.folder, '<project>');
    return { exitCode, out: shown(out), err: shown(err) };
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}
