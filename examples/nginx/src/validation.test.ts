import { validate } from '@evenkeel/schema';
import { Nginx } from './nginx.ts';

describe('Nginx', () => {
  it('needs no spec, because all fields have defaults', async () => {
    const { messages, object } = await validate(Nginx, {});
    expect(messages).toEqual([]);
    expect(object.spec).toEqual({ replicaCount: 1, port: 80, image: 'nginx:1.29' });
  });

  it('rejects more than fifty pods, and a page that is not a valid ConfigMap name', async () => {
    const { messages } = await validate(Nginx, { spec: { replicaCount: 51, pageConfigMap: 'My Page' } });
    expect(messages).toEqual([
      'spec.replicaCount: Invalid value: 51: spec.replicaCount in body should be less than or equal to 50',
      expect.stringMatching(
        /^spec\.pageConfigMap: Invalid value: "My Page": spec\.pageConfigMap in body should match /,
      ),
    ]);
  });

  it('drops an unknown field, such as a misspelt one', async () => {
    const { pruned } = await validate(Nginx, { spec: { replicas: 3 } });
    expect(pruned).toEqual(['spec.replicas']);
  });
});
