import { type ErrorCode, EvenkeelError } from '@evenkeel/core';

/** A place in the user's source code. */
export interface SourceLocation {
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

/**
 * A finding of the generation about a class. An `error` prevents the CRD from being written. A `notice` says where the
 * schema differs from the class, so that no difference is silent.
 */
export interface Finding {
  readonly level: 'error' | 'notice';
  readonly code: ErrorCode;
  /** The class; empty if the finding is about a module. */
  readonly className: string;
  readonly property?: string;
  readonly location?: SourceLocation;
  /** The place of the other declaration if two conflict. */
  readonly related?: SourceLocation;
  /** The problem and the fix, without the place. */
  readonly message: string;
  /** The single problems, if the finding is about several. */
  readonly details?: readonly FindingDetail[];
  /**
   * Present on a notice that needs no action: the schema accepts no more than the decorator does, or the two differ only in
   * characters that users do not type.
   */
  readonly isMinor?: true;
}

/** One of several problems of a finding. */
export interface FindingDetail {
  readonly message: string;
  readonly location?: SourceLocation;
  /** The place of the other declaration if two differ. */
  readonly related?: SourceLocation;
}

/** Collects the findings of one class and adds their places. */
export interface ClassReport {
  error(code: ErrorCode, message: string, about?: FindingSubject): void;
  notice(code: ErrorCode, message: string, about?: FindingSubject): void;
}

export interface FindingSubject {
  readonly property?: string;
  readonly related?: SourceLocation | undefined;
  readonly details?: readonly FindingDetail[];
}

/** `src/nginx.ts:12: NginxSpec.port: ...`, with the known parts of the place, and a line for each of its details. */
export function findingText(finding: Finding): string {
  const { className, property, details = [] } = finding;
  const subject = [className, property].filter((part) => part !== undefined && part !== '').join('.');
  return [placedText(finding, subject), ...details.map((detail) => `  ${placedText(detail, '')}`)].join('\n');
}

function placedText({ location, related, message }: FindingDetail, subject: string): string {
  const other = related === undefined ? '' : ` (see ${placeText(related)})`;
  const parts = [location === undefined ? '' : placeText(location), subject, message + other];
  return parts.filter((part) => part !== '').join(': ');
}

function placeText({ file, line }: SourceLocation): string {
  return `${file}:${line}`;
}

/** Whether a finding is the consequence of another mistake of the same property: a default that its wrong type or limits reject. */
function isConsequence({ level, code, className, property }: Finding, findings: readonly Finding[]): boolean {
  if (level !== 'error' || code !== 'invalid-default' || property === undefined) return false;
  return findings.some(
    (other) =>
      other.level === level && other.className === className && other.property === property && other.code !== code,
  );
}

/** Each finding once, without consequences of others, ordered by file, line, class and property. The order does not depend on the order of the classes. */
export function orderedFindings(findings: readonly Finding[]): Finding[] {
  const unique = new Map(
    findings
      .filter((finding) => !isConsequence(finding, findings))
      .map((finding) => [JSON.stringify([finding.level, finding.code, findingText(finding)]), finding]),
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

/** Throws one error for all `error` findings, with the code of the first one. */
export function throwOnErrors(findings: readonly Finding[]): void {
  const errors = findings.filter((finding) => finding.level === 'error');
  const [first] = errors;
  if (first !== undefined) throw new EvenkeelError(first.code, errors.map(findingText).join('\n'));
}
