import { describeWithRealServer } from '../../../../test/real-server.fixture.ts';
import { embeddedServer, normalise, realServer } from '../comparison.fixture.ts';
import { AdmissionWebhookServer } from './admission-webhook.fixture.ts';
import { connectCases } from './connect-cases.fixture.ts';
import { invalidWebhooks } from './invalid-webhooks.fixture.ts';
import { admissionCases } from './webhook-cases.fixture.ts';
import { phases, registration, WebhookSide } from './webhook-side.fixture.ts';

describeWithRealServer('admission webhooks, on the real server and on the embedded one', () => {
  let sides: readonly WebhookSide[] = [];
  beforeAll(async () => {
    const servers = await Promise.all([realServer(), embeddedServer()]);
    sides = await Promise.all(
      servers.map(async (server) => new WebhookSide(server, await AdmissionWebhookServer.open())),
    );
  });
  afterAll(async () => {
    for (const { server, webhooks } of sides) {
      await server.stop();
      webhooks.close();
    }
  });

  it.each([...admissionCases, ...connectCases].map((one, index) => [index, one.title, one] as const))(
    'case %d: %s',
    async (index, _, one) => {
      const [real, embedded] = await Promise.all(sides.map((side) => side.play(one, `p${index}`)));
      expect(embedded).toEqual(real);
    },
  );

  it.each(invalidWebhooks.map((one) => [one.title, one] as const))('rejects a configuration %s', async (_, one) => {
    for (const phase of phases) {
      const answers = await Promise.all(
        sides.map(async ({ server }) => {
          const path = `${registration}/${phase}webhookconfigurations?dryRun=All`;
          const { status, body } = await server.send('POST', path, {
            body: { metadata: { name: 'x' }, webhooks: one.webhooks },
          });
          return { phase, status, body: normalise(body) };
        }),
      );
      expect(answers[1]).toEqual(answers[0]);
      expect(answers[0]?.status).toBe(one.valid === true ? 201 : 422);
    }
  });
});
