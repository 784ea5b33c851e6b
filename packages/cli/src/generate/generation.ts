import type { Finding } from '@evenkeel/schema';
import type { EvenkeelConfig } from '../config.ts';

/** The request to the loading process. */
export interface GenerationRequest {
  /** The path of the configuration file. */
  readonly configPath: string;
  /** Findings show file paths relative to this folder. */
  readonly folder: string;
}

/** The messages of the loading process: its progress, and at the end its result. */
export type GenerationMessage =
  | { readonly says: 'ready' }
  /** It cannot load anything because a package that it needs is not installed. */
  | { readonly says: 'incomplete'; readonly missing: string }
  /** It will now load a module (its path is relative to the folder of the request) or build CRDs. */
  | { readonly says: 'progress'; readonly doing: string }
  /** The event loop is empty, but a module still waits. */
  | { readonly says: 'idle'; readonly doing: string }
  /** An unexpected error was thrown. */
  | { readonly says: 'failed'; readonly doing: string; readonly message: string; readonly stack: string }
  | { readonly says: 'answer'; readonly answer: GenerationAnswer };

export interface GenerationAnswer {
  /** Files that are not written yet. Incomplete if a finding is an error. */
  readonly files: readonly GeneratedFile[];
  readonly findings: readonly ReportedFinding[];
  /** The folder that contains {@link files}; undefined if the configuration is unknown. */
  readonly output?: string;
  readonly timings: GenerationTimings;
}

export interface ReportedFinding extends Finding {
  /** The whole finding in one line with its location, or in several lines for a configuration. */
  readonly text: string;
  /** The stack of a thrown error, for `--verbose`. */
  readonly stack?: string;
}

/** Durations of the steps in milliseconds, in order. */
export interface GenerationTimings {
  /** Compiling and running the modules. */
  readonly loadMs: number;
  /** Reading their sources. */
  readonly sourceMs: number;
  /** Building and checking the CRDs, and checking the controllers. */
  readonly schemaMs: number;
  readonly yamlMs: number;
}

export interface GeneratedFile {
  /** The path relative to the output folder, with slashes: `crd/web.example.com_nginxes.yaml`. */
  readonly name: string;
  readonly text: string;
  /** The options of the configuration that determine its path. The first one that is set decides. */
  readonly options: readonly (keyof EvenkeelConfig)[];
}
