import { type ApiResource, ManualClock, SeededRandom } from '@evenkeel/core';
import type { Informer } from '../cache/index.ts';
import { PeriodicSource } from './periodic-source.ts';

const maps: ApiResource = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };

describe('PeriodicSource', () => {
  it('enqueues all objects once in each period, in the background and spread over time', async () => {
    const names = ['a', 'b', 'c'];
    const informer = {
      resource: maps,
      lister: { list: () => names.map((name) => ({ metadata: { name, namespace: 'default' } })) },
    };
    const clock = new ManualClock();
    const random = new SeededRandom(7);
    const source = new PeriodicSource({ informer: informer as unknown as Informer, periodMs: 10_000, clock, random });
    const woken: { text: string; isBackground: boolean; afterMs: number }[] = [];
    source.start((_, trigger, isBackground, afterMs = 0) =>
      woken.push({ text: String(trigger), isBackground, afterMs }),
    );
    await clock.advance(9_999);
    expect(woken).toEqual([]);
    await clock.advance(1);
    expect(woken.map(({ text }) => text)).toEqual(names.map((name) => `ConfigMap default/${name} periodic`));
    expect(woken.every(({ isBackground, afterMs }) => isBackground && afterMs >= 0 && afterMs < 1000)).toBe(true);
    expect(new Set(woken.map(({ afterMs }) => afterMs)).size).toBe(3);
    names.pop();
    await clock.advance(10_000);
    expect(woken).toHaveLength(5);
    source.stop();
    await clock.advance(20_000);
    expect(woken).toHaveLength(5);
  });
});
