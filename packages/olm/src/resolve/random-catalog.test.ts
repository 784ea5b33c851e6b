import { SeededRandom } from '@evenkeel/core';
import { seed } from '../../../../test/seed.fixture.ts';
import type { CatalogChannel, ChannelEntry } from '../catalog/catalog.ts';
import { graphOf, versionsOf } from '../catalog/upgrade-graph.ts';
import { parseVersion } from '../format/semantic-version.ts';
import type { InstalledBundle } from './installed-bundle.ts';
import { catalogOf, randomChannel } from './random-catalog.fixture.ts';
import { resolveExtension } from './resolve-extension.ts';
import { resolveSubscription } from './resolve-subscription.ts';

const rounds = 150;

const versions = ['0.9.0', '1.0.0', '1.0.1', '1.1.0', '1.1.1', '1.2.0', '2.0.0', '2.1.0'];
const order = (name: string): number => versions.indexOf(name.replace('p.v', ''));

/** Whether an entry upgrades from a bundle, from the text of its fields alone. */
function isUpgrade({ replaces, skips = [], skipRange }: ChannelEntry, from: string): boolean {
  if (replaces === from || skips.includes(from)) return true;
  const [, least, end] = /^>=(\S+) <(\S+)$/.exec(skipRange ?? '') ?? [];
  return least !== undefined && end !== undefined && order(from) >= order(least) && order(from) < order(end);
}

function edge(channels: readonly CatalogChannel[], from: string, to: string): boolean {
  const entries = channels.flatMap(({ entries: all = [] }) => all);
  return entries.some((entry) => entry.name === to && isUpgrade(entry, from));
}

function installedAs(name: string): InstalledBundle {
  const version = parseVersion(name.replace('p.v', ''));
  if (version === undefined) throw new Error(name);
  return { name, version };
}

function headOf({ entries = [] }: CatalogChannel): string | undefined {
  const heads = entries.filter(({ name }) =>
    entries.every(({ replaces, skips = [] }) => replaces !== name && !skips.includes(name ?? '')),
  );
  return heads.length === 1 ? heads[0]?.name : undefined;
}

describe(`the resolvers with ${rounds} random catalogs and seed ${seed}`, () => {
  const random = new SeededRandom(seed);
  const next = (): number => random.next();

  it('OLM v0 reaches the head of a valid channel from every entry, by upgrades of the channel alone', () => {
    const seen = { steps: 0, ranges: 0 };
    for (let round = 0; round < rounds; round++) {
      const channel = randomChannel('stable', versions, next);
      const graph = graphOf(channel.entries ?? [], versionsOf(catalogOf([channel], versions), 'p'));
      const head = headOf(channel);
      expect([resolveSubscription(graph), graph.stranded, graph.cycle]).toEqual([head, [], undefined]);
      for (const { name: start = '' } of channel.entries ?? []) {
        expect(resolveSubscription(graph, { startingCsv: start })).toBe(start);
        let current = start;
        for (let name: string | undefined = start; name !== undefined; ) {
          name = resolveSubscription(graph, { installed: installedAs(current), startingCsv: start });
          if (name === undefined) break;
          expect({ channel, from: current, to: name, isEdge: edge([channel], current, name) }).toMatchObject({
            isEdge: true,
          });
          expect(order(name)).toBeGreaterThan(order(current));
          const chosen = channel.entries?.find((entry) => entry.name === name);
          if (chosen?.replaces !== current && chosen?.skips?.includes(current) !== true) seen.ranges++;
          seen.steps++;
          current = name;
        }
        expect({ channel, start, end: current }).toMatchObject({ end: head });
      }
    }
    expect(seen.steps).toBeGreaterThan(rounds);
    expect(seen.ranges).toBeGreaterThan(0);
  });

  it('OLM v0 never makes an upgrade that a broken channel does not contain', () => {
    const seen = { nothing: 0, upgrades: 0 };
    for (let round = 0; round < rounds; round++) {
      const entries = (randomChannel('stable', versions, next).entries ?? []).map((entry) => ({
        ...entry,
        ...(next() < 0.3 ? { replaces: `p.v${versions[Math.floor(next() * versions.length)]}` } : {}),
      }));
      const channel: CatalogChannel = { name: 'stable', package: 'p', entries };
      const graph = graphOf(entries, versionsOf(catalogOf([channel], versions), 'p'));
      for (const version of versions) {
        const from = `p.v${version}`;
        const to = resolveSubscription(graph, { installed: installedAs(from) });
        if (to === undefined) seen.nothing++;
        else {
          seen.upgrades++;
          expect({ channel, from, to, isEdge: edge([channel], from, to) }).toMatchObject({ isEdge: true });
          expect(headOf(channel)).toBeDefined();
        }
      }
    }
    expect(Math.min(seen.nothing, seen.upgrades)).toBeGreaterThan(rounds);
  });

  it('OLM v1 installs exactly the pinned versions that the channels allow', () => {
    const seen = { reached: 0, refused: 0 };
    for (let round = 0; round < rounds; round++) {
      const channels = [randomChannel('stable', versions, next), randomChannel('fast', versions, next)];
      const catalog = catalogOf(channels, versions);
      const listed = new Set(channels.flatMap(({ entries = [] }) => entries.map(({ name = '' }) => name)));
      for (const from of [undefined, ...listed]) {
        for (const target of versions) {
          const to = `p.v${target}`;
          const installed = from === undefined ? {} : { installed: installedAs(from) };
          const request = { packageName: 'p', version: target, ...installed };
          const isAllowed = listed.has(to) && (from === undefined || from === to || edge(channels, from, to));
          const resolved = resolveExtension(catalog, request);
          expect({ channels, from, to, resolved }).toMatchObject({ resolved: isAllowed ? to : undefined });
          const certified = resolveExtension(catalog, { ...request, upgradeConstraintPolicy: 'SelfCertified' });
          expect(certified).toBe(listed.has(to) ? to : undefined);
          seen[isAllowed ? 'reached' : 'refused']++;
        }
      }
    }
    expect(Math.min(seen.reached, seen.refused)).toBeGreaterThan(rounds);
  });
});

