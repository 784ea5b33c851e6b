import type { PodSpec, Volume } from '@evenkeel/kinds';
import { goQuote } from '../../apimachinery/index.ts';

const removed = {
  photonPersistentDisk: 'deprecated in v1.11, non-functional in v1.16+',
  gitRepo: 'deprecated in v1.11, and disabled by default in v1.33+',
  scaleIO: 'deprecated in v1.16, non-functional in v1.22+',
  flocker: 'deprecated in v1.22, non-functional in v1.25+',
  storageos: 'deprecated in v1.22, non-functional in v1.25+',
  quobyte: 'deprecated in v1.22, non-functional in v1.25+',
  glusterfs: 'deprecated in v1.25, non-functional in v1.26+',
  cephfs: 'deprecated in v1.28, non-functional in v1.31+',
  rbd: 'deprecated in v1.28, non-functional in v1.31+',
} as const satisfies Partial<Record<keyof Volume, string>>;

/** Returns the warnings about volumes: removed plugins, and files at the same place. */
export function volumeWarnings({ volumes = [] }: PodSpec, path: string): string[] {
  const ofPlugins = volumes.flatMap((volume, index) =>
    Object.entries(removed)
      .filter(([source]) => volume[source as keyof typeof removed] !== undefined)
      // Upstream writes one of the names in another way.
      .map(([source, why]) => `${path}.volumes[${index}].${source === 'storageos' ? 'storageOS' : source}: ${why}`),
  );
  return [...ofPlugins, ...volumes.flatMap(overlapWarnings)];
}

interface Place {
  readonly path: string;
  /** The source of a file in a projected volume; otherwise empty. */
  readonly source: string;
}

/** Source: `warningsForOverlappingVirtualPaths`, `pkg/api/pod/warnings.go`. */
function overlapWarnings({ name, configMap, secret, downwardAPI, projected }: Volume): string[] {
  const warn = (description: string, places: readonly (Place | undefined)[]): string[] =>
    overlaps(places).map((both) => {
      const volume = `volume ${goQuote(name)} (${description})`;
      return both === undefined ? `${volume} has no sources provided` : `${volume}: overlapping paths: ${both}`;
    });
  return [
    ...warn(`ConfigMap ${goQuote(configMap?.name ?? '')}`, placesOf(configMap?.items)),
    ...warn(`Secret ${goQuote(secret?.secretName ?? '')}`, placesOf(secret?.items)),
    ...warn('DownwardAPI', placesOf(downwardAPI?.items)),
    ...warn('Projected', (projected?.sources ?? []).flatMap(placesOfProjection)),
  ];
}

type Projection = NonNullable<NonNullable<Volume['projected']>['sources']>[number];

/** Returns the files of a projection; undefined in their place if it has no source. */
function placesOfProjection(projection: Projection): (Place | undefined)[] {
  if (Object.keys(projection).length === 0) return [undefined];
  const { configMap, secret, downwardAPI, serviceAccountToken: token } = projection;
  if (configMap?.items !== undefined) return placesOf(configMap.items, `ConfigMap ${goQuote(configMap.name ?? '')}`);
  if (secret?.items !== undefined) return placesOf(secret.items, `Secret ${goQuote(secret.name ?? '')}`);
  if (downwardAPI?.items !== undefined) return placesOf(downwardAPI.items, 'DownwardAPI');
  return token === undefined ? [] : placesOf([token], 'ServiceAccountToken');
}

function placesOf(items: readonly { path: string }[] | undefined, source = ''): Place[] {
  return (items ?? []).map(({ path }) => ({ path: path.replace(/\/+$/, ''), source }));
}

/** The files at a place of a volume, and the places below it. */
class Branch {
  readonly files: number[] = [];
  readonly #below = new Map<string, Branch>();

  /** Adds a file. Returns the earlier files that are at its place, above it or below it, in their order. */
  add(segments: readonly string[], file: number): number[] {
    const found: number[] = [];
    let branch: Branch = this;
    for (const segment of segments) {
      found.push(...branch.files);
      const next = branch.#below.get(segment) ?? new Branch();
      branch.#below.set(segment, next);
      branch = next;
    }
    for (const inner of branch.#all()) found.push(inner);
    branch.files.push(file);
    return found.sort((a, b) => a - b);
  }

  *#all(): Iterable<number> {
    const branches: Branch[] = [this];
    for (let branch = branches.pop(); branch !== undefined; branch = branches.pop()) {
      yield* branch.files;
      for (const below of branch.#below.values()) branches.push(below);
    }
  }
}

/** More than fit in a response. */
const overlapsMax = 1000;

/** Returns each pair of files of which one is at the place of the other or below it, and what is undefined. */
function overlaps(places: readonly (Place | undefined)[]): (string | undefined)[] {
  const shown = ({ path, source }: Place): string => (source === '' ? goQuote(path) : `${goQuote(path)} (${source})`);
  const pairs: (string | undefined)[] = [];
  const tree = new Branch();
  for (const [index, place] of places.entries()) {
    if (place === undefined) pairs.push(undefined);
    if (!place?.path) continue;
    for (const other of tree.add(place.path.split('/'), index)) {
      pairs.push(`${shown(place)} with ${shown(places[other] ?? place)}`);
    }
    if (pairs.length > overlapsMax) break;
  }
  return pairs;
}
