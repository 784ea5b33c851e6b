import type { Finding } from '@evenkeel/schema';
import type { Level } from '../terminal.ts';

/** The document that every command prints with `--output json`, at its end. */
export interface CommandDocument {
  /** An incompatible change increases it. New members do not. */
  readonly version: 1;
  /** The words after the name of the program: `create api`. */
  readonly command: string;
  /** Whether the command exits with 0. */
  readonly ok: boolean;
  /** The errors and notices, in the order in which they were found. */
  readonly findings: readonly DocumentFinding[];
}

/** An error or a notice of a command. */
export interface DocumentFinding extends Partial<Omit<Finding, 'level' | 'message' | 'code'>> {
  readonly level: Level;
  /** The code in docs/errors.md. Missing for an error that has none, such as a response of an API server. */
  readonly code?: string | undefined;
  /** The check of a bundle or a catalog that found it: a row of the table in docs/bundles.md or docs/catalogs.md. */
  readonly check?: string;
  /** The problem and the fix. */
  readonly message: string;
  /** The part of the message of an error that says what to do. */
  readonly fix?: string;
  /** The object that it is about, such as the name of a CRD. */
  readonly object?: string;
}
