import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  type AnsweredQuestion,
  assessCapability,
  type CapabilityAssessment,
  type CapabilityFacts,
  capabilityLevels,
} from '@evenkeel/olm';
import { configIn } from '../load/load-config.ts';
import { bundleIn } from '../olm/bundle-in.ts';
import type { CommandDocument } from '../report/command-document.ts';
import type { CommandTerminal } from '../report/command-terminal.ts';
import { timeoutOf } from '../timeout-option.ts';
import { observedRun } from './observed-run.ts';
import { bundleFacts, projectFacts } from './project-facts.ts';
import { readTestReport } from './test-report.ts';

/** The options of `evenkeel capability` as strings from the command line. */
export interface CapabilityOptions {
  readonly config?: string;
  readonly tests?: readonly string[];
  readonly bundle?: string;
  readonly run: boolean;
  readonly timeout: string;
}

/** What `--output json` prints. */
export interface CapabilityDocument extends CommandDocument {
  /** From 0 to 5. */
  readonly level: number;
  /** Missing for level 0. */
  readonly levelName?: string | undefined;
  /** The level in the ClusterServiceVersion. Missing without a bundle, or if it claims none. */
  readonly claimed?: string | undefined;
  readonly questions: readonly AnsweredQuestion[];
}

/** Where a project's last test report is, if `--tests` is not given. */
export const defaultTestReport = join('.evenkeel', 'tests.json');

/** Prints the level of an operator's capabilities; resolves to the exit code. */
export async function capability(
  options: CapabilityOptions,
  terminal: CommandTerminal,
  verbose: boolean,
): Promise<number> {
  const timeoutMs = timeoutOf(options.timeout);
  const bundle = options.bundle === undefined ? undefined : await bundleIn(terminal.folder, options.bundle);
  const hasProject = options.config !== undefined || bundle === undefined || configIn(terminal.folder) !== undefined;
  const ofBundle = bundle && bundleFacts(bundle, options.bundle ?? '');
  const declared = hasProject ? await projectFacts(options.config, terminal) : { definitions: [], manifests: [] };
  if (declared === undefined) return 1;
  const definitions = hasProject ? declared.definitions : (ofBundle?.definitions ?? []);
  const observes = hasProject && options.run;
  const facts: CapabilityFacts = {
    definitions,
    manifests: [...declared.manifests, ...(ofBundle?.manifests ?? [])],
    tests: testsOf(options.tests, terminal),
    csv: bundle && (bundle.csv.spec ?? {}),
    run: observes ? await observedRun(options.config, definitions, timeoutMs, terminal, verbose) : undefined,
  };
  const assessment = assessCapability(facts);
  const claimed = bundle?.csv.metadata?.annotations?.['capabilities'];
  print(assessment, terminal);
  const { level, levelName, questions } = assessment;
  const document: Omit<CapabilityDocument, keyof CommandDocument> = { level, levelName, claimed, questions };
  terminal.add(document);
  return checkClaim(claimed, level, terminal);
}

function testsOf(given: readonly string[] | undefined, terminal: CommandTerminal): CapabilityFacts['tests'] {
  const files = given ?? (existsSync(join(terminal.folder, defaultTestReport)) ? [defaultTestReport] : []);
  if (files.length === 0) {
    const message = `there is no report of tests in ${defaultTestReport}, so no test is evidence; write it with "jest --json --outputFile=${defaultTestReport}", or pass --tests FILE`;
    terminal.finding({ level: 'notice', message });
  }
  return files.flatMap((file) => {
    const { tests, changed } = readTestReport(terminal.folder, file);
    for (const module of changed) {
      const message = `${module} has changed since the run in ${file}, so its tests are no evidence; run them again`;
      terminal.finding({ level: 'notice', message });
    }
    return tests;
  });
}

function print({ questions, level, levelName }: CapabilityAssessment, terminal: CommandTerminal): void {
  for (const [index, name] of capabilityLevels.entries()) {
    const ofLevel = questions.filter((each) => each.level === index + 1);
    const needed = ofLevel.filter(({ counts }) => counts);
    const shown = needed.filter(({ answer }) => answer === 'yes').length;
    terminal.out(`Level ${index + 1}, ${name}: ${shown} of ${needed.length} shown`);
    for (const { question, asks, answer, evidence, counts } of ofLevel) {
      const remark = counts ? '' : ' (does not count)';
      terminal.out(`  ${answer.padEnd(7)}  ${question.padEnd(4)}  ${asks}${remark}`);
      for (const { source, fact } of evidence) terminal.out(`                 ${source}: ${fact}`);
    }
  }
  terminal.out(`\nLevel shown: ${levelName === undefined ? 'none' : `${level}, ${levelName}`}`);
  const next = questions.filter((each) => each.level === level + 1 && each.counts && each.answer !== 'yes');
  if (next.length === 0) return;
  terminal.out(`For level ${level + 1}, ${capabilityLevels[level]}:`);
  for (const { question, raise } of next) terminal.out(`  ${question.padEnd(4)}  ${raise}`);
}

/** A claim that is not one of the levels is a finding of `evenkeel bundle validate`. */
function checkClaim(claimed: string | null | undefined, level: number, terminal: CommandTerminal): number {
  const names: readonly string[] = capabilityLevels;
  const claimedLevel = names.indexOf(claimed ?? '') + 1;
  if (claimedLevel <= level) {
    if (claimedLevel > 0) terminal.out(`The ClusterServiceVersion claims level ${claimedLevel}, ${claimed}.`);
    return 0;
  }
  const shown = level === 0 ? 'no level' : `only level ${level}`;
  // The first level is the lowest that a bundle can claim.
  const lower = claimedLevel === 1 ? '' : ', or lower the annotation "capabilities"';
  const message = `the ClusterServiceVersion claims level ${claimedLevel}, ${claimed}, but the evidence shows ${shown}; add what is missing${lower}`;
  terminal.finding({ level: 'error', code: 'capability-not-shown', message });
  return 1;
}
