import { EvenkeelError } from '@evenkeel/core';

export type MetricType = 'counter' | 'gauge' | 'histogram';

/** Values by the names of a family's labels. */
export type MetricLabels = Readonly<Record<string, string>>;

export interface MetricOptions {
  /** `nginx_probes_total`: letters, digits, `_` and `:`. One family of that name for each manager. */
  readonly name: string;
  /** One sentence for people. */
  readonly help: string;
  /** The names of its labels. Default: none. */
  readonly labels?: readonly string[];
  /**
   * How many series it may have; what comes after goes into one whose labels are all `exceeded_cardinality_limit`, so that
   * a label whose values never end costs no memory. Default 1000.
   */
  readonly mostSeries?: number;
}

export interface HistogramOptions extends MetricOptions {
  /** Upper bounds, ascending, without infinity. */
  readonly buckets: readonly number[];
}

/** A count that only grows. */
export interface Counter {
  increment(by?: number): void;
}

export interface Gauge {
  set(value: number): void;
}

export interface Histogram {
  observe(value: number): void;
}

/** One metric name with its series, of which `with` gives one; keep what it gives where it is used often. */
export interface MetricFamily<S> {
  with(labels?: MetricLabels): S;
}

/** One value of a family that is asked for when somebody scrapes. */
export interface CollectedSample {
  readonly labels?: MetricLabels;
  readonly value: number;
}

export interface DescribedMetric {
  readonly name: string;
  readonly type: MetricType;
  readonly help: string;
  /** In the order in which they are written. */
  readonly labels: readonly string[];
  readonly buckets?: readonly number[];
}

/** What stands for label values beyond a family's limit, and for controller-runtime beyond 25 priorities. */
const beyondLimit = 'exceeded_cardinality_limit';
const defaultMostSeries = 1000;

/**
 * The metrics of one manager. A class, so that a service or a controller may ask for it in its constructor and add its own;
 * names are checked, and a second family of a name is refused, with `invalid-metric`.
 *
 * Counting and observing costs some ten nanoseconds and never throws. Nothing is shared between registries.
 */
export class MetricsRegistry {
  readonly #families = new Map<string, Family>();

  counter(options: MetricOptions): MetricFamily<Counter> {
    return this.#add(options, 'counter', () => new CounterSeries());
  }

  gauge(options: MetricOptions): MetricFamily<Gauge> {
    return this.#add(options, 'gauge', () => new GaugeSeries());
  }

  histogram(options: HistogramOptions): MetricFamily<Histogram> {
    const bounds = Float64Array.from(options.buckets);
    return this.#add(options, 'histogram', () => new HistogramSeries(bounds), options.buckets);
  }

  /** A counter or gauge whose values are asked for with each scrape. What `collect` throws fails the scrape. */
  collected(
    options: MetricOptions & { readonly type: 'counter' | 'gauge' },
    collect: () => Iterable<CollectedSample>,
  ): void {
    const family = this.#add(options, options.type, () => new GaugeSeries());
    family.collect = () => {
      family.clear();
      for (const { labels, value } of collect()) family.with(labels).set(value);
    };
  }

  /** What it holds, by name. */
  get families(): readonly DescribedMetric[] {
    return this.#sorted().map(({ described }) => described);
  }

  /** All values, in Prometheus' text format 0.0.4. */
  text(): string {
    return this.#sorted()
      .map((family) => family.text())
      .join('');
  }

  #sorted(): Family[] {
    return [...this.#families.values()].sort((a, b) => (a.described.name < b.described.name ? -1 : 1));
  }

  #add<S extends Series>(
    { name, help, labels = [], mostSeries = defaultMostSeries }: MetricOptions,
    type: MetricType,
    create: () => S,
    buckets?: readonly number[],
  ): Family<S> {
    const sorted = labels.toSorted();
    const described = { name, type, help, labels: sorted, ...(buckets === undefined ? {} : { buckets }) };
    check(described, this.#families.has(name));
    const family = new Family(described, mostSeries, create);
    // A family without labels is one series, there from the beginning.
    if (labels.length === 0) family.with();
    this.#families.set(name, family as unknown as Family);
    return family;
  }
}

interface Series {
  /** Adds its lines; `labels` is what stands between the braces. */
  write(lines: string[], name: string, labels: string): void;
}

class Family<S extends Series = Series> implements MetricFamily<S> {
  readonly described: DescribedMetric;
  collect: (() => void) | undefined;
  readonly #create: () => S;
  readonly #mostSeries: number;
  /** By what stands between the braces. */
  readonly #series = new Map<string, S>();

