import type { SchemaDifference } from '../diff/schema-difference.ts';
import { lossyPaths } from './difference-details.ts';
import type { ClassVersion, MergedKind } from './merge-versions.ts';

/**
 * A version whose writes drop fields of stored objects, although the writer changes only other fields: the API server reads the
 * object in this version, and stores what is left. Data of JSON.
 */
export interface LossyWrites {
  readonly group: string;
  readonly plural: string;
  readonly kind: string;
  readonly version: string;
  readonly className: string;
  /** The fields that get lost, as `lossy` accepts them. Never empty. */
  readonly fields: readonly string[];
  /** Whether a conversion is declared. Otherwise, the API server changes only `apiVersion`. */
  readonly isConverted: boolean;
  /** The storage version, whose writes drop nothing. */
  readonly storage: { readonly version: string; readonly className: string; readonly served: boolean };
}

/** The losses between two versions that are accepted. */
export interface PairLosses {
  readonly first: ClassVersion;
  readonly second: ClassVersion;
  readonly lost: readonly SchemaDifference[];
}

/**
 * The served versions whose writes drop fields. Only the way from the storage version matters: a field that gets lost in the
 * other direction was never stored, so no write can drop it.
 *
 * @param base the hub, or the storage version if there is no conversion. Each object passes through it.
 * @param losses of each version with the base. Others are ignored.
 */
export function lossyWrites(
  { names, versions, storage, hub }: MergedKind,
  base: ClassVersion,
  losses: readonly PairLosses[],
): LossyWrites[] {
  const lostOn = (version: ClassVersion, direction: SchemaDifference['direction']): SchemaDifference[] =>
    losses
      .filter(({ first, second }) => first === base && second === version)
      .flatMap(({ lost }) => lost.filter((difference) => difference.direction === direction));
  return versions
    .filter((version) => version !== storage && version.declaration.served)
    .flatMap((version) => {
      const lost = [...lostOn(storage, 'backward'), ...lostOn(version, 'forward')];
      if (lost.length === 0) return [];
      return {
        group: names.group,
        plural: names.plural,
        kind: names.kind,
        version: version.declaration.version,
        className: version.root.name,
        fields: lossyPaths(lost, names.kind),
        isConverted: hub !== undefined,
        storage: {
          version: storage.declaration.version,
          className: storage.root.name,
          served: storage.declaration.served,
        },
      };
    });
}
