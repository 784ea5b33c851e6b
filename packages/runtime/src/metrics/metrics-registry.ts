import { EvenkeelError } from '@evenkeel/core';

export type MetricType = 'counter' | 'gauge' | 'histogram';

/** The values of a family's labels, by label name. */
export type MetricLabels = Readonly<Record<string, string>>;

/** The options of every metric. */
export interface MetricOptions {
  /** The name, with letters, digits, `_` and `:`, such as `nginx_probes_total`. Unique in a manager. */
  readonly name: string;
  /** A description in one sentence. */
  readonly help: string;
  /** The names of the labels. Default: none. */
  readonly labels?: readonly string[];
  /**
   * The maximum number of series. All further label values share one series, whose labels are all `exceeded_cardinality_limit`,
   * so that a label with unlimited values does not fill the memory. Default: 1000.
   */
  readonly mostSeries?: number;
}

/** The options of a histogram. */
export interface HistogramOptions extends MetricOptions {
  /** The upper bounds in ascending order, without infinity. */
  readonly buckets: readonly number[];
}

/** A count that only increases. */
export interface Counter {
  increment(by?: number): void;
}

/** A value that increases and decreases. */
export interface Gauge {
  set(value: number): void;
}

/** The distribution of values over buckets. */
export interface Histogram {
  observe(value: number): void;
}

/** A metric and its series. `with` returns one series; keep it if you use it often. */
export interface MetricFamily<S> {
  with(labels?: MetricLabels): S;
}

/** One value of a family that is collected at each scrape. */
export interface CollectedSample {
  readonly labels?: MetricLabels;
  readonly value: number;
}

export interface DescribedMetric {
  readonly name: string;
  readonly type: MetricType;
  readonly help: string;
  /** The names of the labels, in the order of the output. */
  readonly labels: readonly string[];
  readonly buckets?: readonly number[];
}

/** The label value beyond a family's limit. controller-runtime uses it beyond 25 priorities. */
const beyondLimit = 'exceeded_cardinality_limit';
const defaultMostSeries = 1000;

/**
 * The metrics of one manager. A service or a controller can inject it in its constructor and add its own metrics. Throws
 * `invalid-metric` for an invalid name, and for a second family of the same name.
 *
 * Promised: counting and observing take some ten nanoseconds and never throw. Registries share nothing.
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

  /** Adds a counter or gauge whose values are collected at each scrape. If `collect` throws, the scrape fails. */
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

  /** All families, sorted by name. */
  get families(): readonly DescribedMetric[] {
    return this.#sorted().map(({ described }) => described);
  }

  /** Returns all values in Prometheus' text format 0.0.4. */
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
    // A family without labels has one series, which exists from the start.
    if (labels.length === 0) family.with();
    this.#families.set(name, family as unknown as Family);
    return family;
  }
}

interface Series {
  /** Adds its lines; `labels` is the string between the braces. */
  write(lines: string[], name: string, labels: string): void;
}

class Family<S extends Series = Series> implements MetricFamily<S> {
  readonly described: DescribedMetric;
  collect: (() => void) | undefined;
  readonly #create: () => S;
  readonly #mostSeries: number;
  /** Series by the string between the braces. */
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
  /** The count of each bucket alone. The last one is for values beyond all bounds. */
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
  if (!/^[a-zA-Z_:][a-zA-Z0-9_:]*$/.test(name))
    refuse('invalid name; use letters, digits, "_" and ":", and do not start with a digit');
  if (isTaken) refuse('this manager already has a metric of that name; share it through a service');
  if (help === '') refuse('help is empty; describe what the metric counts');
  for (const label of labels) {
    const isWellFormed = /^[a-zA-Z_][a-zA-Z0-9_]*$/.test(label) && !label.startsWith('__') && label !== 'le';
    if (!isWellFormed)
      refuse(`invalid label ${JSON.stringify(label)}; use letters, digits and "_", but not "le" and no leading "__"`);
  }
  if (new Set(labels).size < labels.length) refuse('a label is declared twice; remove one');
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
 * Formats a number like Go (`strconv.FormatFloat` with 'g'): below 0.0001 with an exponent of two digits. The bound of a bucket
 * is a label, and dashboards compare the string.
 */
function numberText(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf';
  if (value === Number.NEGATIVE_INFINITY) return '-Inf';
  if (value === 0 || Number.isNaN(value) || Math.abs(value) >= 0.0001) return String(value);
  return value.toExponential().replace(/e-(\d)$/, 'e-0$1');
}
