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
  it('finds a key whose tenth run within a minute writes a field because of what the ninth wrote', () => {
    const { end, loop, instance } = breaker();
    end([siteChanged], wrote('data.color', 'data.size'));
    expect(loop(8).every((finding) => finding === undefined)).toBe(true);
    expect(instance.slowed).toEqual([]);
    const finding = { object: 'ConfigMap default/page', path: 'data.color', delayMs: 1000, isNew: true };
    expect(loop(1)).toEqual([finding]);
    expect(instance.slowed).toEqual([{ key: 'default/blog', finding }]);
  });

  it('holds the key longer and longer, up to five minutes', async () => {
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

  it('never holds up a change from outside, and begins anew after it', () => {
    const { instance, end, loop } = breaker();
    loop(10);
    expect(instance.holdMs('default/blog', [childChanged, siteChanged])).toBe(0);
    end([childChanged, siteChanged], wrote('data.color'));
    expect(loop(8).every((finding) => finding === undefined)).toBe(true);
    expect(loop(1)[0]?.delayMs).toBe(1000);
  });

  it('takes a change of a spec that the runs did not write for one from outside', () => {
    const { instance, end } = breaker();
    const change = (field: string): Trigger =>
      new Trigger('updated', 'ConfigMap', page, { before: { spec: { [field]: 1 } }, after: { spec: { [field]: 2 } } });
    for (let run = 0; run < 10; run++) end([change('replicas')], wrote('spec.replicas'));
    expect(instance.holdMs('default/blog', [change('replicas')])).toBe(1000);
    expect(instance.holdMs('default/blog', [change('paused')])).toBe(0);
  });

  it.each<[string, (run: number) => [Trigger[], ...ObjectWrite[]]]>([
    ['writes nothing', () => [[childChanged]]],
    ['changes nothing by what it writes', () => [[childChanged], { ...wrote(), effect: 'unchanged' }]],
    ['writes another field each time', (run) => [[childChanged], wrote(`data.step${run}`)]],
    ['is caused by changes of its object', () => [[siteChanged], wrote('data.color')]],
    ['is caused by objects it did not write', () => [[podChanged], wrote('data.color')]],
    ['is caused by those and by what it wrote', () => [[childChanged, podChanged], wrote('data.color')]],
    ['is signalled from outside', () => [[signalled], { ...wrote('status.count'), resource: sites, key: blog }]],
    [
      'has an event on its object between',
      (run) => [[run % 9 === 0 ? siteChanged : childChanged], wrote('data.color')],
    ],
    [
      'writes what it computes from others',
      (run) => (run % 2 === 0 ? [[podChanged], wrote('data.color')] : [[childChanged]]),
    ],
    [
      'writes that, and once in a while has seen what is still to come',
      (run) => (run % 5 === 4 ? [[childChanged]] : [[run % 5 === 0 ? podChanged : childChanged], wrote('data.color')]),
    ],
    ['comes again at its own pace', () => [[new Trigger('requeued', 'Website', siteChanged.key)], wrote('data.color')]],
  ])('lets a key be whose run %s', (_, run) => {
    const { end } = breaker();
    for (let index = 0; index < 100; index++) expect(end(...run(index))).toBeUndefined();
  });

  it('finds a key that writes a field in every run among events that follow from it, and lets those wait too', async () => {
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

  it('lets go of such a key as soon as a run leaves the field alone', () => {
    const { instance, end } = breaker();
    for (let run = 0; run < 25; run++) end([run % 2 === 0 ? podChanged : childChanged], wrote('spec.stamp'));
    expect(instance.slowed).toHaveLength(1);
    end([childChanged]);
    expect(instance.slowed).toEqual([]);
  });

  it('does not count a run that may have seen what is still to come', () => {
    const { end, waiting } = breaker();
    end([podChanged], wrote('spec.replicas'));
    waiting.push(podChanged);
    for (let run = 0; run < 100; run++) expect(end([childChanged], wrote('spec.replicas'))).toBeUndefined();
  });

  it('lets an event on another object end it where none has come before', () => {
    const { instance, end, loop } = breaker();
    loop(10);
    expect(instance.holdMs('default/blog', [childChanged, podChanged])).toBe(0);
    expect(instance.slowed).toEqual([]);
    end([childChanged, podChanged], wrote('data.color'));
    expect(loop(8).every((finding) => finding === undefined)).toBe(true);
  });

  it('lets a key be whose runs are far apart', async () => {
    const { clock, loop } = breaker();
    for (let run = 0; run < 50; run++) {
      expect(loop(1)).toEqual([undefined]);
      await clock.advance(7000);
    }
  });

  it('does not slow a key further for a field that it no longer writes', () => {
    const { end, loop } = breaker();
    loop(10);
    for (let run = 0; run < 8; run++) expect(end([childChanged], wrote('data.size'))).toBeUndefined();
  });

  it('begins anew when a key has been quiet for a minute', async () => {
    const { clock, instance, loop } = breaker();
    loop(10);
    await clock.advance(63_000);
    expect(instance.slowed).toEqual([]);
    expect(loop(9).every((finding) => finding === undefined)).toBe(true);
  });

  it('finds objects that are made and deleted again and again', () => {
    const { end } = breaker();
    const deleted = new Trigger('deleted', 'ConfigMap', page);
    const findings = Array.from({ length: 10 }, () => end([deleted], { ...wrote(), effect: 'created' }));
    expect(findings.at(-1)).toMatchObject({ object: 'ConfigMap default/page', path: 'created' });
  });

  it('forgets keys that have long been quiet', async () => {
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
