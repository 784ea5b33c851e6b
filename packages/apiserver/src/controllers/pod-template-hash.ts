import type { PodTemplateSpec } from '@evenkeel/kinds';

export const podTemplateHashLabel = 'pod-template-hash';

/** No vowels and nothing that looks like another character, so that no word comes out (apimachinery's `rand`). */
const alphabet = 'bcdfghjklmnpqrstvwxz2456789';

/**
 * A short name for a pod template: equal templates have equal ones. Upstream hashes Go's printed form of the template,
 * which nothing outside of Go can repeat; ours is FNV-1a over its JSON with sorted keys.
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
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? '';
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`);
  return `{${members.join(',')}}`;
}
