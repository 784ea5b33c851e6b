import { readSources, validate } from '@evenkeel/schema';
import { describe, expect, it } from '@jest/globals';
import { MemHog, type MemHogSpec } from './memhog.ts';

const sources = await readSources(`${import.meta.dirname}/memhog.ts`);
const check = (spec: Partial<MemHogSpec>, name = 'hungry') =>
  validate(MemHog, { metadata: { name }, spec: spec as MemHogSpec }, { sources });

describe('MemHog', () => {
  it('runs for a minute by default, without a limit', async () => {
    const { messages, object } = await check({ memory: '200Mi' });
    expect(messages).toEqual([]);
    expect(object.spec).toEqual({ memory: '200Mi', duration: '1m' });
  });

  it.each([
    [{ memory: '200' }, 'spec.memory: Invalid value: "200": spec.memory in body should match'],
    [{ memory: '1Gi', limit: '512Mi' }, 'spec.limit: Invalid value: limit must not be less than memory'],
    [{ memory: '1Gi', duration: '0s' }, 'spec.duration: Invalid value: "0s": duration must be at least 1s'],
  ])('rejects %j', async (spec, message) => {
    const { messages } = await check(spec);
    expect(messages[0]).toContain(message);
  });

  it('rejects a name that is too long for its Jobs', async () => {
    const { messages } = await check({ memory: '1Gi' }, 'a'.repeat(51));
    expect(messages).toEqual([expect.stringContaining('the name must not be longer than 50 characters')]);
  });
});
