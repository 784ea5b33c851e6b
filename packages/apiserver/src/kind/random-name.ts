import type { Random } from '@evenkeel/core';

/** Upstream's alphabet for generated names: no vowels, to avoid words, and no digits that look like letters. */
const alphabet = 'bcdfghjklmnpqrstvwxz2456789';
const suffixLength = 5;
const nameLengthMax = 63;

/** Generates a name from a `generateName`, as apiserver's `names.SimpleNameGenerator` does. */
export function generateName(base: string, random: Random): string {
  let suffix = '';
  for (let at = 0; at < suffixLength; at++) suffix += alphabet[random.integer(alphabet.length)];
  return `${base.slice(0, nameLengthMax - suffixLength)}${suffix}`;
}

/** Generates a version 4 UUID. */
export function randomUid(random: Random): string {
  const hex = (bits: number): string =>
    random
      .integer(2 ** bits)
      .toString(16)
      .padStart(bits / 4, '0');
  const variant = (8 + random.integer(4)).toString(16);
  return `${hex(32)}-${hex(16)}-4${hex(12)}-${variant}${hex(12)}-${hex(32)}${hex(16)}`;
}