  constructor(described: DescribedMetric, mostSeries: number, create: () => S) {
    this.described = described;
    this.#mostSeries = mostSeries;
    this.#create = create;
  }

  with(labels: MetricLabels = {}): S {
    const text = this.#textOf((name) => (Object.hasOwn(labels, name) ? String(labels[name]) : ''));
    const known = this.#series.get(text);
    if (known !== undefined) return known;
    const isFull = this.#series.size >= this.#mostSeries;
    const key = isFull ? this.#textOf(() => beyondLimit) : text;
    const series = (isFull ? this.#series.get(key) : undefined) ?? this.#create();
    this.#series.set(key, series);
    return series;
  }

  clear(): void {
    this.#series.clear();
  }

  text(): string {
    this.collect?.();
    const { name, help, type } = this.described;
    const lines = [`# HELP ${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}`, `# TYPE ${name} ${type}`];
    for (const labels of [...this.#series.keys()].sort()) this.#series.get(labels)?.write(lines, name, labels);
    return `${lines.join('\n')}\n`;
  }

  #textOf(read: (name: string) => string): string {
    return this.described.labels.map((name) => `${name}="${escaped(read(name))}"`).join(',');
  }
}

class CounterSeries implements Counter, Series {
  #value = 0;

  increment(by = 1): void {
    if (by > 0) this.#value += by;
  }

  write(lines: string[], name: string, labels: string): void {
    lines.push(`${name}${braced(labels)} ${numberText(this.#value)}`);
  }
}

class GaugeSeries implements Gauge, Series {
  #value = 0;

  set(value: number): void {
    this.#value = value;
  }

  write(lines: string[], name: string, labels: string): void {
    lines.push(`${name}${braced(labels)} ${numberText(this.#value)}`);
  }
}

class HistogramSeries implements Histogram, Series {
  readonly #bounds: Float64Array;
  /** Of each bucket alone; the last has what is beyond all bounds. */
  readonly #counts: Float64Array;
  #sum = 0;

  constructor(bounds: Float64Array) {
    this.#bounds = bounds;
    this.#counts = new Float64Array(bounds.length + 1);
  }

  observe(value: number): void {
    const bounds = this.#bounds;
    let at = 0;
    while (at < bounds.length && value > (bounds[at] as number)) at++;
    this.#counts[at] = (this.#counts[at] as number) + 1;
    this.#sum += value;
  }

  write(lines: string[], name: string, labels: string): void {
    const before = labels === '' ? '' : `${labels},`;
    let count = 0;
    for (let at = 0; at <= this.#bounds.length; at++) {
      count += this.#counts[at] as number;
      const bound = this.#bounds[at] ?? Number.POSITIVE_INFINITY;
      lines.push(`${name}_bucket{${before}le="${numberText(bound)}"} ${count}`);
    }
    lines.push(`${name}_sum${braced(labels)} ${numberText(this.#sum)}`, `${name}_count${braced(labels)} ${count}`);
  }
}

function check({ name, help, labels, buckets = [] }: DescribedMetric, isTaken: boolean): void {
  const refuse = (reason: string): never => {
    throw new EvenkeelError('invalid-metric', `metric ${JSON.stringify(name)}: ${reason}`);
  };
  if (!/^[a-zA-Z_:][a-zA-Z0-9_:]*$/.test(name)) refuse('a name has letters, digits, _ and :, and begins with no digit');
  if (isTaken) refuse('this manager has one of that name already; keep it where both can use it');
  if (help === '') refuse('say in help what it counts');
  for (const label of labels) {
    const isWellFormed = /^[a-zA-Z_][a-zA-Z0-9_]*$/.test(label) && !label.startsWith('__') && label !== 'le';
    if (!isWellFormed)
      refuse(
        `the label ${JSON.stringify(label)} must have letters, digits and _, and is neither "le" nor begins with __`,
      );
  }
  if (new Set(labels).size < labels.length) refuse('a label is named twice');
  if (buckets.some((bound, at) => !Number.isFinite(bound) || bound <= (buckets[at - 1] ?? Number.NEGATIVE_INFINITY))) {
    refuse('buckets must be ascending finite numbers');
  }
}

function braced(labels: string): string {
  return labels === '' ? '' : `{${labels}}`;
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

/**
 * As Go writes it (`strconv.FormatFloat` with 'g'), because a bucket's bound is a label, and dashboards compare its text:
 * an exponent of two digits below 0.0001.
 */
function numberText(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf';
  if (value === Number.NEGATIVE_INFINITY) return '-Inf';
  if (value === 0 || Number.isNaN(value) || Math.abs(value) >= 0.0001) return String(value);
  return value.toExponential().replace(/e-(\d)$/, 'e-0$1');
}
