import type { Quantity } from '../apimachinery/index.ts';
import type { QuotaEvaluator } from './quota-evaluator.ts';

/** A number of objects. */
export function count(objects: number): Quantity {
  return { nanos: BigInt(objects) * 1_000_000_000n, format: 'DecimalSI' };
}

/** Counts objects under these names (`NewObjectCountEvaluator`). */
export function objectCountEvaluator(...names: readonly string[]): QuotaEvaluator {
  const usage = new Map(names.map((name) => [name, count(1)]));
  return {
    matches: (resource) => names.includes(resource),
    handles: ({ operation, subresource }) => operation === 'CREATE' && subresource === '',
    usage: () => usage,
  };
}
