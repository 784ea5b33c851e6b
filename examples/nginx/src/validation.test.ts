import { validate } from '@evenkeel/schema';
import { Nginx } from './nginx.ts';

describe('an Nginx', () => {
  it('needs no spec: everything has a default', async () => {
    const { messages, object } = await validate(Nginx, {});
    expect(messages).toEqual([]);
    expect(object.spec).toEqual({ replicaCount: 1, port: 80, image: 'nginx:1.29' });
  });

  it('is refused for more than fifty pods, and for a page that cannot be the name of a ConfigMap', async () => {
    const { messages } = await validate(Nginx, { spec: { replicaCount: 51, pageConfigMap: 'My Page' } });
    expect(messages).toEqual([
      'spec.replicaCount: Invalid value: 51: spec.replicaCount in body should be less than or equal to 50',
      expect.stringMatching(
        /^spec\.pageConfigMap: Invalid value: "My Page": spec\.pageConfigMap in body should match /,
      ),
    ]);
  });

  it('loses a field that is not there, such as one that is misspelt', async () => {
    const { pruned } = await validate(Nginx, { spec: { replicas: 3 } });
    expect(pruned).toEqual(['spec.replicas']);
  });
});
