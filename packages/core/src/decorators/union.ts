import type { AnyClass } from '../declarations/class-reference.ts';
import { declareSchema } from '../declarations/schema-declaration.ts';

/**
 * A discriminated union (KEP-1027): the property `discriminator` of the class selects the member that is present.
 * `@Union('type', { Http: 'http', Tcp: 'tcp', None: undefined })` allows the values Http, Tcp and None for `type`. With Http,
 * the property `http` is required; with other values it is forbidden. Members must be optional and have no default. The
 * discriminator is required, unless it has a default.
 */
export function Union(
  discriminator: string,
  variants: Readonly<Record<string, string | undefined>>,
): (target: AnyClass) => void {
  return declareSchema({ says: 'union', discriminator, variants });
}
