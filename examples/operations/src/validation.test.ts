import { readSources, validate } from '@evenkeel/schema';
import { describe, expect, it } from '@jest/globals';
import { Backup, type BackupSpec, type OperationSpec, Restart, Upgrade, type UpgradeSpec } from './operations.ts';

const sources = await readSources(`${import.meta.dirname}/operations.ts`);
const restart = async (spec: Partial<OperationSpec>, old?: Partial<OperationSpec>) => {
  const object = (given: Partial<OperationSpec>) => ({ spec: { deployment: 'web', ...given } as OperationSpec });
  return validate(Restart, object(spec), { sources, ...(old && { old: object(old) }) });
};

describe('an operation', () => {
  it('has a timeout and a history limit by default', async () => {
    const { messages, object } = await restart({});
    expect(messages).toEqual([]);
    expect(object.spec).toEqual({ deployment: 'web', cancel: false, timeout: '10m', historyLimit: 10 });
  });

  it.each([
    [{ timeout: '0s' }, 'spec.timeout: Invalid value: "0s": timeout must be more than 0'],
    [{ timeout: '-1m' }, 'spec.timeout: Invalid value: "-1m": timeout must be more than 0'],
    [{ ttlAfterFinished: '-1s' }, 'spec.ttlAfterFinished: Invalid value: "-1s": ttlAfterFinished must not be negative'],
    [{ deployment: 'Web' }, 'spec.deployment: Invalid value: "Web": spec.deployment in body should match'],
    [
      { historyLimit: 0 },
      'spec.historyLimit: Invalid value: 0: spec.historyLimit in body should be greater than or equal to 1',
    ],
  ])('rejects %j', async (spec, message) => {
    const { messages } = await restart(spec);
    expect(messages).toEqual([expect.stringContaining(message)]);
  });
});

describe('Upgrade and Backup', () => {
  it('need an image', async () => {
    const upgrade = await validate(Upgrade, { spec: { deployment: 'web' } as UpgradeSpec }, { sources });
    expect(upgrade.messages[0]).toBe('spec.image: Required value');
    const spec = { deployment: 'web', image: 'a b', command: [], claim: 'backups' } as unknown as BackupSpec;
    const backup = await validate(Backup, { spec }, { sources });
    expect(backup.messages).toEqual([
      expect.stringContaining('spec.image: Invalid value: "a b"'),
      expect.stringContaining('spec.command: Invalid value: 0: spec.command in body should have at least 1 items'),
    ]);
  });
});
