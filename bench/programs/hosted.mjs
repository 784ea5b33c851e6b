import { createManager } from '@evenkeel/runtime';

/** Returns the webhooks of an operator as its manager hands them to a test environment, whose calls stay in process. */
export async function hosted(operator) {
  const given = Promise.withResolvers();
  const transport = {
    async request() {
      throw new Error('there is no API server');
    },
    async close() {},
    webhookHost: {
      policyKinds: async () => [],
      serve: async (webhooks) => {
        given.resolve(webhooks);
        return async () => {};
      },
    },
  };
  const manager = await createManager({ controllers: [], ...operator, transport });
  await manager.start();
  return { webhooks: await given.promise, stop: () => manager.stop() };
}
