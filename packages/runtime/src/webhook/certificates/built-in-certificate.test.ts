import { X509Certificate } from 'node:crypto';
import { CertificateAuthority } from '@evenkeel/apimachinery/certificate';
import { type Random, SeededRandom } from '@evenkeel/core';
import type { CertificateTimingOptions } from '@evenkeel/core/certificates';
import { Secret } from '@evenkeel/kinds';
import { seed } from '../../../../../test/seed.fixture.ts';
import { CertificateCluster, secretKey } from './certificate-cluster.fixture.ts';
import { targets } from './certificate-world.fixture.ts';

const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 24 * 3_600_000];
/** How far an API server may lag behind: less than the trust delay. */
const lagMs = 4 * minute;
/** Years take too many steps with an interval of a minute. */
const years = { checkInterval: '2d' } as const;
/** While the API server does not respond, replicas retry about once a minute. */
const days = { authorityDuration: '12d', certificateDuration: '3d', checkInterval: '1h' } as const;

let cluster: CertificateCluster;

afterEach(() => cluster.close());

async function startCluster(
  timing: CertificateTimingOptions = years,
  random: Random = new SeededRandom(1),
  replicas = 2,
): Promise<void> {
  cluster = await CertificateCluster.create(random, timing, lagMs);
  for (const target of targets) await cluster.apply(target);
  for (let count = 0; count < replicas; count++) await cluster.start();
  await cluster.clock.advance(minute);
}

/** Checks that all is as it should be, without faults. */
async function expectCalm(): Promise<void> {
  const { records, damage } = await cluster.authorities();
  expect(damage).toBeUndefined();
  expect([...cluster.changed]).toEqual([]);
  const wanted = Buffer.from(records.map(({ certificatePem }) => certificatePem).join('')).toString('base64');
  for (const target of targets) {
    const bundles = await cluster.bundlesOf(target);
    expect(new Set(bundles)).toEqual(new Set([wanted]));
  }
  // All replicas sign with the newest one that has a key. A certificate that somebody has put into the Secret has none.
  const [newest, ...others] = records.filter(({ privateKeyPem }) => privateKeyPem !== undefined);
  expect(others).toEqual([]);
  const signer = new X509Certificate(newest?.certificatePem ?? '');
  for (const { served, certificate } of cluster.replicas) {
    expect(new X509Certificate(served ?? '').verify(signer.publicKey)).toBe(true);
    expect(certificate.problem).toBeUndefined();
  }
}

