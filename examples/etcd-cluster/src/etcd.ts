/** One member, as etcd lists it. */
export interface ListedMember {
  /** A decimal number of 64 bits. */
  readonly id: string;
  /** Empty until the member has started for the first time. */
  readonly name: string;
  readonly peerUrls: readonly string[];
  /** A learner gets all data and does not vote. */
  readonly isLearner: boolean;
}

/** What one member says about itself. */
export interface MemberReport {
  readonly clusterId: string;
  readonly memberId: string;
  readonly isLearner: boolean;
  /** The ID of the leader. "0": the member knows none. */
  readonly leaderId: string;
  /** The version of its program. */
  readonly version: string;
  /** The version whose data all members can read, as `MAJOR.MINOR.0`. */
  readonly clusterVersion: string;
  readonly revision: string;
}

/**
 * The requests to etcd. A parameter `urls` has client URLs of members of one cluster; the first that responds is used.
 *
 * All methods reject if no member responds within a few seconds. Those that change members also reject if there is no quorum.
 */
export abstract class Etcd {
  /** Returns the members that a quorum agrees on. Rejects without a quorum. */
  abstract members(urls: readonly string[]): Promise<ListedMember[]>;
  /** Returns the report of the one member at this URL. */
  abstract report(url: string): Promise<MemberReport>;
  abstract addLearner(urls: readonly string[], peerUrl: string): Promise<void>;
  /** Makes a learner vote. Returns false if it has not yet got enough of the data. */
  abstract promote(urls: readonly string[], id: string): Promise<boolean>;
  /** Does nothing if there is no such member. */
  abstract remove(urls: readonly string[], id: string): Promise<void>;
  /** @param leaderUrl the client URL of the current leader. */
  abstract moveLeader(leaderUrl: string, to: string): Promise<void>;
  /** Returns the data of one member as a file that `etcdutl snapshot restore` reads. The iteration rejects if it is cut off. */
  abstract snapshot(url: string): AsyncIterable<Uint8Array>;
}
