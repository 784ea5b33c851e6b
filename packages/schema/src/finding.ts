import { type ErrorCode, EvenkeelError } from '@evenkeel/core';

/** A place in the user's source, where it could be found. */
export interface SourceLocation {
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

/**
 * Something generation has to say of a class. An `error` keeps the CRD from being written; a `notice` says where the
 * schema is not exactly what the class says, so that nothing is dropped in silence.
 */
export interface Finding {
  readonly level: 'error' | 'notice';
  readonly code: ErrorCode;
  /** The class; empty where the finding is about a module. */
  readonly className: string;
  readonly property?: string;
  readonly location?: SourceLocation;
  /** What is wrong and how to mend it, without the place. */
  readonly message: string;
}

/** `src/nginx.ts:12: NginxSpec.port: ...`, with what is known of the place. */
export function findingText(finding: Finding): string {
  const { location, className, property, message } = finding;
  const subject = property === undefined ? className : `${className}.${property}`;
  const place = location === undefined ? '' : `${location.file}:${location.line}: `;
  return subject === '' ? `${place}${message}` : `${place}${subject}: ${message}`;
}

/** Throws one error for all `error` findings, with the code of the first. */
export function throwOnErrors(findings: readonly Finding[]): void {
  const errors = findings.filter((finding) => finding.level === 'error');
  const [first] = errors;
  if (first !== undefined) throw new EvenkeelError(first.code, errors.map(findingText).join('\n'));
}
