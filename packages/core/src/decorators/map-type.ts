import { declareEither, type SchemaDecorator } from '../declarations/schema-declaration.ts';

/**
 * Sets how server-side apply merges an object or a map. `granular`, the server's default, merges each key. `atomic` replaces
 * the whole value, so that one field manager owns all of it.
 */
export function MapType(type: 'atomic' | 'granular'): SchemaDecorator {
  return declareEither({ says: 'mapType', type });
}
