import { restyled, styleOf, templateStyle } from './code-style.ts';
import { SourceModule } from './source-module.ts';

const module = (text: string): SourceModule => new SourceModule('a.ts', text);

describe('styleOf()', () => {
  it('reads the style of a module', () => {
    const text = 'import {A} from "./a.js"\r\n\r\nexport const a = [\r\n\tA,\r\n\t"b"\r\n]\r\n';
    expect(styleOf([module(text)])).toEqual({
      newline: '\r\n',
      quote: '"',
      hasSemicolons: false,
      indentation: '\t',
      hasTrailingCommas: false,
      hasBraceBlanks: false,
      importEnding: '.js',
    });
  });

  it('takes what a module does not show from others, and then from the templates', () => {
    const others = [module('f("a");\n'), module("import { b } from './b';\ng('c')\n")];
    expect(styleOf([module('g(1)\n'), ...others])).toEqual({
      ...templateStyle,
      quote: '"',
      hasSemicolons: false,
      importEnding: '',
    });
    expect(styleOf([])).toEqual(templateStyle);
  });

  it('ignores quotes that the text needs, and the blanks of comments', () => {
    expect(styleOf([module("/**\n * a\n */\nf(\"it's\");\nif (a) {\n    f('b');\n}\n")])).toEqual({
      ...templateStyle,
      indentation: '    ',
    });
  });
});

describe('restyled()', () => {
  const template = `import { A } from './a.ts';
import { b } from 'b';

@A('x')
export class C {
  d!: string;
  e(): string {
    const f = /'/;
    g("it's", \`\${f};\`);
    return 'h';
  }
}
`;

  it('keeps a template in its own style', () => expect(restyled(template, templateStyle)).toBe(template));

  it('writes a template in another style', () => {
    const style = { ...templateStyle, quote: '"', hasSemicolons: false, indentation: '\t', importEnding: '' } as const;
    expect(restyled(template, { ...style, newline: '\r\n' })).toBe(
      `import { A } from "./a"
import { b } from "b"

@A("x")
export class C {
\td!: string
\te(): string {
\t\tconst f = /'/
\t\tg("it's", \`\${f};\`)
\t\treturn "h"
\t}
}
`.replaceAll('\n', '\r\n'),
    );
  });
});
