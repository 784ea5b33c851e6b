import type { CustomResourceDefinition } from '@evenkeel/kinds';
import type { StructuralSchema } from '../evaluate/structural-schema.ts';

/** Limits on the size of descriptions. */
export interface DescriptionBudget {
  /** The maximal number of characters of one description; 0 omits all descriptions. Default: no limit. */
  readonly maxDescriptionLength?: number | undefined;
  /** The maximal size of a CRD as JSON, in bytes. Descriptions are omitted until it fits, deepest first. Default: no limit. */
  readonly maxDefinitionBytes?: number | undefined;
}

/** Shortens the descriptions in the schemas of a CRD, in place. */
export function fitDescriptions(definition: CustomResourceDefinition, budget: DescriptionBudget): void {
  const { maxDescriptionLength, maxDefinitionBytes } = budget;
  const described = definition.spec.versions
    .flatMap(({ schema }) => [...describedSchemas((schema?.openAPIV3Schema ?? {}) as StructuralSchema)])
    .filter(({ schema }) => schema.description !== undefined);
  if (maxDescriptionLength !== undefined) {
    for (const { schema } of described) {
      const short = shortened(schema.description ?? '', maxDescriptionLength);
      if (short === '') delete schema.description;
      else schema.description = short;
    }
  }
  if (maxDefinitionBytes === undefined) return;
  let excess = definitionBytes(definition) - maxDefinitionBytes;
  const byDepth = described.filter(({ schema }) => schema.description !== undefined).sort((a, b) => b.depth - a.depth);
  for (const { schema } of byDepth) {
    if (excess <= 0) return;
    excess -= Buffer.byteLength(JSON.stringify({ description: schema.description })) - 1;
    delete schema.description;
  }
}

/** The size of the CRD when it is sent. */
export function definitionBytes(definition: CustomResourceDefinition): number {
  return Buffer.byteLength(JSON.stringify(definition));
}

/**
 * The start of a string, with at most `maxLength` characters. It ends after a sentence, otherwise after a word with `...`,
 * which counts (controller-gen's maxDescLen does the same, but does not count the dots).
 */
export function shortened(text: string, maxLength: number): string {
  const characters = [...text];
  if (characters.length <= maxLength) return text;
  const cut = characters.slice(0, maxLength).join('');
  const sentences = /^[\s\S]*[.!?](?=\s)/.exec(`${cut}${/\s/.test(characters[maxLength] ?? '') ? ' ' : ''}`)?.[0];
  if (sentences !== undefined) return sentences;
  const room = characters.slice(0, Math.max(0, maxLength - 3)).join('');
  const words = /\s/.test(characters[maxLength - 3] ?? '') ? room : room.slice(0, Math.max(0, room.search(/\s\S*$/)));
  const kept = (words === '' ? room : words).trimEnd();
  return kept === '' ? '' : `${kept}...`;
}

function* describedSchemas(
  schema: StructuralSchema,
  depth = 0,
): Generator<{ readonly schema: StructuralSchema; readonly depth: number }> {
  yield { schema, depth };
  for (const property of Object.values(schema.properties ?? {})) yield* describedSchemas(property, depth + 1);
  if (schema.items !== undefined) yield* describedSchemas(schema.items, depth + 1);
  if (typeof schema.additionalProperties === 'object') yield* describedSchemas(schema.additionalProperties, depth + 1);
}
