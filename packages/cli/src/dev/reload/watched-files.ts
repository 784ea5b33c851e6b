import { createHash } from 'node:crypto';
import { type FSWatcher, readdirSync, readFileSync, statSync, watch } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Clock, Timer } from '@evenkeel/core';

export interface WatchedFilesOptions {
  readonly clock: Clock;
  /** Called with the paths of changed, new and deleted files. */
  readonly onChange: (paths: readonly string[]) => void;
  /** Watches a folder without its subfolders, and calls back for each event in it. Default: Node's `fs.watch`. */
  readonly watchFolder?: (folder: string, onEvent: () => void) => { close(): void };
}

/** What to watch. */
export interface Followed {
  readonly files: readonly string[];
  /** Whether a new or deleted module next to these files is a change too. */
  readonly isOpen: boolean;
}

/** How long nothing may happen before the files are compared. Editors and git write several files, some of them in parts. */
const quietMs = 15;
/** How long a file may be missing or empty. Some editors delete or truncate a file before they write it again. */
const missingMs = 150;
/** The maximum time until the files are compared, if their folders change all the time. */
const longestMs = 500;

/**
 * Watches files by their content: a file that is saved without a change, or is replaced by the same text, has not changed. Several
 * files that change together are one change.
 */
export class WatchedFiles {
  readonly #options: WatchedFilesOptions;
  /** The content of each file, by its path. */
  #contents = new Map<string, Content | undefined>();
  /** The modules in the folders, if new ones count. */
  #modules: ReadonlySet<string> | undefined;
  readonly #folders = new Map<string, { readonly inode: number; close(): void }>();
  #timer: Timer | undefined;
  #firstEventMs: number | undefined;
  #missingSinceMs: number | undefined;
  #isClosed = false;

  constructor(options: WatchedFilesOptions) {
    this.#options = options;
  }

  /** Watches these files instead of the current ones. Changes of files that stay are still noticed. */
  follow({ files, isOpen }: Followed): void {
    if (this.#isClosed) return;
    const before = this.#contents;
    this.#contents = new Map(files.map((file) => [file, before.has(file) ? before.get(file) : contentOf(file)]));
    this.#modules = isOpen ? (this.#modules ?? this.#modulesNow()) : undefined;
    this.#watchFolders();
  }

  /** The watched paths. */
  get files(): readonly string[] {
    return [...this.#contents.keys()];
  }

  close(): void {
    this.#isClosed = true;
    this.#timer?.cancel();
    for (const folder of this.#folders.values()) folder.close();
    this.#folders.clear();
  }

  #noteEvent(): void {
    if (this.#isClosed) return;
    const nowMs = this.#options.clock.monotonic();
    this.#firstEventMs ??= nowMs;
    const isLate = nowMs - this.#firstEventMs >= longestMs;
    if (!isLate || this.#timer === undefined) this.#compareAfter(quietMs);
  }

  #compareAfter(delayMs: number): void {
    this.#timer?.cancel();
    this.#timer = this.#options.clock.schedule(delayMs, () => this.#compare(), { unref: true });
  }

  #compare(): void {
    this.#timer = undefined;
    this.#firstEventMs = undefined;
    const now = new Map([...this.#contents].map(([file, before]) => [file, contentOf(file, before)]));
    const changed = [...now].flatMap(([file, content]) =>
      content?.hash === this.#contents.get(file)?.hash ? [] : file,
    );
    const nowMs = this.#options.clock.monotonic();
    const isMissing = changed.some((file) => (now.get(file)?.bytes ?? 0) === 0);
    this.#missingSinceMs = isMissing ? (this.#missingSinceMs ?? nowMs) : undefined;
    const waitMs = this.#missingSinceMs === undefined ? 0 : this.#missingSinceMs + missingMs - nowMs;
    if (waitMs > 0) {
      this.#compareAfter(waitMs);
      return;
    }
    this.#missingSinceMs = undefined;
    this.#contents = now;
    // A folder may have been deleted and created again.
    this.#watchFolders();
    const all = [...changed, ...this.#changedModules().filter((file) => !changed.includes(file))];
    if (all.length > 0) this.#options.onChange(all);
  }

  #changedModules(): string[] {
    const before = this.#modules;
    if (before === undefined) return [];
    const now = this.#modulesNow();
    this.#modules = now;
    return [...[...now].filter((file) => !before.has(file)), ...[...before].filter((file) => !now.has(file))];
  }

  #modulesNow(): ReadonlySet<string> {
    const folders = new Set([...this.#contents.keys()].map((file) => dirname(file)));
    return new Set([...folders].flatMap(modulesIn));
  }

  /** Watches the folder of each file, or the nearest folder above it that exists. */
  #watchFolders(): void {
    const wanted = new Map<string, number>();
    for (const file of this.#contents.keys()) {
      for (let at = dirname(file); ; at = dirname(at)) {
        const inode = statSync(at, { throwIfNoEntry: false })?.ino;
        if (inode !== undefined) wanted.set(at, inode);
        if (inode !== undefined || at === dirname(at)) break;
      }
    }
    for (const [folder, { inode, close }] of this.#folders) {
      if (wanted.get(folder) === inode) continue;
      close();
      this.#folders.delete(folder);
    }
    const { watchFolder = watchWithNode } = this.#options;
    for (const [folder, inode] of wanted) {
      if (this.#folders.has(folder)) continue;
      const watching = watchFolder(folder, () => this.#noteEvent());
      this.#folders.set(folder, { inode, close: () => watching.close() });
    }
  }
}

/** The content of a file, and what reveals that it may have changed. */
interface Content {
  readonly version: string;
  readonly hash: string;
  readonly bytes: number;
}

/** Returns undefined for a file that does not exist or cannot be read. Reads only a file that differs from `before`. */
function contentOf(file: string, before?: Content): Content | undefined {
  try {
    const { mtimeMs, ctimeMs, size, ino } = statSync(file);
    const version = `${mtimeMs} ${ctimeMs} ${size} ${ino}`;
    if (version === before?.version) return before;
    const bytes = readFileSync(file);
    return { version, hash: createHash('sha256').update(bytes).digest('base64'), bytes: bytes.length };
  } catch {
    return undefined;
  }
}

function modulesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => /\.m?[jt]s$/.test(name) && !/\.(?:d|test)\.m?[jt]s$/.test(name))
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}

function watchWithNode(folder: string, onEvent: () => void): { close(): void } {
  const watcher: FSWatcher = watch(folder, { persistent: false }, onEvent);
  // A deleted folder is watched again when it exists.
  watcher.on('error', onEvent);
  return watcher;
}
