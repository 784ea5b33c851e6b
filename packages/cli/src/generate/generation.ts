import type { Finding } from '@evenkeel/schema';
import type { EvenkeelConfig } from '../config.ts';

/** What the process that loads is asked. */
export interface GenerationRequest {
  /** The configuration file. */
  readonly configPath: string;
  /** Files are named from here in what is found. */
  readonly folder: string;
}

/** What it says: what it is at, as it goes, and at the end its answer. */
export type GenerationMessage =
  | { readonly says: 'ready' }
  /** It cannot load anything, because a package that it needs is not installed. */
  | { readonly says: 'incomplete'; readonly missing: string }
  /** About to load a module, named from the folder of the request, or to make CRDs. */
  | { readonly says: 'progress'; readonly doing: string }
  /** Nothing is left that could go on, and still something waits. */
  | { readonly says: 'idle'; readonly doing: string }
  /** Something was thrown that nobody foresaw. */
  | { readonly says: 'failed'; readonly doing: string; readonly message: string; readonly stack: string }
  | { readonly says: 'answer'; readonly answer: GenerationAnswer };

export interface GenerationAnswer {
  /** Files that are not written yet. Where a finding is an error, some are missing. */
  readonly files: readonly GeneratedFile[];
  readonly findings: readonly ReportedFinding[];
  /** The folder below which files of {@link files} are named; undefined where the configuration is not known. */
  readonly output?: string;
  readonly timings: GenerationTimings;
}

export interface ReportedFinding extends Finding {
  /** All of it in one line, with its place, or in several for a configuration. */
  readonly text: string;
  /** Where something was thrown, for a person who asks for it. */
  readonly stack?: string;
}

/** Where the time goes, in milliseconds, one after the other. */
export interface GenerationTimings {
  /** Compiling and running the modules. */
  readonly loadMs: number;
  /** Reading their sources. */
  readonly sourceMs: number;
  /** From classes to CRDs that are checked, controllers checked as well. */
  readonly schemaMs: number;
  readonly yamlMs: number;
}

export interface GeneratedFile {
  /** From the output folder, with slashes: `crd/web.example.com_nginxes.yaml`. */
  readonly name: string;
  readonly text: string;
  /** The options of the configuration that lead to it: the first of them that is given says where it goes. */
  readonly options: readonly (keyof EvenkeelConfig)[];
}
