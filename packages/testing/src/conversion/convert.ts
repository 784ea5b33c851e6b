import type { JsonObject } from '@evenkeel/apimachinery/json';
import { apiVersionOf, EvenkeelError, type KindClass, resourceOf } from '@evenkeel/core';
import { KindConversions, readConversion } from '@evenkeel/core/conversion';

/**
 * Converts an object by the conversion that a class declares, without a server: an object of the class's version to the hub, and one
 * of the hub to the class's version. The result is what the operator's webhook returns, before the API server drops fields that the
 * version does not have.
 *
 * @param type the class that declares the conversion, not the hub.
 * @throws EvenkeelError `invalid-conversion`, `conversion-failed`, and what `toHub` and `fromHub` throw.
 */
export function convert(type: KindClass, object: object): Record<string, unknown> {
  const conversions = new KindConversions([type]);
  const checked = readConversion(type, () => undefined);
  const own = apiVersionOf(resourceOf(type));
  const hub = checked?.hub.apiVersion ?? own;
  const { apiVersion } = object as { readonly apiVersion?: unknown };
  if (apiVersion !== own && apiVersion !== hub) {
    throw new EvenkeelError(
      'conversion-failed',
      `convert(${type.name}, object): apiVersion of the object is ${JSON.stringify(apiVersion)}; pass an object of ${own} or ${hub}`,
    );
  }
  return conversions.convert(object as JsonObject, apiVersion === own ? hub : own);
}
