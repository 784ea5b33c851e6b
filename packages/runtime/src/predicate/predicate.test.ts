import { ConfigMap } from '@evenkeel/kinds';
import { resourceVersionChanged } from './predicate.ts';

function version(resourceVersion: string): ConfigMap {
  return Object.assign(new ConfigMap(), { metadata: { name: 'page', resourceVersion } });
}

describe('resourceVersionChanged', () => {
  it('refuses an update that a resync replays and lets every other event pass', () => {
    const object = version('7');
    expect(resourceVersionChanged({ verb: 'updated', previous: object, object })).toBe(false);
    expect(resourceVersionChanged({ verb: 'updated', previous: version('6'), object })).toBe(true);
    expect(resourceVersionChanged({ verb: 'added', object, initial: true })).toBe(true);
    expect(resourceVersionChanged({ verb: 'deleted', object })).toBe(true);
  });
});
