import { addQuantities, parseQuantity, type Quantity } from '../apimachinery/index.ts';
import type { ResourceList } from './resource-list-defaults.ts';

/** Amounts by the name of their resource, to calculate with. */
export type ResourceAmounts = ReadonlyMap<string, Quantity>;

const nothing: Quantity = { nanos: 0n, format: 'DecimalSI' };

export function amountsOf(list: ResourceList | undefined): Map<string, Quantity> {
  const amounts = new Map<string, Quantity>();
  for (const [name, text] of Object.entries(list ?? {})) amounts.set(name, parseQuantity(text) ?? nothing);
  return amounts;
}

/** Adds `more` to `amounts`. */
export function addAmounts(amounts: Map<string, Quantity>, more: ResourceAmounts): void {
  for (const [name, amount] of more) {
    const present = amounts.get(name);
    amounts.set(name, present === undefined ? amount : addQuantities(present, amount));
  }
}

/** Raises the amounts that are lower than those of `least`. */
export function raiseAmounts(amounts: Map<string, Quantity>, least: ResourceAmounts): void {
  for (const [name, amount] of least) {
    const present = amounts.get(name);
    if (present === undefined || amount.nanos > present.nanos) amounts.set(name, amount);
  }
}

/** The steps in which amounts are compared, in billionths. */
export const wholeStep = 1_000_000_000n;
export const milliStep = 1_000_000n;

/** The largest amount that upstream expresses in thousandths: `resource.MaxMilliValue`. */
const milliValueMax = ((1n << 63n) - 1n) / 1000n;

/** The step in which upstream compares amounts: thousandths, unless one of them is too large. */
export function comparedStep(...nanos: readonly bigint[]): bigint {
  return nanos.every((amount) => roundedUp(amount, wholeStep) <= milliValueMax) ? milliStep : wholeStep;
}

/** The number of steps in an amount, rounded up as `Quantity.Value` and `Quantity.MilliValue` do. */
export function roundedUp(nanos: bigint, step: bigint): bigint {
  const whole = nanos / step;
  return nanos % step > 0n ? whole + 1n : whole;
}
