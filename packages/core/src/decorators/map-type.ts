import { declareEither, type SchemaDecorator } from '../declarations/schema-declaration.ts';

/**
 * How server-side apply merges an object or a map: `granular`, the server's default, by each key; `atomic` replaces it
 * whole, so that one manager owns all of it.
 */
export function MapType(type: 'atomic' | 'granular'): SchemaDecorator {
  return declareEither({ says: 'mapType', type });
}
