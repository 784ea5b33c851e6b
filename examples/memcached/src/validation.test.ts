import { readSources, validate } from '@evenkeel/schema';
import { describe, expect, it } from '@jest/globals';
import { Memcached } from './memcached.ts';

const sources = await readSources(`${import.meta.dirname}/memcached.ts`);

describe('Memcached', () => {
  it('has a default for each field', async () => {
    const { messages, object } = await validate(Memcached, {}, { sources });
    expect(messages).toEqual([]);
    expect(object.spec).toEqual({ size: 1, containerPort: 11211 });
  });

  it('rejects sizes and ports outside of their ranges', async () => {
    const { messages } = await validate(Memcached, { spec: { size: 11, containerPort: 80 } }, { sources });
    expect(messages).toEqual([
      'spec.size: Invalid value: 11: spec.size in body should be less than or equal to 10',
      'spec.containerPort: Invalid value: 80: spec.containerPort in body should be greater than or equal to 1024',
    ]);
  });
});
