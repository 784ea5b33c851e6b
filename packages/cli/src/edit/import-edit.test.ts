import { type CodeStyle, templateStyle } from './code-style.ts';
import { importAdded, importRemoved } from './import-edit.ts';
import { SourceModule } from './source-module.ts';
import { edited } from './text-edit.ts';

function added(text: string, specifier = './m.ts', style: Partial<CodeStyle> = {}): string {
  const module = new SourceModule('a.ts', text);
  return edited(text, importAdded(module, 'M', specifier, { ...templateStyle, ...style }));
}

function removed(text: string, name = 'M'): string {
  return edited(text, importRemoved(new SourceModule('a.ts', text), name));
}

const line = "import { M } from './m.ts';\n";

/** Modules without and with the import. */
const modules: [name: string, before: string, after: string][] = [
  ['behind a package', "import e from 'e';\n\nf();\n", `import e from 'e';\n${line}\nf();\n`],
  [
    'between sorted ones',
    "import { A } from './a.ts';\nimport { Z } from './z.ts';\n",
    `import { A } from './a.ts';\n${line}import { Z } from './z.ts';\n`,
  ],
  [
    'before a later one',
    "import e from 'e';\nimport { Z } from './z.ts';\n",
    `import e from 'e';\n${line}import { Z } from './z.ts';\n`,
  ],
  [
    'behind unsorted ones',
    "import { Z } from './z.ts';\nimport { A } from './a.ts'; // first\n\nf();\n",
    `import { Z } from './z.ts';\nimport { A } from './a.ts'; // first\n${line}\nf();\n`,
  ],
  [
    'behind an import with a comment above it',
    "// eslint-disable-next-line\nimport { Z } from './z.ts';\n",
    `// eslint-disable-next-line\nimport { Z } from './z.ts';\n${line}`,
  ],
  ['in a module without imports', 'f();\n', `${line}f();\n`],
  ['behind the comment of the file', '// Licence.\n\nf();\n', `// Licence.\n\n${line}f();\n`],
  [
    'behind a directive',
    "#!/usr/bin/env node\n'use strict';\nf();\n",
    `#!/usr/bin/env node\n'use strict';\n${line}f();\n`,
  ],
  ['beside names of the module', "import { A, Z } from './m.ts';\n", "import { A, M, Z } from './m.ts';\n"],
  ['in lines', "import {\n  A,\n  B,\n} from './m.ts';\n", "import {\n  A,\n  B,\n  M,\n} from './m.ts';\n"],
  ['beside types', "import type { A } from './m.ts';\n", `import type { A } from './m.ts';\n${line}`],
];

describe('importAdded()', () => {
  it.each(modules)('imports %s', (_name, before, after) => expect(added(before)).toBe(after));

  it('follows the style of the module', () => {
    const style = { quote: '"', hasSemicolons: false, hasBraceBlanks: false, newline: '\r\n' } as const;
    expect(added('import e from "e"\r\n', './m', style)).toBe('import e from "e"\r\nimport {M} from "./m"\r\n');
  });
});

describe('importRemoved()', () => {
  it.each(modules)('removes it %s', (_name, before, after) => expect(removed(after)).toBe(before));

  it('keeps a default import', () => {
    expect(removed("import e, { M } from './m.ts';\n")).toBe("import e, { } from './m.ts';\n");
  });

  it('changes nothing for an unknown name', () => expect(removed(line, 'N')).toBe(line));
});
