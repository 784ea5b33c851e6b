import { type ApiResource, ManualClock, ObjectKey } from '@evenkeel/core';
import type { ObjectWrite } from '../reconcile/reconcile-run.ts';
import { Trigger } from '../reconcile/trigger.ts';
import { LoopBreaker } from './loop-breaker.ts';

const maps: ApiResource = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };
const page = new ObjectKey('page', 'default');

const sites: ApiResource = { ...maps, group: 'example.com', kind: 'Website', plural: 'websites' };
const blog = new ObjectKey('blog', 'default');
const signalled = new Trigger('signalled', 'Website', blog);

function wrote(...changed: string[]): ObjectWrite {
  return { verb: 'apply', resource: maps, key: page, resourceVersion: '1', effect: 'changed', changed };
}

const childChanged = new Trigger('updated', 'ConfigMap', page, { before: { data: 1 }, after: { data: 2 } });
const podChanged = new Trigger('updated', 'Pod', new ObjectKey('page-1', 'default'));
const siteChanged = new Trigger('updated', 'Website', new ObjectKey('blog', 'default'));

function breaker() {
  const clock = new ManualClock();
  const instance = new LoopBreaker(clock, 'Website');
  const waiting: Trigger[] = [];
  const end = (triggers: Trigger[], ...writes: ObjectWrite[]) =>
    instance.ended('default/blog', { startMs: clock.monotonic(), triggers, writes, waiting });
  const loop = (times: number) => Array.from({ length: times }, () => end([childChanged], wrote('data.color')));
  return { clock, instance, end, loop, waiting };
}

