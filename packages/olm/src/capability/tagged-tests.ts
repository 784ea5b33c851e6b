import { isJsonObject, valueAt } from '@evenkeel/apimachinery/json';
import type { TaggedTest } from './capability-facts.ts';
import { type CapabilityQuestion, capabilityQuestions } from './capability-question.ts';

/** A report of tests that cannot be read, or that names an unknown question. */
export class TestReportError extends Error {
  override readonly name = 'TestReportError';
}

const tag = /\s*\[capability ([^\]]*)\]/g;

/**
 * Returns the tests of a report that are tagged with questions, such as `restores a backup [capability 3.1, 3.2]`. A tag in the title of
 * a group applies to its tests. Skipped tests show nothing, and are left out.
 *
 * @param report the parsed report of `jest --json`, which Vitest writes too with `--reporter=json`.
 * @throws TestReportError if it is not such a report, or if a tag names an unknown question.
 */
export function taggedTestsIn(report: unknown): TaggedTest[] {
  const files = isJsonObject(report) ? valueAt(report, 'testResults') : undefined;
  if (!Array.isArray(files)) throw new TestReportError('it has no list "testResults"');
  return files.flatMap((file: unknown) => {
    if (!isJsonObject(file)) throw new TestReportError('an item of "testResults" is not an object');
    const results = valueAt(file, 'assertionResults');
    if (!Array.isArray(results)) throw new TestReportError('an item of "testResults" has no list "assertionResults"');
    return results.flatMap((result: unknown) => taggedTest(result, String(valueAt(file, 'name') ?? '')));
  });
}

function taggedTest(result: unknown, file: string): TaggedTest[] {
  if (!isJsonObject(result)) throw new TestReportError('an item of "assertionResults" is not an object');
  const ancestors = valueAt(result, 'ancestorTitles');
  const titles = [...(Array.isArray(ancestors) ? ancestors : []), valueAt(result, 'title')].map(String);
  const status = valueAt(result, 'status');
  const full = titles.join(' ');
  const questions = [...full.matchAll(tag)].flatMap(([, ids = '']) => ids.split(',').map((id) => questionOf(id, full)));
  if (questions.length === 0 || (status !== 'passed' && status !== 'failed')) return [];
  return [
    { questions: [...new Set(questions)], title: full.replace(tag, '').trim(), file, passed: status === 'passed' },
  ];
}

function questionOf(text: string, title: string): CapabilityQuestion {
  const id = text.trim();
  if (Object.hasOwn(capabilityQuestions, id)) return id as CapabilityQuestion;
  throw new TestReportError(`the test "${title}" names the unknown question "${id}"`);
}
