import type { AnyClass } from '../declarations/class-reference.ts';
import { declareSchema } from '../declarations/schema-declaration.ts';

/**
 * A discriminated union, after KEP-1027: the property `discriminator` of the class says which member is there.
 * `@Union('type', { Http: 'http', Tcp: 'tcp', None: undefined })` allows `type` the values Http, Tcp and None; with Http
 * the property `http` must be there, and with all other values it must not. Members must be optional, without a default.
 * The discriminator must be there, unless it has a default.
 */
export function Union(
  discriminator: string,
  variants: Readonly<Record<string, string | undefined>>,
): (target: AnyClass) => void {
  return declareSchema({ says: 'union', discriminator, variants });
}
