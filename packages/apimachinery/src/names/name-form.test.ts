import { isDns1123Label, isDns1123Subdomain, isQualifiedName } from './name-form.ts';
import { dns1035LabelErrors, dns1123LabelErrors, dns1123SubdomainErrors, labelKeyErrors } from './names.ts';

const texts = [
  ...[
    '',
    'a',
    'A',
    'a-b',
    '-a',
    'a-',
    'a.b',
    'a..b',
    '.a',
    '1a',
    'a_b',
    'a/b',
    'a.b/C_d',
    'a..b/c',
    'a/b/c',
    '/a',
    'a/',
    'é',
  ],
  ...[63, 64, 253, 254].map((length) => 'a'.repeat(length)),
  ...[`${'a.'.repeat(126)}a`, `${'a.'.repeat(126)}aa`, `${'a'.repeat(253)}/${'b'.repeat(63)}`, `a/${'b'.repeat(64)}`],
];

describe('the forms of names', () => {
  it.each([
    ['isDns1123Label', isDns1123Label, dns1123LabelErrors],
    ['isDns1123Subdomain', isDns1123Subdomain, dns1123SubdomainErrors],
    ['isQualifiedName', isQualifiedName, labelKeyErrors],
  ] as const)('%s accepts what has no errors', (_, has, errorsOf) => {
    expect(texts.filter((text) => has(text))).toEqual(texts.filter((text) => errorsOf(text).length === 0));
  });
});

describe('the errors of names', () => {
  it('count bytes, and call them as upstream does', () => {
    expect(dns1123LabelErrors('é'.repeat(32))[0]).toBe('must be no more than 63 characters');
    expect(dns1123LabelErrors('é'.repeat(32), 'bytes')[0]).toBe('must be no more than 63 bytes');
    expect(labelKeyErrors(`a/${'é'.repeat(32)}`)[0]).toBe('name part must be no more than 63 bytes');
  });

  it('require a letter at the start of an RFC 1035 label', () => {
    expect(dns1035LabelErrors('a1')).toEqual([]);
    expect(dns1035LabelErrors('1a')).toHaveLength(1);
  });
});