describe('BuiltInCertificate', () => {
  it('renews certificates and authorities for years, with two authorities at most', async () => {
    await startCluster();
    const authorities = new Set<string>();
    const leaves = new Set<string>();
    for (let month = 0; month < 24; month++) {
      await cluster.clock.advance(30 * day);
      const { records } = await cluster.authorities();
      expect(records.length).toBeLessThanOrEqual(2);
      for (const { id } of records) authorities.add(id);
      for (const { served = '' } of cluster.replicas) leaves.add(served);
    }
    // 2 years, and a rotation every 8 months.
    expect(authorities.size).toBe(3);
    // Each replica renews its own every 2 months, and at each rotation.
    expect(leaves.size).toBeGreaterThan(2 * 12);
    expect(cluster.checks).toBeGreaterThan(5000);
    await expectCalm();
  });

  it('never signs with an authority before all configurations have trusted it for the trust delay', async () => {
    await startCluster();
    const [before] = (await cluster.authorities()).records;
    await cluster.client.delete(Secret, secretKey);
    await cluster.clock.advance(4 * minute + 59 * second);
    const { records } = await cluster.authorities();
    expect(records.map(({ id, privateKeyPem }) => [id === before?.id, privateKeyPem !== undefined])).toEqual([
      [false, true],
      [true, true],
    ]);
    const signed = (pem: string | undefined, authority: string): boolean =>
      new X509Certificate(pem ?? '').verify(new X509Certificate(authority).publicKey);
    for (const { served } of cluster.replicas) expect(signed(served, before?.certificatePem ?? '')).toBe(true);
    // A replica that starts now uses the authority that all API servers know.
    const late = await cluster.start();
    await cluster.clock.advance(second / 2);
    expect(signed(late.served, before?.certificatePem ?? '')).toBe(true);
    await cluster.clock.advance(6 * minute);
    await expectCalm();
  });

  it('replaces an authority that is valid for longer than a new version of the operator declares, once', async () => {
    await startCluster(years, new SeededRandom(1), 1);
    const [old] = (await cluster.authorities()).records;
    // Replicas of both versions run at the same time during an update.
    const shorter = { ...years, authorityDuration: '60d', certificateDuration: '15d' } as const;
    await cluster.start(shorter);
    await cluster.clock.advance(day);
    const { records } = await cluster.authorities();
    expect(records.map(({ id, privateKeyPem }) => [id === old?.id, privateKeyPem !== undefined])).toEqual([
      [false, true],
      [true, false],
    ]);
    const [newest] = records;
    expect(((newest?.toMs ?? 0) - cluster.clock.now()) / day).toBeCloseTo(59, 0);
    await expectCalm();
    const [previous] = cluster.replicas;
    if (previous !== undefined) await cluster.crash(previous);
    await cluster.clock.advance(42 * day);
    expect((await cluster.authorities()).records.map(({ id }) => [newest?.id, old?.id].indexOf(id))).toEqual([
      -1, 0, 1,
    ]);
    const [{ served = '' } = {}] = cluster.replicas;
    const { validToDate } = new X509Certificate(served);
    expect(validToDate.getTime()).toBeLessThanOrEqual(cluster.clock.now() + 15 * day);
    await expectCalm();
  });

  it('recovers from a jump of the clock past the expiry of everything, and back', async () => {
    await startCluster();
    for (const jumpMs of [3 * 365 * day, -2 * 365 * day, 10 * 365 * day]) {
      cluster.isBroken = true;
      cluster.clock.jump(jumpMs);
      const [replica] = cluster.replicas;
      if (jumpMs > 0) expect(replica?.certificate.problem).toMatch(/^the certificate has expired: /);
      await cluster.clock.advance(2 * day + 10 * minute);
      cluster.isBroken = false;
      await cluster.clock.advance(day);
      expect(cluster.replicas.map(({ certificate }) => certificate.problem)).toEqual([undefined, undefined]);
      await expectCalm();
    }
  });

  it('renews its certificate from memory while the API server does not respond', async () => {
    await startCluster(days);
    const served = cluster.replicas.map((replica) => replica.served);
    for (const replica of cluster.replicas) cluster.partition(replica);
    await cluster.clock.advance(2 * day + hour);
    expect(cluster.replicas.every((replica, at) => replica.served !== served[at])).toBe(true);
    expect(cluster.replicas.map(({ certificate }) => certificate.problem)).toEqual([undefined, undefined]);
    for (const replica of cluster.replicas) replica.isPartitioned = false;
    await cluster.clock.advance(hour);
    await expectCalm();
  });

  it('does not rotate again and again if a program deletes the Secret again and again', async () => {
    await startCluster();
    for (let deletions = 0; deletions < 60; deletions++) {
      await cluster.client.delete(Secret, secretKey);
      await cluster.clock.advance(30 * second);
    }
    // 30 minutes, and at most one rotation in each trust delay.
    expect(cluster.lines.filter((line) => line.includes('added a webhook')).length).toBeLessThanOrEqual(8);
    await cluster.clock.advance(10 * minute);
    await expectCalm();
  });

  it('writes at a limited pace if another program overwrites what it writes', async () => {
    await startCluster();
    const [target] = targets;
    let overwritten = 0;
    for (let seconds = 0; seconds < 300; seconds++) {
      const [bundle] = (target && (await cluster.bundlesOf(target))) ?? [];
      if (target !== undefined && bundle !== '') {
        cluster.changed.add(target.kind);
        await cluster.overwrite(target, '');
        overwritten++;
      }
      await cluster.clock.advance(second / 5);
    }
    // A minute.
    expect(overwritten).toBeGreaterThan(20);
    expect(overwritten).toBeLessThan(2 * (60 + 20) + 10);
    await cluster.clock.advance(minute);
    await expectCalm();
  });

  it.each([1, 2, 3])(
    `keeps every certificate trusted in random interleavings of replicas with faults, round %i (seed ${seed})`,
    async (round) => {
      const random = new SeededRandom(seed * 10 + round);
      const pick = <T>(list: readonly T[]): T => list[random.integer(list.length)] as T;
      await startCluster(days, random, 3);
      const foreign = new CertificateAuthority('nginx-webhook-ca', cluster.clock.now()).certificatePem;
      const lose = (): void => {
        cluster.lostUntilMs = cluster.clock.monotonic() + hour;
      };
      const connected = () => cluster.replicas.filter(({ isPartitioned }) => !isPartitioned);
      const changeTarget = async (change: (target: (typeof targets)[number]) => Promise<unknown>): Promise<void> => {
        const target = pick(targets);
        cluster.changed.add(target.kind);
        await change(target);
      };
      const events: Readonly<Record<string, () => Promise<unknown>>> = {
        'a replica crashes': async () => {
          await cluster.crash(pick(cluster.replicas));
          await cluster.start();
        },
        'a replica is partitioned': async () => {
          if (connected().length > 1) cluster.partition(pick(connected()));
        },
        'the partitions heal': async () => {
          for (const replica of cluster.replicas) replica.isPartitioned = false;
        },
        'the Secret is deleted': async () => {
          lose();
          await cluster.client.delete(Secret, secretKey);
        },
        'the Secret is damaged': async () => {
          lose();
          const value = pick(['', 'Z2FyYmFnZQ==', Buffer.from(foreign).toString('base64'), null]);
          await cluster.client.patch(Secret, secretKey, { merge: { data: { [pick(['ca.crt', 'ca.key'])]: value } } });
        },
        'a caBundle is overwritten': () =>
          changeTarget((target) => cluster.overwrite(target, pick(['', Buffer.from(foreign).toString('base64')]))),
        'a target is created again': () =>
          changeTarget(async (target) => {
            await cluster.delete(target);
            await cluster.clock.advance(random.integer(hour));
            await cluster.apply(target);
          }),
        'time passes': async () => cluster.clock.advance(random.integer(day)),
      };
      let partitionedMs = 0;
      for (let step = 0; step < 30; step++) {
        cluster.faults = pick([0, 0.05, 0.3]);
        const event = pick(Object.keys(events));
        cluster.log(`--- ${event}, faults ${cluster.faults}`);
        const beganMs = cluster.clock.monotonic();
        await events[event]?.();
        await cluster.clock.advance(random.integer(pick([second, minute, 10 * minute])));
        partitionedMs = connected().length < 3 ? partitionedMs + cluster.clock.monotonic() - beganMs : 0;
        // An authority is replaced four days before its end.
        if (partitionedMs > 2 * day) await events['the partitions heal']?.();
        // Two mistakes of users at once can make calls fail.
        cluster.faults = 0;
        await cluster.clock.advance(cluster.changed.size > 0 || random.next() < 0.3 ? 10 * minute : second);
        expect([...cluster.changed]).toEqual([]);
      }
      await events['the partitions heal']?.();
      await cluster.clock.advance(2 * day);
      await expectCalm().catch((error: Error) => {
        throw new Error(`${error.message}\n${cluster.lines.slice(-60).join('\n')}`);
      });
      expect(cluster.checks).toBeGreaterThan(10_000);
    },
  );
});