describe('LoopBreaker', () => {
  it('finds a key whose tenth run within a minute writes a field because of the write of the ninth', () => {
    const { end, loop, instance } = breaker();
    end([siteChanged], wrote('data.color', 'data.size'));
    expect(loop(8).every((finding) => finding === undefined)).toBe(true);
    expect(instance.slowed).toEqual([]);
    const finding = { object: 'ConfigMap default/page', path: 'data.color', delayMs: 1000, isNew: true };
    expect(loop(1)).toEqual([finding]);
    expect(instance.slowed).toEqual([{ key: 'default/blog', finding }]);
  });

  it('delays the key longer each time, up to five minutes', async () => {
    const { clock, instance, loop } = breaker();
    loop(9);
    const delays: number[] = [];
    for (let round = 0; round < 12; round++) {
      const [finding] = loop(1);
      const delayMs = finding?.delayMs ?? 0;
      delays.push(delayMs);
      expect(instance.holdMs('default/blog', [childChanged])).toBe(delayMs);
      await clock.advance(delayMs);
      expect(instance.holdMs('default/blog', [childChanged])).toBe(0);
    }
    expect(delays.map((delay) => delay / 1000)).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300]);
  });

  it('does not delay a change from outside, and starts a new streak after it', () => {
    const { instance, end, loop } = breaker();
    loop(10);
    expect(instance.holdMs('default/blog', [childChanged, siteChanged])).toBe(0);
    end([childChanged, siteChanged], wrote('data.color'));
    expect(loop(8).every((finding) => finding === undefined)).toBe(true);
    expect(loop(1)[0]?.delayMs).toBe(1000);
  });

  it('treats a change of a spec that the runs did not write as one from outside', () => {
    const { instance, end } = breaker();
    const change = (field: string): Trigger =>
      new Trigger('updated', 'ConfigMap', page, { before: { spec: { [field]: 1 } }, after: { spec: { [field]: 2 } } });
    for (let run = 0; run < 10; run++) end([change('replicas')], wrote('spec.replicas'));
    expect(instance.holdMs('default/blog', [change('replicas')])).toBe(1000);
    expect(instance.holdMs('default/blog', [change('paused')])).toBe(0);
  });

  it.each<[string, (run: number) => [Trigger[], ...ObjectWrite[]]]>([
    ['writes nothing', () => [[childChanged]]],
    ['changes nothing with its writes', () => [[childChanged], { ...wrote(), effect: 'unchanged' }]],
    ['writes another field each time', (run) => [[childChanged], wrote(`data.step${run}`)]],
    ['is triggered by changes of its object', () => [[siteChanged], wrote('data.color')]],
    ['is triggered by objects that it did not write', () => [[podChanged], wrote('data.color')]],
    ['is triggered by such objects and by its own writes', () => [[childChanged, podChanged], wrote('data.color')]],
    ['is triggered by a channel', () => [[signalled], { ...wrote('status.count'), resource: sites, key: blog }]],
    [
      'has an event of its object in between',
      (run) => [[run % 9 === 0 ? siteChanged : childChanged], wrote('data.color')],
    ],
    [
      'writes a value that it computes from other objects',
      (run) => (run % 2 === 0 ? [[podChanged], wrote('data.color')] : [[childChanged]]),
    ],
    [
      'writes such a value, and sometimes already knows the waiting changes',
      (run) => (run % 5 === 4 ? [[childChanged]] : [[run % 5 === 0 ? podChanged : childChanged], wrote('data.color')]),
    ],
    ['is requeued by the method', () => [[new Trigger('requeued', 'Website', siteChanged.key)], wrote('data.color')]],
  ])('does not slow down a key whose run %s', (_, run) => {
    const { end } = breaker();
    for (let index = 0; index < 100; index++) expect(end(...run(index))).toBeUndefined();
  });

  it('finds a key that writes a field in every run between events of other objects, and delays those events too', async () => {
    const { clock, instance, end } = breaker();
    const causes = [[childChanged], [podChanged], [childChanged, podChanged]];
    const findings = Array.from({ length: 30 }, (_, run) => end(causes[run % 3] ?? [], wrote('spec.stamp')));
    const first = findings.findIndex((finding) => finding !== undefined);
    expect(first).toBe(27);
    expect(findings[first]).toEqual({
      ...{ object: 'ConfigMap default/page', path: 'spec.stamp', delayMs: 1000, isNew: true },
    });
    const delays: number[] = [];
    for (let round = 0; round < 7; round++) {
      await clock.advance(60_000);
      delays.push(end([podChanged, childChanged], wrote('spec.stamp'))?.delayMs ?? 0);
      expect(instance.holdMs('default/blog', [podChanged])).toBe(delays.at(-1));
    }
    expect(delays.map((delay) => delay / 1000)).toEqual([4, 8, 16, 30, 30, 30, 30]);
    expect(instance.holdMs('default/blog', [podChanged, siteChanged])).toBe(0);
  });

  it('stops slowing down such a key as soon as a run does not write the field', () => {
    const { instance, end } = breaker();
    for (let run = 0; run < 25; run++) end([run % 2 === 0 ? podChanged : childChanged], wrote('spec.stamp'));
    expect(instance.slowed).toHaveLength(1);
    end([childChanged]);
    expect(instance.slowed).toEqual([]);
  });

  it('does not count a run that may already know the waiting changes', () => {
    const { end, waiting } = breaker();
    end([podChanged], wrote('spec.replicas'));
    waiting.push(podChanged);
    for (let run = 0; run < 100; run++) expect(end([childChanged], wrote('spec.replicas'))).toBeUndefined();
  });

  it('ends the streak at the first event of another object', () => {
    const { instance, end, loop } = breaker();
    loop(10);
    expect(instance.holdMs('default/blog', [childChanged, podChanged])).toBe(0);
    expect(instance.slowed).toEqual([]);
    end([childChanged, podChanged], wrote('data.color'));
    expect(loop(8).every((finding) => finding === undefined)).toBe(true);
  });

  it('does not slow down a key with rare runs', async () => {
    const { clock, loop } = breaker();
    for (let run = 0; run < 50; run++) {
      expect(loop(1)).toEqual([undefined]);
      await clock.advance(7000);
    }
  });

  it('does not slow down a key further for a field that it no longer writes', () => {
    const { end, loop } = breaker();
    loop(10);
    for (let run = 0; run < 8; run++) expect(end([childChanged], wrote('data.size'))).toBeUndefined();
  });

  it('starts a new streak after a key was quiet for a minute', async () => {
    const { clock, instance, loop } = breaker();
    loop(10);
    await clock.advance(63_000);
    expect(instance.slowed).toEqual([]);
    expect(loop(9).every((finding) => finding === undefined)).toBe(true);
  });

  it('finds objects that are repeatedly created and deleted', () => {
    const { end } = breaker();
    const deleted = new Trigger('deleted', 'ConfigMap', page);
    const findings = Array.from({ length: 10 }, () => end([deleted], { ...wrote(), effect: 'created' }));
    expect(findings.at(-1)).toMatchObject({ object: 'ConfigMap default/page', path: 'created' });
  });

  it('drops keys that have been quiet for a long time', async () => {
    const { clock, instance } = breaker();
    const many = (from: number): void => {
      for (let index = from; index < from + 1500; index++) {
        instance.ended(`default/${index}`, {
          startMs: clock.monotonic(),
          triggers: [childChanged],
          writes: [wrote('a')],
          waiting: [],
        });
      }
    };
    many(0);
    await clock.advance(61_000);
    many(1500);
    expect(instance.size).toBeLessThanOrEqual(2000);
  });
});
