import { parse } from 'yaml';
import { type DocumentEdit, EditError, editDocument } from './edit-document.ts';

const entry = { name: 'c', replaces: 'b', skips: ['x', 'w'] };
const append: DocumentEdit = { append: entry, path: ['entries'] };
const skip: DocumentEdit = { append: 'z', path: ['entries', 1, 'skips'] };
const setDefault: DocumentEdit = { set: 'fast', path: ['defaultChannel'] };

const value = { schema: 'olm.channel', entries: [{ name: 'a' }, { name: 'b', replaces: 'a' }] };

/** Documents with the same value in forms that people and tools write. */
const forms: Readonly<Record<string, string>> = {
  'block style': '# head\nschema: olm.channel\nentries:\n- name: a # first\n- name: b\n  replaces: a\n\n# end\n',
  'indented lists': 'schema: olm.channel\nentries:\n    - name: a\n    - name: b\n      # why\n      replaces: a\n',
  'keys after the list': 'entries:\n  -   name: a\n  -   name: b\n      replaces: "a"\nschema: olm.channel\n',
  'a flow list': 'schema: olm.channel\nentries: [{name: a}, {name: b, replaces: a}] # c\n',
  'a flow list in lines': 'schema: olm.channel\nentries: [\n  {name: a},\n  {name: b, replaces: a}\n]\n',
  'flow entries': "schema: 'olm.channel'\nentries:\n- {name: a}\n- {name: b, replaces: a}",
  'compact JSON': JSON.stringify(value),
  'JSON with two spaces': `${JSON.stringify(value, undefined, 2)}\n`,
  'JSON with four spaces': JSON.stringify(value, undefined, 4),
  'JSON with tabs': JSON.stringify(value, undefined, '\t'),
};

/** Whether a text contains the characters of another one in their order. */
function keeps(text: string, before: string): boolean {
  let at = 0;
  for (const character of before) {
    at = text.indexOf(character, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

describe('editDocument()', () => {
  it.each(Object.entries(forms))('appends to %s, and keeps all other bytes', (_, text) => {
    const added = editDocument(text, append);
    expect(parse(added)).toEqual({ ...value, entries: [...value.entries, entry] });
    expect(keeps(added, text)).toBe(true);
    const skipping = editDocument(added, skip);
    expect(parse(skipping)).toMatchObject({
      entries: [{ name: 'a' }, { name: 'b', replaces: 'a', skips: ['z'] }, entry],
    });
    expect(keeps(skipping, added)).toBe(true);
    const again = editDocument(skipping, { append: 'q', path: ['entries', 1, 'skips'] });
    expect(parse(again)).toMatchObject({ entries: [{}, { skips: ['z', 'q'] }, entry] });
    const named = editDocument(again, setDefault);
    expect(parse(named)).toMatchObject({ schema: 'olm.channel', defaultChannel: 'fast' });
    expect(parse(editDocument(named, { set: 'slow', path: ['defaultChannel'] }))).toMatchObject({
      defaultChannel: 'slow',
    });
  });

  it('writes lines like those around them', () => {
    expect(editDocument(forms['block style'] ?? '', append)).toBe(
      '# head\nschema: olm.channel\nentries:\n- name: a # first\n- name: b\n  replaces: a\n- name: c\n  replaces: b\n  skips:\n    - x\n    - w\n\n# end\n',
    );
    expect(
      editDocument(JSON.stringify({ entries: [{ name: 'a' }] }, undefined, 2), {
        append: { name: 'b' },
        path: ['entries'],
      }),
    ).toBe(JSON.stringify({ entries: [{ name: 'a' }, { name: 'b' }] }, undefined, 2));
  });

  it.each([
    ['an empty list', 'entries: []\n', { entries: [entry] }],
    ['null', 'a: 1\nentries:\nb: 2\n', { a: 1, entries: [entry], b: 2 }],
    ['no list', 'a: 1\n', { a: 1, entries: [entry] }],
    ['no list in JSON', '{\n  "a": 1\n}\n', { a: 1, entries: [entry] }],
    ['an empty list in JSON', '{"a": 1, "entries": []}', { a: 1, entries: [entry] }],
  ])('starts a list for %s', (_, text, expected) => {
    expect(parse(editDocument(text, append))).toEqual(expected);
  });

  it.each([
    ['text instead of a list', 'entries: text\n'],
    ['an alias', 'a: &a [{name: x}]\nentries: *a\n'],
    ['invalid YAML', 'entries: [\n'],
  ])('refuses %s', (_, text) => {
    expect(() => editDocument(text, append)).toThrow(EditError);
  });
});
