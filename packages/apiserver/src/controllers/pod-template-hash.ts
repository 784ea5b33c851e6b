import type { PodTemplateSpec } from '@evenkeel/kinds';
import { stringifyJson } from '../apimachinery/index.ts';

export const podTemplateHashLabel = 'pod-template-hash';

/** No vowels and no ambiguous characters, so that no words are formed (apimachinery's `rand`). */
const alphabet = 'bcdfghjklmnpqrstvwxz2456789';

/**
 * A short hash of a pod template; equal templates have equal hashes. Upstream hashes Go's printed form of the template,
 * which cannot be reproduced outside of Go. This is FNV-1a over the JSON with sorted keys.
 */
export function podTemplateHash(template: PodTemplateSpec, collisionCount: number): string {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(`${canonical(template)}${collisionCount === 0 ? '' : collisionCount}`)) {
    hash = Math.imul(hash ^ byte, 0x01000193);
  }
  return [...String(hash >>> 0)].map((digit) => alphabet[digit.charCodeAt(0) % alphabet.length]).join('');
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return stringifyJson(value) ?? '';
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`);
  return `{${members.join(',')}}`;
}
