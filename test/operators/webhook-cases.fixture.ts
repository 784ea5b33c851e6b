import { answerCases, probeCases } from './webhook-answer-cases.fixture.ts';
import type { WebhookCase } from './webhook-case.fixture.ts';
import { classCases } from './webhook-class-cases.fixture.ts';
import { patchCases } from './webhook-patch-cases.fixture.ts';
import { requestCases } from './webhook-request-cases.fixture.ts';

/** What an operator's webhooks can declare, and how each server responds. The probes are the first. */
export const webhookCases: readonly WebhookCase[] = [
  ...probeCases,
  ...answerCases,
  ...patchCases,
  ...requestCases,
  ...classCases,
];
