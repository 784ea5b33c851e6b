import { placesOf } from '@evenkeel/core';
import type { ClassSource, PropertySource } from '../source/source-file.ts';

/**
 * The property whose initialiser threw an error: the first one whose lines are in the error's stack (this needs source
 * maps), or the only one with an initialiser. Undefined if unknown.
 */
export function throwingProperty(error: unknown, chain: readonly ClassSource[]): PropertySource | undefined {
  for (const { file, line } of placesOf(error)) {
    for (const source of chain) {
      const property = source.file === file ? propertyAt(line, source) : undefined;
      if (property !== undefined) return property;
    }
  }
  const initialised = chain.flatMap(({ properties }) => [...properties.values()]).filter((it) => it.hasInitializer);
  return initialised.length === 1 ? initialised[0] : undefined;
}

/** The last property with an initialiser that starts on or before the line. */
function propertyAt(line: number, source: ClassSource): PropertySource | undefined {
  const lines = [...source.properties.values()].sort((left, right) => left.line - right.line);
  const last = lines.findLast((property) => property.line <= line);
  return last?.hasInitializer === true && line >= source.line ? last : undefined;
}
