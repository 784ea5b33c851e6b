import { join } from 'node:path';
import { type Environment, PodRunner } from '@evenkeel/testing';
import { type Clock, SystemClock } from 'evenkeel';
import { Etcd, type ListedMember, type MemberReport } from './etcd.ts';
import { EtcdGateway } from './etcd-gateway.ts';
import { versionOf } from './member-pod.ts';

/** A host of a member, as in its URLs. */
const hostPattern = /[a-z0-9-]+\.[a-z0-9-]+-peers\.[a-z0-9-]+\.svc/g;

/** Does what curl does with the arguments of the container. */
const download = `
  const [url] = process.argv.slice(-1);
  const of = (flag) => process.argv.find((one) => one.startsWith(flag)).slice(flag.length);
  const response = await fetch(url, { headers: { authorization: of('--header=Authorization: ') } });
  if (!response.ok) throw new Error(url + ': ' + response.status);
  require('fs').writeFileSync(of('--output='), Buffer.from(await response.arrayBuffer()));`
  .replace(/^/, '(async () => {')
  .concat('})().catch((error) => { console.error(error); process.exitCode = 22; })');

/**
 * Real etcd processes as the members. This machine cannot resolve the names of pods, so each name has a fixed address of
 * 127.192.0.0/10, at which its member listens beside the address of its pod. Requests and arguments get the addresses instead of the
 * names, and responses the names. Only Linux has all these addresses.
 *
 * There is one etcd program. It reports the version of the image with which its pod was started, so that an upgrade restarts members as
 * it would with two programs.
 */
export class RealEtcd extends Etcd {
  readonly #addresses = new Map<string, string>();
  readonly #hosts = new Map<string, string>();
  /** The version in the image of the running process, by the name of the host. */
  readonly #versions = new Map<string, string>();
  readonly #gateway = new EtcdGateway((host) => this.addressOf(host));

  /** Runs the pods of all EtcdClusters of an environment with the programs of a folder, and etcdutl. */
  runPods(
    environment: Environment,
    programs: string,
    etcdutl: string | undefined,
    clock: Clock = new SystemClock(),
  ): Promise<PodRunner> {
    return PodRunner.start({
      environment,
      clock,
      select: { 'app.kubernetes.io/name': 'etcd' },
      run: (container, pod, { podIP }) => {
        const { hostname, subdomain } = pod.spec ?? {};
        const host = `${hostname}.${subdomain}.${pod.metadata.namespace}.svc`;
        const args = (container.args ?? []).map((one) =>
          one
            .replace('$(POD_IP):2380', `${this.addressOf(host)}:2380`)
            .replace('http://$(POD_IP):2379', `http://${podIP}:2379,http://${this.addressOf(host)}:2379`)
            .replace(hostPattern, (found) => this.addressOf(found)),
        );
        switch (container.name) {
          case 'download':
            return { command: [process.execPath, '-e', download, '--'], args };
          case 'restore':
            return etcdutl === undefined ? undefined : { command: [etcdutl], args };
          default:
            this.#versions.set(host, versionOf({ spec: { containers: [container] } } as never));
            // A killed process leaves its writes to the kernel, so only a crash of the machine would need fsync.
            return { command: [join(programs, 'etcd'), '--unsafe-no-fsync'], args };
        }
      },
    });
  }

  addressOf(host: string): string {
    const known = this.#addresses.get(host);
    if (known !== undefined) return known;
    const below = (count: number): number => Math.floor(Math.random() * count);
    const address = `127.${192 + below(63)}.${below(256)}.${1 + below(254)}`;
    this.#addresses.set(host, address);
    this.#hosts.set(address, host);
    return address;
  }

  async members(urls: readonly string[]): Promise<ListedMember[]> {
    const members = await this.#gateway.members(urls);
    return members.map((member) => ({ ...member, peerUrls: member.peerUrls.map((url) => this.#named(url)) }));
  }

  async report(url: string): Promise<MemberReport> {
    const report = await this.#gateway.report(url);
    return { ...report, version: this.#versions.get(new URL(url).hostname) ?? report.version };
  }

  addLearner(urls: readonly string[], peerUrl: string): Promise<void> {
    return this.#gateway.addLearner(
      urls,
      peerUrl.replace(hostPattern, (host) => this.addressOf(host)),
    );
  }

  promote(urls: readonly string[], id: string): Promise<boolean> {
    return this.#gateway.promote(urls, id);
  }

  remove(urls: readonly string[], id: string): Promise<void> {
    return this.#gateway.remove(urls, id);
  }

  moveLeader(leaderUrl: string, to: string): Promise<void> {
    return this.#gateway.moveLeader(leaderUrl, to);
  }

  snapshot(url: string): AsyncIterable<Uint8Array> {
    return this.#gateway.snapshot(url);
  }

  #named(url: string): string {
    const { hostname } = new URL(url);
    return url.replace(hostname, this.#hosts.get(hostname) ?? hostname);
  }
}
