import type { KubernetesObject, LabelSelectorSpec } from '@evenkeel/core';
import type { Container } from '@evenkeel/kinds';
import { labelSelectorText } from '../kind/label-selector-text.ts';
import { humanDuration } from './human-duration.ts';

/** Formats the time since an RFC 3339 time; `<unknown>` if there is none. */
export function since(time: string | undefined, now: number): string {
  if (!time) return '<unknown>';
  const then = Date.parse(time);
  return Number.isNaN(then) ? '<unknown>' : humanDuration(now - then);
}

/** Formats the age of an object. */
export function ageOf({ metadata }: KubernetesObject, now: number): string {
  return since(metadata.creationTimestamp, now);
}

/** Formats labels, or a plain map that selects by labels: `a=1,b=2`. */
export function formatLabels(labels: Readonly<Record<string, string>> | undefined): string {
  const pairs = Object.entries(labels ?? {}).map(([key, value]) => `${key}=${value}`);
  return pairs.length === 0 ? '<none>' : pairs.sort().join(',');
}

/** Formats a label selector with its requirements sorted by key: `app=web,tier in (a,b),!legacy`. */
export function formatSelector(selector: LabelSelectorSpec | undefined): string {
  return labelSelectorText(selector) || '<none>';
}

/** Returns two cells: the names and the images of containers. */
export function containerCells(containers: readonly Container[] | undefined): [names: string, images: string] {
  const list = containers ?? [];
  return [list.map(({ name }) => name).join(','), list.map(({ image }) => image ?? '').join(',')];
}

/** Formats the first `most` items of a list and the number of the others. */
export function firstOf(items: readonly string[], most: number, count = items.length, separator = ','): string {
  const shown = items.slice(0, most).join(separator);
  return items.length > most ? `${shown} + ${count - most} more...` : shown;
}
