import { normalise } from '../../packages/apiserver/src/comparison.fixture.ts';
import { describeWithRealServer } from '../real-server.fixture.ts';
import { webhookCases } from './webhook-cases.fixture.ts';
import { type CaseAnswer, expectAnswers, type Reach, WebhookStage } from './webhook-stage.fixture.ts';

const reaches: readonly Reach[] = ['url', 'service'];

describeWithRealServer("an operator's webhooks over HTTPS, on the real server and on the embedded one", () => {
  let real: readonly WebhookStage[] = [];
  let embedded: readonly WebhookStage[] = [];
  beforeAll(async () => {
    [real, embedded] = await Promise.all([
      WebhookStage.overHttps(webhookCases, 'real', reaches),
      WebhookStage.overHttps(webhookCases, 'embedded', reaches),
    ]);
  });
  afterAll(async () => {
    for (const stage of [...real, ...embedded].reverse()) await stage.close();
  });

  describe.each(reaches.map((reach, index) => [reach, index] as const))('by %s', (_, place) => {
    it.each(webhookCases.map((one, index) => [index, one.title, one] as const))(
      'case %d: %s',
      async (index, __, one) => {
        const stages = [real[place], embedded[place]] as [WebhookStage, WebhookStage];
        const [expected, played] = await Promise.all(stages.map((stage) => stage.play(one, index)));
        expectAnswers(one, expected ?? []);
        expect(comparable(played)).toEqual(comparable(expected));
      },
    );
  });
});

/**
 * Answers without the ports of the operators, without the order of warnings, because validating webhooks run at once, and without
 * who has ended a call that takes too long.
 */
function comparable(answers: readonly CaseAnswer[] | undefined): unknown {
  const sorted = answers?.map((answer) => ({ ...answer, warnings: [...answer.warnings].sort() }));
  const text = JSON.stringify(sorted)
    .replaceAll(/127\.0\.0\.1:\d+/g, '<address>')
    .replaceAll(
      /webhook: (?:Post [^ ]* context deadline exceeded|the server was unable [^"]*)/g,
      'webhook: <timed out>',
    );
  return normalise(JSON.parse(text));
}
