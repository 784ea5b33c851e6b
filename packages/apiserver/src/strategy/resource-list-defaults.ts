import type { Quantity } from '@evenkeel/kinds';
import { formatQuantity, parseQuantity, roundUpToMilli } from '../apimachinery/index.ts';

/** Amounts by the name of their resource. */
export type ResourceList = Record<string, Quantity>;

/** Rounds every amount up to thousandths and writes it canonically (`SetDefaults_ResourceList`). */
export function defaultResourceList(list: ResourceList | undefined): void {
  if (list === undefined) return;
  for (const name of Object.keys(list)) {
    const parsed = parseQuantity(list[name] ?? '');
    if (parsed !== undefined) list[name] = formatQuantity(roundUpToMilli(parsed));
  }
}

/** Both lists of a `ResourceRequirements`. */
export function defaultRequirements(resources: { limits?: ResourceList; requests?: ResourceList } | undefined): void {
  defaultResourceList(resources?.limits);
  defaultResourceList(resources?.requests);
}
