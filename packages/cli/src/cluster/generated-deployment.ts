import type {
  GeneratedDeployment,
  GenerationAnswer,
  GenerationRequest,
  ReportedFinding,
} from '../generate/generation.ts';
import { startLoadingProcess } from '../generate/loading-process.ts';
import { hasErrors } from '../generate/report.ts';
import { runGeneration } from '../generate/run-generation.ts';
import { findConfig } from '../load/load-config.ts';
import { ProgressLines } from '../progress-lines.ts';
import type { Terminal } from '../terminal.ts';

/** The result of loading a project. */
export interface LoadedDeployment {
  /** Undefined if there are errors. */
  readonly deployment: GeneratedDeployment | undefined;
  readonly errors: readonly ReportedFinding[];
  /** The generated files, which are not written; undefined if there are errors. */
  readonly generated: GeneratedOutput | undefined;
}

/** Files that `evenkeel generate` would write. */
export interface GeneratedOutput {
  readonly files: GenerationAnswer['files'];
  readonly folder: string;
}

/** How long the modules of the project may take to load. */
const loadingMs = 30_000;

/**
 * Generates the objects of a project in memory, in the same way as `evenkeel generate` and in a separate process. Writes no files. Throws
 * `invalid-config` without a configuration, and `module-not-loaded`.
 */
export async function generatedDeployment(
  config: string | undefined,
  deploys: NonNullable<GenerationRequest['deploys']>,
  terminal: Terminal,
): Promise<LoadedDeployment> {
  const { folder } = terminal;
  const configPath = findConfig(folder, config);
  const loading = startLoadingProcess(folder);
  const progress = new ProgressLines(terminal);
  const observer = { onPrint: (line: string) => terminal.err(line), onProgress: progress.onProgress };
  try {
    const { findings, deployment, files, output } = await runGeneration(
      loading,
      { configPath, folder, deploys },
      loadingMs,
      observer,
    );
    const errors = findings.filter(({ level }) => level === 'error');
    if (hasErrors(errors)) return { errors, deployment: undefined, generated: undefined };
    return { errors, deployment, generated: output === undefined ? undefined : { files, folder: output } };
  } finally {
    progress.stop();
  }
}
