import { readSources, validate } from '@evenkeel/schema';
import { describe, expect, it } from '@jest/globals';
import { DemoVolume } from './demo-volume.ts';

const sources = await readSources(`${import.meta.dirname}/demo-volume.ts`);

describe('DemoVolume', () => {
  it('deletes its claim by default', async () => {
    const { messages, object } = await validate(DemoVolume, { spec: { size: '10Gi' } as never }, { sources });
    expect(messages).toEqual([]);
    expect(object.spec).toEqual({ size: '10Gi', reclaimPolicy: 'Delete' });
  });

  it.each(['10', '0Gi', '1.5Gi', '-1Gi', 'ten'])('rejects the size %s', async (size) => {
    const { messages } = await validate(DemoVolume, { spec: { size } as never }, { sources });
    expect(messages).toEqual([expect.stringContaining(`spec.size: Invalid value: "${size}"`)]);
  });
});
