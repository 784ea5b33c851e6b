import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isJsonObject } from '@evenkeel/apimachinery/json';
import { fullName, type ImageReference } from '../registry/image-reference.ts';

/** The digests of the images that this project pushed or looked up, by their whole names. */
export type ImageRecord = ReadonlyMap<string, string>;

function pathIn(folder: string): string {
  return join(folder, '.evenkeel', 'images.json');
}

/**
 * Reads the record of a project. It is empty if there is no readable one.
 *
 * @param folder the folder of the project's package.json.
 */
export async function readImageRecord(folder: string): Promise<ImageRecord> {
  try {
    const value: unknown = JSON.parse(await readFile(pathIn(folder), 'utf8'));
    const entries = isJsonObject(value) ? Object.entries(value) : [];
    return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
  } catch {
    return new Map();
  }
}

/** Records the digest of an image in its registry. A project whose folder cannot be written has no record. */
export async function recordDigest(folder: string, image: ImageReference, digest: string): Promise<void> {
  const record = new Map([...(await readImageRecord(folder)), [fullName(image), digest]]);
  const sorted = Object.fromEntries([...record].sort(([left], [right]) => (left < right ? -1 : 1)));
  const path = pathIn(folder);
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, `${JSON.stringify(sorted, undefined, 2)}\n`);
  } catch {
    return;
  }
}
