import { dns1123LabelErrors, dns1123SubdomainErrors, labelKeyErrors, nameRule, pathSegmentErrors } from './names.ts';

describe('names', () => {
  it('lets a generated name end where its suffix follows, and nowhere else', () => {
    const rule = nameRule(dns1123LabelErrors);
    expect(rule('web-', true)).toEqual([]);
    expect(rule('web-', false)).not.toEqual([]);
    expect(rule('Web-', true)).not.toEqual([]);
  });

  it('counts lengths', () => {
    expect(dns1123LabelErrors('a'.repeat(63))).toEqual([]);
    expect(dns1123LabelErrors('a'.repeat(64))).toEqual(['must be no more than 63 characters']);
    expect(dns1123SubdomainErrors('a'.repeat(254))).toEqual(['must be no more than 253 characters']);
    expect(labelKeyErrors(`example.com/${'a'.repeat(64)}`)).toEqual(['name part must be no more than 63 bytes']);
  });

  it('keeps names of roles out of paths', () => {
    expect(pathSegmentErrors('system:node')).toEqual([]);
    expect(pathSegmentErrors('a/b%c')).toEqual(["may not contain '/'", "may not contain '%'"]);
    expect(pathSegmentErrors('..')).toEqual(["may not be '..'"]);
  });

  it('takes no longer for long names', () => {
    const long = `${'a-'.repeat(200_000)}!`;
    expect(dns1123SubdomainErrors(long)).toHaveLength(2);
    expect(labelKeyErrors(long)).toHaveLength(2);
  });
});
