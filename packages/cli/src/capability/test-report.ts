import { existsSync, readFileSync, statSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';
import { isJsonObject, valueAt } from '@evenkeel/apimachinery/json';
import { EvenkeelError, messageOf } from '@evenkeel/core';
import { type TaggedTest, TestReportError, taggedTestsIn } from '@evenkeel/olm';

/** The tagged tests of a report. */
export interface ReportedTests {
  readonly tests: readonly TaggedTest[];
  /** The modules that have changed since the run, so that their results are not used. */
  readonly changed: readonly string[];
}

/**
 * Reads a report of `jest --json`, or of Vitest's reporter `json`. The paths of modules are relative to `folder`. Throws
 * `invalid-test-report`.
 */
export function readTestReport(folder: string, file: string): ReportedTests {
  try {
    const report: unknown = JSON.parse(readFileSync(resolve(folder, file), 'utf8'));
    const tests = taggedTestsIn(report);
    const startedAt = isJsonObject(report) ? valueAt(report, 'startTime') : undefined;
    const isChanged = (module: string): boolean =>
      typeof startedAt === 'number' && isAbsolute(module) && existsSync(module) && statSync(module).mtimeMs > startedAt;
    const changed = new Set(tests.map((test) => test.file).filter(isChanged));
    const shown = (module: string): string => (isAbsolute(module) ? relative(folder, module) : module);
    return {
      tests: tests.filter((test) => !changed.has(test.file)).map((test) => ({ ...test, file: shown(test.file) })),
      changed: [...changed].map(shown),
    };
  } catch (cause) {
    const fix =
      cause instanceof TestReportError && cause.message.includes('question')
        ? 'use an id that "evenkeel capability" prints, such as [capability 3.1]'
        : 'write it with "jest --json --outputFile=FILE" or "vitest run --reporter=json --outputFile=FILE"';
    throw new EvenkeelError('invalid-test-report', `${file}: ${messageOf(cause)}; ${fix}`, { cause });
  }
}
