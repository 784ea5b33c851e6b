import { nodeCrypto } from './node-crypto.ts';

/** Returns the SHA-512 of a document in upper-case hexadecimal, as upstream writes its entity tags. */
export function contentHash(document: string | Uint8Array): string {
  return nodeCrypto().createHash('sha512').update(document).digest('hex').toUpperCase();
}

/** The header `etag` of a document. */
export function entityTag(document: string | Uint8Array): string {
  return `"${contentHash(document)}"`;
}
