import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

/** Returns the digest of bytes as registries write it: `sha256:` and 64 hexadecimal digits. */
export function digestOf(bytes: Uint8Array | string): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

/** Returns the digest of a file. */
export async function digestOfFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return `sha256:${hash.digest('hex')}`;
}

/** The digits of a digest. A layout uses them as names of its files. */
export function hexOf(digest: string): string {
  return digest.slice('sha256:'.length);
}
