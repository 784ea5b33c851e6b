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
  /** Where the other declaration stands, when two do not go together. */
  readonly related?: SourceLocation;
  /** What is wrong and how to mend it, without the place. */
  readonly message: string;
  /**
   * Present on a notice that asks nothing of whoever writes the operator: the schema lets no more through than the decorator
   * does, or the two differ in characters that nobody types.
   */
  readonly isMinor?: true;
}

/** Takes what there is to say of one class; the place is known. */
export interface ClassReport {
  error(code: ErrorCode, message: string, about?: FindingSubject): void;
  notice(code: ErrorCode, message: string, about?: FindingSubject): void;
}

export interface FindingSubject {
  readonly property?: string;
  readonly related?: SourceLocation | undefined;
}

/** `src/nginx.ts:12: NginxSpec.port: ...`, with what is known of the place. */
export function findingText(finding: Finding): string {
  const { location, related, className, property, message } = finding;
  const subject = [className, property].filter((part) => part !== undefined && part !== '').join('.');
  const other = related === undefined ? '' : ` (see ${placeText(related)})`;
  const parts = [location === undefined ? '' : placeText(location), subject, message + other];
  return parts.filter((part) => part !== '').join(': ');
}

function placeText({ file, line }: SourceLocation): string {
  return `${file}:${line}`;
}

/** Each finding once, in the order of file, line, class and property: the same however the classes were listed. */
export function orderedFindings(findings: readonly Finding[]): Finding[] {
  const unique = new Map(
    findings.map((finding) => [JSON.stringify([finding.level, finding.code, findingText(finding)]), finding]),
  );
  return [...unique.values()].sort(
    (left, right) =>
      compare(left.location?.file ?? '', right.location?.file ?? '') ||
      compare(left.location?.line ?? 0, right.location?.line ?? 0) ||
      compare(left.className, right.className) ||
      compare(left.property ?? '', right.property ?? ''),
  );
}

function compare<T extends string | number>(left: T, right: T): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Throws one error for all `error` findings, with the code of the first. */
export function throwOnErrors(findings: readonly Finding[]): void {
  const errors = findings.filter((finding) => finding.level === 'error');
  const [first] = errors;
  if (first !== undefined) throw new EvenkeelError(first.code, errors.map(findingText).join('\n'));
}
