import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { DevSession } from '../dev-session.ts';
import type { Narrator } from '../narrator.ts';
import type { Reloader } from '../reload/reloader.ts';
import { dumpOf } from './cluster-dump.ts';
import type { Key } from './keyboard.ts';

export interface SessionKeysOptions {
  readonly session: DevSession;
  /** Undefined if the session does not reload. */
  readonly reloader: Reloader | undefined;
  readonly narrator: Narrator;
  /** The folder of the dump. */
  readonly stateFolder: string;
  /** Messages show file paths relative to this folder. */
  readonly folder: string;
  readonly quit: () => void;
}

/** The keys of a session. */
export function sessionKeys({ session, reloader, narrator, stateFolder, folder, quit }: SessionKeysOptions): Key[] {
  const isEmbedded = session.server.port !== undefined;
  const path = join(stateFolder, 'dump.yaml');
  const shown = relative(folder, path);
  const dump = async (): Promise<void> => {
    const { transport } = session.server;
    const groups = isEmbedded ? {} : { groups: session.groups };
    const { text, objects } = await dumpOf({ transport, ...groups });
    await mkdir(stateFolder, { recursive: true, mode: 0o700 });
    // Objects may contain more secrets than those of Secrets. An existing file would keep its mode.
    await rm(path, { force: true });
    await writeFile(path, text, { mode: 0o600, flag: 'wx' });
    narrator.report('dump', `${objects} objects in ${shown}, without the values of Secrets`);
  };
  return [
    ...(reloader === undefined
      ? []
      : [
          {
            name: 'r',
            description: 'load your code again, and reconcile all objects',
            run: () => reloader.reload('requested'),
          },
        ]),
    {
      name: 'd',
      description: `write ${isEmbedded ? 'all objects' : 'the objects of your kinds'} to ${shown}`,
      run: dump,
    },
    ...(reloader === undefined || !isEmbedded
      ? []
      : [
          {
            name: 'x',
            description: 'delete all objects of the server, and apply the samples again',
            question: 'Delete all objects of the embedded server?',
            run: () => reloader.reset(),
          },
        ]),
    { name: 'q', description: 'quit', run: quit },
  ];
}
