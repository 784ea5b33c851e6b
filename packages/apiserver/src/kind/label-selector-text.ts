import type { LabelSelectorSpec } from '@evenkeel/core';

/** A label selector as Go formats it, with its requirements sorted by key: `app=web,tier in (a,b),!legacy`. Empty for an empty one. */
export function labelSelectorText(selector: LabelSelectorSpec | undefined): string {
  const requirements = Object.entries(selector?.matchLabels ?? {}).map(([key, value]) => ({
    key,
    text: `${key}=${value}`,
  }));
  for (const { key, operator, values = [] } of selector?.matchExpressions ?? []) {
    const list = `(${[...values].sort().join(',')})`;
    if (operator === 'In') requirements.push({ key, text: `${key} in ${list}` });
    else if (operator === 'NotIn') requirements.push({ key, text: `${key} notin ${list}` });
    else requirements.push({ key, text: operator === 'Exists' ? key : `!${key}` });
  }
  requirements.sort((left, right) => (left.key < right.key ? -1 : left.key > right.key ? 1 : 0));
  return requirements.map(({ text }) => text).join(',');
}
