import { parseQuantity } from '@evenkeel/apimachinery/quantity';
import { describeValue } from '../errors/describe-value.ts';
import { EvenkeelError } from '../errors/evenkeel-error.ts';

const nanosPerUnit = 1_000_000_000n;

/**
 * Returns a Kubernetes quantity as a number of its unit, such as bytes or CPUs: `64Mi` is 67108864, and `250m` is 0.25. Integers up
 * to 2^53 are exact. Throws `invalid-quantity` for anything that the API server rejects as a quantity.
 */
export function quantityValue(quantity: string | number): number {
  const isGiven = typeof quantity === 'string' || typeof quantity === 'number';
  const nanos = isGiven ? parseQuantity(quantity)?.nanos : undefined;
  if (nanos === undefined) {
    const shown = typeof quantity === 'string' ? JSON.stringify(quantity.slice(0, 64)) : describeValue(quantity);
    throw new EvenkeelError(
      'invalid-quantity',
      `${shown} is not a quantity; write a number and its suffix, such as 64Mi or 250m`,
    );
  }
  return Number(nanos / nanosPerUnit) + Number(nanos % nanosPerUnit) / Number(nanosPerUnit);
}
