import type { ApiServer } from '@evenkeel/apiserver';
import type { WebhookAnswer, WebhookCall } from '@evenkeel/core';
import { callOf, type OpenDoor, type WebhookDoor } from './webhook-door.ts';

/** The embedded API server calls functions of its process, without a socket. */
export class EmbeddedDoor implements WebhookDoor {
  readonly #server: Pick<ApiServer, 'registerWebhook'>;
  #opened = 0;

  constructor(server: Pick<ApiServer, 'registerWebhook'>) {
    this.#server = server;
  }

  async open(paths: readonly string[], handle: (call: WebhookCall) => Promise<WebhookAnswer>): Promise<OpenDoor> {
    const base = `https://operator-${++this.#opened}.in-process.invalid`;
    const ends = paths.map((path) =>
      this.#server.registerWebhook(`${base}${path}`, async ({ url, headers, body, signal }) => {
        const call = callOf(path, url, { contentType: headers['content-type'], body, signal });
        const answer = await handle(call);
        return {
          status: answer.status,
          headers: { 'content-type': answer.contentType },
          body: Buffer.from(answer.body),
        };
      }),
    );
    return {
      clientConfigOf: (path) => ({ url: `${base}${path}` }),
      close: async () => {
        for (const end of ends) end();
      },
    };
  }
}
