import type { ChannelEntry } from '../catalog/catalog.ts';
import { compareVersions, type SemanticVersion, versionText } from '../format/semantic-version.ts';

/** The kinds of channels of a semver template, the least stable first. */
export const archetypes = ['candidate', 'fast', 'stable'] as const;
export type Archetype = (typeof archetypes)[number];

/** A bundle of a template. */
export interface TemplateBundle {
  readonly name: string;
  readonly version: SemanticVersion;
}

export interface SemverOptions {
  readonly generateMajorChannels: boolean;
  readonly generateMinorChannels: boolean;
  readonly defaultChannelTypePreference: 'major' | 'minor';
}

export interface SemverChannels {
  readonly defaultChannel: string;
  /** Sorted by name. */
  readonly channels: readonly { readonly name: string; readonly entries: readonly ChannelEntry[] }[];
}

interface Candidate {
  readonly archetype: number;
  readonly version: SemanticVersion;
  readonly stream: 'major' | 'minor';
  readonly name: string;
}

/**
 * The channels of a semver template, such as `stable-v1` and `stable-v1.2`. The newest bundle of each minor version replaces that of the
 * minor version before it, and skips all older bundles of the major version. The default channel is the most stable one with the highest
 * version.
 *
 * Source: operator-registry v1.69.0 `alpha/template/semver/semver.go` (`generateChannels`, `linkChannels`).
 */
export function semverChannels(
  bundles: Readonly<Record<Archetype, readonly TemplateBundle[]>>,
  options: SemverOptions,
): SemverChannels {
  const channels = new Map<string, ChannelEntry[]>();
  let best: Candidate | undefined;
  for (const [archetype, prefix] of archetypes.entries()) {
    const sorted = bundles[prefix].toSorted((left, right) => compareVersions(left.version, right.version));
    for (const stream of ['major', 'minor'] as const) {
      if (!(stream === 'major' ? options.generateMajorChannels : options.generateMinorChannels)) continue;
      const rules = linked(sorted);
      for (const { name: bundle, version } of sorted) {
        const name = `${prefix}-v${version.major}${stream === 'major' ? '' : `.${version.minor}`}`;
        const candidate: Candidate = { archetype, version, stream, name };
        if (!channels.has(name) && isBetter(candidate, best, options)) best = candidate;
        channels.set(name, [...(channels.get(name) ?? []), { name: bundle, ...rules.get(bundle) }]);
      }
    }
  }
  const names = [...channels.keys()].sort();
  return {
    defaultChannel: best?.name ?? '',
    channels: names.map((name) => ({ name, entries: channels.get(name) ?? [] })),
  };
}

/** The rules of the newest bundle of each minor version. */
function linked(sorted: readonly TemplateBundle[]): Map<string, Pick<ChannelEntry, 'replaces' | 'skips'>> {
  const rules = new Map<string, Pick<ChannelEntry, 'replaces' | 'skips'>>();
  let older: string[] = [];
  let previous: string | undefined;
  for (const [index, { name, version }] of sorted.entries()) {
    const next = sorted[index + 1]?.version;
    const isLastOfMajor = next?.major !== version.major;
    if (isLastOfMajor || next.minor !== version.minor) {
      const skips = older.filter((each) => each !== previous).sort();
      rules.set(name, {
        ...(previous === undefined ? {} : { replaces: previous }),
        ...(skips.length === 0 ? {} : { skips }),
      });
      previous = name;
    }
    older.push(name);
    if (isLastOfMajor) [older, previous] = [[], undefined];
  }
  return rules;
}

function isBetter(candidate: Candidate, best: Candidate | undefined, options: SemverOptions): boolean {
  if (best === undefined || candidate.archetype !== best.archetype) return true;
  const order = compareVersions(candidate.version, best.version);
  if (order !== 0) return order > 0;
  return candidate.stream !== best.stream && candidate.stream === options.defaultChannelTypePreference;
}

/** Two versions that differ only in their builds, which cannot be ordered; undefined if there are none. */
export function unorderedVersions(bundles: readonly TemplateBundle[]): [TemplateBundle, TemplateBundle] | undefined {
  const seen = new Map<string, TemplateBundle>();
  for (const bundle of bundles) {
    const key = versionText({ ...bundle.version, build: [] });
    const other = seen.get(key);
    if (other !== undefined) return [other, bundle];
    seen.set(key, bundle);
  }
  return undefined;
}
