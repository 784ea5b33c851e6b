import { goFloat } from '../../apimachinery.ts';
import { countVisits } from './evaluation-limit.ts';
import { formatDuration, formatTimestamp } from './time.ts';
import {
  CelDouble,
  CelDuration,
  CelList,
  CelMap,
  CelTimestamp,
  CelTypeValue,
  CelUint,
  type CelValue,
  typeOfValue,
} from './value.ts';

/** A value as error messages show it. */
export function formatValue(value: CelValue): string {
  if (typeof value === 'string') return value;
  if (value === null || typeof value !== 'object') return String(value);
  if (value instanceof CelDouble) return goFloat(value.value);
  if (value instanceof CelUint) return String(value.value);
  if (value instanceof CelTimestamp) return formatTimestamp(value);
  if (value instanceof CelDuration) return formatDuration(value);
  if (value instanceof CelTypeValue) return value.type.name;
  if (value instanceof CelList || value instanceof CelMap) countVisits(value.size + 1);
  if (value instanceof CelList) return `[${[...value].map(formatValue).join(', ')}]`;
  if (value instanceof CelMap) {
    const entries = [...value.keys()].map((key) => `${formatValue(key)}: ${formatValue(value.find(key) ?? null)}`);
    return `{${entries.join(', ')}}`;
  }
  return typeOfValue(value).name;
}
