import type { Finding } from '@evenkeel/schema';

/** What the child process is asked. */
export interface GenerationRequest {
  /** The configuration file. */
  readonly configPath: string;
}

/** What it answers: files that are not written yet, or why there are none. */
export type GenerationAnswer =
  | {
      readonly files: readonly GeneratedFile[];
      readonly findings: readonly Finding[];
      /** The folder below which files of {@link files} are named. */
      readonly output: string;
    }
  | { readonly error: { readonly code: string; readonly message: string; readonly stack: string } };

export interface GeneratedFile {
  /** From the output folder, with slashes: `crd/web.example.com_nginxes.yaml`. */
  readonly name: string;
  readonly text: string;
}