interface RequestCase {
  readonly installed?: string;
  readonly channels?: readonly string[];
  readonly version?: string;
}

describe('resolveExtension()', () => {
  const stable: CatalogChannel = {
    name: 'stable',
    package: 'p',
    entries: [
      { name: 'p.v1.0.0' },
      { name: 'p.v1.1.0', replaces: 'p.v1.0.0' },
      { name: 'p.v2.0.0', replaces: 'p.v1.1.0' },
    ],
  };
  const fast: CatalogChannel = {
    name: 'fast',
    package: 'p',
    entries: [{ name: 'p.v2.1.0', skipRange: '>=1.0.0 <2.1.0' }],
  };
  const all = ['1.0.0', '1.1.0', '2.0.0', '2.1.0'];
  const catalog = catalogOf([stable, fast], all);

  it.each([
    ['the highest version', {}, 'p.v2.1.0'],
    ['the highest version of a channel', { channels: ['stable'] }, 'p.v2.0.0'],
    ['the highest version of a range', { version: '1.x' }, 'p.v1.1.0'],
    ['an upgrade by a skipRange', { installed: 'p.v1.0.0' }, 'p.v2.1.0'],
    ['an upgrade inside of a range', { installed: 'p.v1.0.0', version: '^1.0.0' }, 'p.v1.1.0'],
    ['the installed version if no upgrade is allowed', { installed: 'p.v1.0.0', version: '<=1.0.0' }, 'p.v1.0.0'],
    [
      'nothing for a version that only a second upgrade reaches',
      { installed: 'p.v1.0.0', version: '2.0.0' },
      undefined,
    ],
    ['nothing for a downgrade', { installed: 'p.v2.0.0', version: '1.1.0' }, undefined],
    ['nothing for an invalid range', { version: 'newest' }, undefined],
    ['nothing for an unknown channel', { channels: ['alpha'] }, undefined],
  ])('returns %s', (_, { installed, ...request }: RequestCase, expected) => {
    const before = installed === undefined ? {} : { installed: installedAs(installed) };
    expect(resolveExtension(catalog, { packageName: 'p', ...request, ...before })).toBe(expected);
  });

  it('prefers bundles that are not deprecated', () => {
    const old = catalogOf([stable], all, ['p.v2.0.0']);
    expect(resolveExtension(old, { packageName: 'p' })).toBe('p.v1.1.0');
    expect(resolveExtension(old, { packageName: 'p', version: '2.x' })).toBe('p.v2.0.0');
    expect(resolveExtension(old, { packageName: 'p', installed: installedAs('p.v1.1.0') })).toBe('p.v1.1.0');
  });
});
