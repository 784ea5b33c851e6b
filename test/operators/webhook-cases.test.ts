import { webhookCases } from './webhook-cases.fixture.ts';
import { expectAnswers, WebhookStage } from './webhook-stage.fixture.ts';

describe("an operator's webhooks on the embedded server, in process", () => {
  let stage: WebhookStage;
  beforeAll(async () => {
    stage = await WebhookStage.inProcess(webhookCases);
  });
  afterAll(() => stage?.close());

  it.each(webhookCases.map((one, index) => [index, one.title, one] as const))('case %d: %s', async (index, _, one) => {
    expectAnswers(one, await stage.play(one, index));
  });
});
