import type { DifferenceEffect, SchemaDifference } from '../diff/schema-difference.ts';
import type { StructuralSchema } from '../evaluate/structural-schema.ts';
import type { FindingDetail, SourceLocation } from '../finding/finding.ts';
import type { ApiClass } from '../model/api-class.ts';
import { differenceText } from './difference-text.ts';
import { schemaPlace } from './schema-place.ts';

/** One of two schemas that are compared. */
export interface ComparedSide {
  /** How the messages name it: `v1beta1`. */
  readonly name: string;
  readonly schema: StructuralSchema;
  /** The class whose lines are shown. Undefined if no class has this schema. */
  readonly root?: ApiClass;
}

/**
 * The differences with the lines of their fields, the worst first.
 *
 * @param reasonOf the reason why a difference is accepted.
 */
export function differenceDetails(
  differences: readonly SchemaDifference[],
  first: ComparedSide,
  second: ComparedSide,
  reasonOf?: (difference: SchemaDifference) => string | undefined,
): FindingDetail[] {
  return inOrder(differences).flatMap((difference) => {
    const isForward = difference.direction === 'forward';
    // Both directions say the same about these.
    if (difference.effect === 'merged' && !isForward) return [];
    const [from, to] = isForward ? [first, second] : [second, first];
    const isOfClass = difference.keyword === 'subresources.scale';
    const places = [isOfClass ? to.root?.location : locate(to, difference.toPlace), locate(from, difference.fromPlace)];
    const [location, related] = places.filter((place) => place !== undefined);
    const reason = reasonOf?.(difference);
    const isOne = location?.file === related?.file && location?.line === related?.line;
    return {
      message: `${differenceText(difference, from.name, to.name)}${reason === undefined ? '' : `; accepted: ${reason}`}`,
      ...(location === undefined ? {} : { location }),
      ...(related === undefined || isOne ? {} : { related }),
    };
  });
}

/** The keys by which `lossy` accepts these differences, each once. */
export function lossyPaths(differences: readonly SchemaDifference[], kind: string): string[] {
  return [...new Set(differences.map((difference) => lossyPath(difference, kind)))];
}

/** The path of the field, or the kind if the whole object differs. */
export function lossyPath({ path }: SchemaDifference, kind: string): string {
  return path || kind;
}

function locate({ root, schema }: ComparedSide, place: string): SourceLocation | undefined {
  if (root === undefined) return undefined;
  const { steps, rest } = schemaPlace(place, root, schema);
  // A place that does not exist in the class has no line there.
  return rest === ''
    ? steps.findLast(({ property }) => property?.location !== undefined)?.property?.location
    : undefined;
}

const worstFirst: readonly DifferenceEffect[] = [
  'lost',
  'overwritten',
  'defaulted',
  'invalid',
  'undecided',
  'merged',
  'new-objects',
];

function inOrder(differences: readonly SchemaDifference[]): SchemaDifference[] {
  const rank = ({ direction, effect }: SchemaDifference): number =>
    (direction === 'forward' ? 0 : worstFirst.length) + worstFirst.indexOf(effect);
  return differences.toSorted((left, right) => rank(left) - rank(right));
}
