import type { StructuralSchema } from '../evaluate/structural-schema.ts';
import { allowsAsciiOnly, matchesAsciiOnly } from './ascii-pattern.ts';

describe('matchesAsciiOnly()', () => {
  it.each(['^[a-z]+$', '^(?:a|b)*$', '^[\\x00-\\x7F]+$', '^\\d{1,3}\\.\\w$', '^[a^\\]]$', '^\\\\$'])(
    'returns true for %s',
    (pattern) => {
      expect(matchesAsciiOnly(pattern)).toBe(true);
    },
  );

  it.each([
    ...['a', '^a', 'a$', '^a\\$', '^a|b$', '^.$', '^[^a]$', '^é$', '^[a-é]$', '^\\W$', '^\\S$', '^[\\D]$', '^\\x80$'],
    ...['^\\x{E9}$', '^\\p{L}$', '^[\\x{0}-\\x{10FFFF}]$', '^(?i:k)$', '^(?s:a)$', '', '$', '^'],
  ])('returns false for %s', (pattern) => {
    expect(matchesAsciiOnly(pattern)).toBe(false);
  });
});

describe('allowsAsciiOnly()', () => {
  const allows = (schema: StructuralSchema) => allowsAsciiOnly(schema);

  it('needs one of the patterns of a schema', () => {
    expect(allows({ type: 'string' })).toBe(false);
    expect(allows({ type: 'string', pattern: '^[a-z]$' })).toBe(true);
    expect(allows({ type: 'string', pattern: '.', allOf: [{ pattern: 'x' }, { pattern: '^[a-z]$' }] })).toBe(true);
    expect(allows({ type: 'string', pattern: '.', not: { pattern: '^[a-z]$' } })).toBe(false);
  });
});
