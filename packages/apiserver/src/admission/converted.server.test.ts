import { setTimeout as delay } from 'node:timers/promises';
import { describeWithRealServer } from '../../../../test/real-server.fixture.ts';
import { embeddedServer, realServer } from '../comparison.fixture.ts';
import {
  bookDefinition,
  ConversionWebhook,
  converted,
  failing,
  webhookConversion,
} from '../customresource/conversion-webhook.fixture.ts';
import { AdmissionWebhookServer } from './admission-webhook.fixture.ts';
import { bookGroup, convertedCases } from './converted-cases.fixture.ts';
import { WebhookSide } from './webhook-side.fixture.ts';

describeWithRealServer('admission webhooks of a kind that a webhook converts, on both servers', () => {
  let sides: readonly WebhookSide[] = [];
  let conversion: ConversionWebhook;

  beforeAll(async () => {
    conversion = await ConversionWebhook.open();
    conversion.answer = (review, response) => {
      const isBroken = JSON.stringify(review.request.objects).includes('"broken');
      return isBroken ? failing(review, response) : converted(review);
    };
    const servers = await Promise.all([realServer(), embeddedServer()]);
    sides = await Promise.all(
      servers.map(async (server) => new WebhookSide(server, await AdmissionWebhookServer.open())),
    );
    const { url, caBundle } = conversion;
    const body = bookDefinition(bookGroup, webhookConversion({ url, caBundle }));
    for (const server of servers) {
      await server.send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { body });
      for (const version of ['v1', 'v2']) {
        const path = `/apis/${bookGroup}/${version}/books`;
        while ((await server.send('GET', path)).status !== 200) await delay(20);
      }
    }
  });
  afterAll(async () => {
    for (const { server, webhooks } of sides) {
      await server.stop();
      webhooks.close();
    }
    conversion.close();
  });

  it.each(convertedCases.map((one, index) => [index, one.title, one] as const))(
    'case %d: %s',
    async (index, _, one) => {
      const [real, embedded] = await Promise.all(sides.map((side) => side.play(one, `converted-${index}`)));
      expect(embedded).toEqual(real);
    },
  );
});
