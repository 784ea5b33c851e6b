import { EvenkeelError } from '@evenkeel/core';
import { MetricsRegistry } from './metrics-registry.ts';

describe('MetricsRegistry', () => {
  it('writes the text format of Prometheus, with families sorted by name and series by labels', () => {
    const registry = new MetricsRegistry();
    const runs = registry.counter({ name: 'runs_total', help: 'Runs', labels: ['result', 'controller'] });
    runs.with({ controller: 'b', result: 'ok' }).increment();
    runs.with({ controller: 'a', result: 'ok' }).increment(2.5);
    registry.gauge({ name: 'depth', help: 'Depth\nof \\ it' }).with().set(-3);
    expect(registry.text()).toBe(`# HELP depth Depth\\nof \\\\ it
# TYPE depth gauge
depth -3
# HELP runs_total Runs
# TYPE runs_total counter
runs_total{controller="a",result="ok"} 2.5
runs_total{controller="b",result="ok"} 1
`);
  });

  it('counts an observed value in each bucket whose bound is not less', () => {
    const registry = new MetricsRegistry();
    const seconds = registry.histogram({ name: 'seconds', help: 'Seconds', labels: ['x'], buckets: [1e-5, 0.5, 1000] });
    for (const value of [0.5, 0.25, 2000, 0]) seconds.with({ x: 'y' }).observe(value);
    expect(registry.text().split('\n').slice(2)).toEqual([
      'seconds_bucket{x="y",le="1e-05"} 1',
      'seconds_bucket{x="y",le="0.5"} 3',
      'seconds_bucket{x="y",le="1000"} 3',
      'seconds_bucket{x="y",le="+Inf"} 4',
      'seconds_sum{x="y"} 2000.75',
      'seconds_count{x="y"} 4',
      '',
    ]);
  });

  it('returns the same series for the same labels in any order, and ignores undeclared labels', () => {
    const registry = new MetricsRegistry();
    const family = registry.counter({ name: 'x', help: 'X', labels: ['a', 'b'] });
    expect(family.with({ a: '1', b: '2' })).toBe(family.with({ b: '2', a: '1' }));
    family.with({ a: '"\\\n', c: 'no' } as Record<string, string>).increment();
    family.with({ __proto__: { a: 'inherited' } } as unknown as Record<string, string>).increment();
    expect(registry.text()).toContain('x{a="\\"\\\\\\n",b=""} 1\n');
    expect(registry.text()).toContain('x{a="",b=""} 1\n');
  });

  it('has a series for a family without labels from the start', () => {
    const registry = new MetricsRegistry();
    registry.counter({ name: 'x_total', help: 'X' });
    expect(registry.text()).toContain('\nx_total 0\n');
  });

  it('uses one series for all label values beyond the limit', () => {
    const registry = new MetricsRegistry();
    const family = registry.counter({ name: 'x', help: 'X', labels: ['key'], mostSeries: 2 });
    for (let at = 0; at < 100; at++) family.with({ key: String(at) }).increment();
    expect(registry.text().split('\n').slice(2)).toEqual([
      'x{key="0"} 1',
      'x{key="1"} 1',
      'x{key="exceeded_cardinality_limit"} 98',
      '',
    ]);
  });

  it('collects values at each scrape, and drops series that are no longer reported', () => {
    const registry = new MetricsRegistry();
    let samples = [{ labels: { key: 'a' }, value: 1 }];
    registry.collected({ type: 'gauge', name: 'x', help: 'X', labels: ['key'] }, () => samples);
    expect(registry.text()).toContain('x{key="a"} 1\n');
    samples = [{ labels: { key: 'b' }, value: 2 }];
    expect(registry.text()).toBe('# HELP x X\n# TYPE x gauge\nx{key="b"} 2\n');
  });

  it('never decreases a counter', () => {
    const registry = new MetricsRegistry();
    const counter = registry.counter({ name: 'x', help: 'X' }).with();
    counter.increment(3);
    counter.increment(-1);
    counter.increment(Number.NaN);
    expect(registry.text()).toContain('x 3\n');
  });

  it('writes small bounds like Go, because dashboards compare the strings', () => {
    const registry = new MetricsRegistry();
    const bounds = [1e-8, 1e-8 * 10 * 10 * 10, 0.0001, 0.001, 1e21];
    registry.histogram({ name: 'x', help: 'X', buckets: bounds });
    const texts = [...registry.text().matchAll(/le="([^"]+)"/g)].map(([, text]) => text);
    expect(texts).toEqual(['1e-08', '9.999999999999999e-06', '0.0001', '0.001', '1e+21', '+Inf']);
  });

  it.each([
    [{ name: 'a-b', help: 'X' }, 'invalid name; use letters'],
    [{ name: '1a', help: 'X' }, 'invalid name; use letters'],
    [{ name: 'a', help: '' }, 'help is empty'],
    [{ name: 'a', help: 'X', labels: ['le'] }, '"le"'],
    [{ name: 'a', help: 'X', labels: ['__x'] }, '"__x"'],
    [{ name: 'a', help: 'X', labels: ['x', 'x'] }, 'declared twice'],
    [{ name: 'taken', help: 'X' }, 'already has a metric of that name'],
    [{ name: 'a', help: 'X', buckets: [2, 1] }, 'ascending'],
    [{ name: 'a', help: 'X', buckets: [1, Number.POSITIVE_INFINITY] }, 'ascending'],
  ])('rejects %j', (options, reason) => {
    const registry = new MetricsRegistry();
    registry.counter({ name: 'taken', help: 'X' });
    const add = (): unknown => ('buckets' in options ? registry.histogram(options) : registry.counter(options));
    expect(add).toThrow(expect.objectContaining({ code: 'invalid-metric', message: expect.stringContaining(reason) }));
    expect(add).toThrow(EvenkeelError);
  });
});
