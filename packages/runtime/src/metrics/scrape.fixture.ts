import type { DescribedMetric } from './metrics-registry.ts';

/** The values of a scrape, parsed by the rules of the text format without code of this package. */
export interface Scrape {
  readonly families: ReadonlyMap<string, DescribedMetric>;
  /** Returns the value of the series with that name and exactly these labels, including `le`; undefined if it does not exist. */
  value(name: string, labels?: Readonly<Record<string, string>>): number | undefined;
  /** Returns the label sets of a series. */
  labels(name: string): readonly Readonly<Record<string, string>>[];
}

/** Throws if a line is not in the format, or is below another family. */
export function parseScrape(text: string): Scrape {
  const families = new Map<string, DescribedMetric>();
  const values = new Map<string, { name: string; labels: Record<string, string>; value: number }>();
  let current: { name: string; type: DescribedMetric['type']; help: string } | undefined;
  for (const line of text.split('\n')) {
    const help = /^# HELP (\S+) (.*)$/.exec(line);
    const type = /^# TYPE (\S+) (counter|gauge|histogram)$/.exec(line);
    const sample = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/.exec(line);
    if (help !== null) current = { name: String(help[1]), type: 'counter', help: String(help[2]) };
    else if (type !== null) {
      if (current === undefined || current.name !== type[1]) throw new Error(`a type without its help: ${line}`);
      current = { ...current, type: type[2] as DescribedMetric['type'] };
      families.set(current.name, { ...current, labels: [] });
    } else if (sample !== null) {
      const name = String(sample[1]);
      const family = current?.type === 'histogram' ? name.replace(/_(bucket|sum|count)$/, '') : name;
      if (current === undefined || current.name !== family) throw new Error(`not below its family: ${line}`);
      const labels = labelsIn(sample[2] ?? '');
      values.set(identity(name, labels), { name, labels, value: numberOf(String(sample[3])) });
      const { le, ...others } = labels;
      const known = families.get(family);
      const buckets =
        le === undefined || le === '+Inf' ? (known?.buckets ?? []) : [...(known?.buckets ?? []), Number(le)];
      families.set(family, {
        ...current,
        labels: Object.keys(others),
        ...(current.type === 'histogram' ? { buckets: [...new Set(buckets)] } : {}),
      });
    } else if (line !== '' && !line.startsWith('# ')) throw new Error(`no line of the format: ${line}`);
  }
  return {
    families,
    value: (name, labels = {}) => values.get(identity(name, labels))?.value,
    labels: (name) => [...values.values()].filter((one) => one.name === name).map(({ labels }) => labels),
  };
}

function labelsIn(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"(?:,|$)/g)].map(([, name, value]) => [
      String(name),
      String(value).replace(/\\(.)/g, (_whole, letter: string) => (letter === 'n' ? '\n' : letter)),
    ]),
  );
}

function identity(name: string, labels: Readonly<Record<string, string>>): string {
  return JSON.stringify([name, Object.entries(labels).toSorted(([left], [right]) => (left < right ? -1 : 1))]);
}

function numberOf(text: string): number {
  return text === '+Inf' ? Number.POSITIVE_INFINITY : Number(text);
}
