import { readSources, validate } from '@evenkeel/schema';
import { describe, expect, it } from '@jest/globals';
import { Foo } from './foo.ts';

const sources = await readSources(`${import.meta.dirname}/foo.ts`);

describe('Foo', () => {
  it('needs only the name of its Deployment', async () => {
    const { messages, object } = await validate(Foo, { spec: { deploymentName: 'web' } }, { sources });
    expect(messages).toEqual([]);
    expect(object.spec).toEqual({ deploymentName: 'web', replicas: 1 });
  });

  it('rejects a missing or invalid name, and more than ten pods', async () => {
    expect((await validate(Foo, { spec: {} as never }, { sources })).messages).toEqual([
      'spec.deploymentName: Required value',
    ]);
    const { messages } = await validate(Foo, { spec: { deploymentName: 'My Web', replicas: 11 } }, { sources });
    expect(messages).toEqual([
      expect.stringMatching(/^spec\.deploymentName: Invalid value: "My Web": /),
      'spec.replicas: Invalid value: 11: spec.replicas in body should be less than or equal to 10',
    ]);
  });
});
