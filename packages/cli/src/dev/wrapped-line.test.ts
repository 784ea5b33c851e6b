import { type StyledText, wrappedLine } from './wrapped-line.ts';

const plain = (text: string): StyledText => ({ text, paint: (row) => row });
const quiet = (text: string): StyledText => ({ text, paint: (row) => (row === '' ? '' : `<${row}>`) });

describe('wrappedLine()', () => {
  it('breaks between words, and indents the rows after the first', () => {
    const text = 'default/web: Deployment web updated (status.replicas, status.ready) -> nothing to do';
    expect(wrappedLine([plain(text)], 4, 40)).toBe(
      'default/web: Deployment web updated\n    (status.replicas, status.ready) ->\n    nothing to do',
    );
  });

  it('keeps a line that fits, including its spaces', () => {
    expect(wrappedLine([plain('two  spaces'), quiet('  4 ms')], 4, 80)).toBe('two  spaces<  4 ms>');
  });

  it('paints each row of a part, and starts no row with a space', () => {
    expect(wrappedLine([plain(`${'a'.repeat(28)} b`), quiet('  again in 5 ms')], 0, 34)).toBe(
      `${'a'.repeat(28)} b\n<again in 5 ms>`,
    );
    expect(wrappedLine([quiet(`${'a'.repeat(28)} bbbbb`)], 0, 30)).toBe(`<${'a'.repeat(28)}>\n<bbbbb>`);
  });

  it('does not break a word, such as a path to copy', () => {
    const path = `/${'folder/'.repeat(20)}file`;
    expect(wrappedLine([plain(`see ${path} there`)], 2, 40)).toBe(`see\n  ${path}\n  there`);
  });

  it('counts two columns for wide characters, and none for marks', () => {
    expect(wrappedLine([plain(`${'日'.repeat(14)} x y`)], 0, 30)).toBe(`${'日'.repeat(14)} x\ny`);
    expect(wrappedLine([plain(`${'e\u0301'.repeat(28)} x y`)], 0, 30)).toBe(`${'e\u0301'.repeat(28)} x\ny`);
  });

  it('keeps every character of the text, whatever the width', () => {
    const text = 'Greeting retried -> failed: apply deployments.apps default/web: spec.replicas: Invalid value: -1';
    for (let columns = 0; columns < 120; columns++) {
      const rows = wrappedLine([plain(text), plain('  4 ms')], 21, columns).split('\n');
      expect(rows.join(' ').replaceAll(/ +/g, ' ')).toBe(`${text} 4 ms`);
      for (const row of rows.slice(1)) expect(row).toMatch(/^ {21}\S/);
    }
  });
});
