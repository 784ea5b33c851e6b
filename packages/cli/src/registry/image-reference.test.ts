import { parseChallenges } from './challenge.ts';
import { familiarName, fullName, parseImageReference } from './image-reference.ts';

const hex = 'a'.repeat(64);

describe('parseImageReference', () => {
  it.each([
    ['node:24', 'docker.io/library/node:24', 'node:24'],
    ['acme/sites', 'docker.io/acme/sites', 'acme/sites'],
    ['ghcr.io/acme/sites:1.0', 'ghcr.io/acme/sites:1.0', 'ghcr.io/acme/sites:1.0'],
    ['localhost:5000/sites', 'localhost:5000/sites', 'localhost:5000/sites'],
    ['localhost/sites', 'localhost/sites', 'localhost/sites'],
    ['[::1]:5000/sites:1', '[::1]:5000/sites:1', '[::1]:5000/sites:1'],
    [`node:24@sha256:${hex}`, `docker.io/library/node:24@sha256:${hex}`, `node:24@sha256:${hex}`],
  ])('reads %s as Docker does', (text, full, familiar) => {
    const reference = parseImageReference(text, '--image');
    expect(fullName(reference)).toBe(full);
    expect(familiarName(reference)).toBe(familiar);
  });

  it.each([
    '',
    'Sites:1.0',
    'a//b',
    'node:',
    'node@sha256:1',
    'node@',
    `a@sha256:${hex}@b`,
    'https://ghcr.io/a',
    'a b',
    '../a',
    `${'a'.repeat(600)}`,
  ])('rejects %j', (text) => {
    expect(() => parseImageReference(text, '--base')).toThrow(
      expect.objectContaining({ code: 'invalid-image-reference', message: expect.stringMatching(/^--base /) }),
    );
  });
});

describe('parseChallenges', () => {
  it('reads several challenges with quoted and plain parameters', () => {
    expect(parseChallenges('Basic realm="a, b=\\"c\\"", Bearer realm="https://a/t?x=1",service=s,error="e"')).toEqual([
      { scheme: 'basic', parameters: { realm: 'a, b="c"' } },
      { scheme: 'bearer', parameters: { realm: 'https://a/t?x=1', service: 's', error: 'e' } },
    ]);
  });

  it('reads hostile headers in linear time', () => {
    for (const text of ['a="'.repeat(3000), '\\'.repeat(9000), 'a = '.repeat(3000), `a="${'\\'.repeat(8000)}`])
      expect(parseChallenges(text).length).toBeLessThan(9000);
  });
});
