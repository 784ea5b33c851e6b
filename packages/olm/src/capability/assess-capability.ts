import { type CapabilityAnswer, type CapabilityEvidence, unknown } from './capability-answer.ts';
import type { CapabilityFacts, TaggedTest } from './capability-facts.ts';
import {
  type CapabilityLevel,
  type CapabilityQuestion,
  capabilityLevels,
  capabilityQuestionIds,
  capabilityQuestions,
  levelOf,
} from './capability-question.ts';
import { projectAnswers } from './project-answers.ts';

/** A question with its answer. */
export interface AnsweredQuestion {
  readonly question: CapabilityQuestion;
  /** From 1. */
  readonly level: number;
  readonly asks: string;
  readonly answer: CapabilityAnswer['answer'];
  /** Empty only if the answer is unknown. */
  readonly evidence: readonly CapabilityEvidence[];
  /** Whether its level needs the answer yes. */
  readonly counts: boolean;
  /** What would make the answer yes. Missing if it is yes. */
  readonly raise?: string;
}

/** The result of {@link assessCapability}. */
export interface CapabilityAssessment {
  /** All 38 questions in their order. */
  readonly questions: readonly AnsweredQuestion[];
  /** The highest level whose questions, and those of the levels below it, all have the answer yes. 0 if there is none. */
  readonly level: number;
  /** Undefined for level 0. */
  readonly levelName: CapabilityLevel | undefined;
}

/**
 * Answers the 38 questions of the Operator Capability Levels by facts about an operator. Each answer other than `unknown` has evidence.
 * Tagged tests decide if there are any: one that failed means no. Otherwise, what the project declares and what a run has shown decides.
 */
export function assessCapability(facts: CapabilityFacts): CapabilityAssessment {
  const questions = capabilityQuestionIds.map((question): AnsweredQuestion => {
    const { asks, raise, counts } = capabilityQuestions[question];
    const byTests = answerByTests(question, facts.tests);
    const { answer, evidence } = byTests ?? projectAnswers[question]?.(facts) ?? unknown;
    const tag = `tag a test that shows it with [capability ${question}]`;
    return {
      ...{ question, level: levelOf(question), asks, answer, evidence, counts },
      ...(answer === 'yes'
        ? {}
        : { raise: byTests ? 'make the failed tests pass' : raise === '' ? tag : `${raise}; or ${tag}` }),
    };
  });
  const open = questions.find(({ counts, answer }) => counts && answer !== 'yes');
  const level = open === undefined ? capabilityLevels.length : open.level - 1;
  return { questions, level, levelName: capabilityLevels[level - 1] };
}

function answerByTests(question: CapabilityQuestion, tests: readonly TaggedTest[]): CapabilityAnswer | undefined {
  const tagged = tests.filter(({ questions }) => questions.includes(question));
  const failed = tagged.filter(({ passed }) => !passed);
  const [first, ...others] = (failed.length > 0 ? failed : tagged).map(
    ({ title, file, passed }): CapabilityEvidence => ({
      source: 'test',
      fact: `"${title}" in ${file} ${passed ? 'passed' : 'failed'}`,
    }),
  );
  return first && { answer: failed.length > 0 ? 'no' : 'yes', evidence: [first, ...others] };
}
