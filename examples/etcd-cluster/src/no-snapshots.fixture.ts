import { provider } from 'evenkeel';
import { SnapshotAddress } from './snapshot-server.ts';

/** For clusters that are not restored. */
export const noSnapshots = provider({ provide: SnapshotAddress, useValue: new SnapshotAddress('http://snapshots:1') });
