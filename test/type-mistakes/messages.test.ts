import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../imports.fixture.ts';

// The type check requires an error below each @ts-expect-error of the fixture. This test compares what the errors say. It compiles
// a copy without the directives, in a folder from which imports lead to the packages.
const folder = join(root, 'node_modules/.cache/evenkeel/type-mistakes');
const directive = /^( *)\/\/ @ts-expect-error (.+)$/gm;

it("the compiler's message for each mistake names the cause", () => {
  const source = readFileSync(join(import.meta.dirname, 'mistakes.fixture.ts'), 'utf8');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'mistakes.ts'), source.replace(directive, '$1// $2'));
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: join(root, 'tsconfig.check.json'),
      compilerOptions: { incremental: false, tsBuildInfoFile: null, noErrorTruncation: false, pretty: false },
      include: [],
      files: ['mistakes.ts'],
    }),
  );
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [compiler, '-p', folder], { cwd: folder, encoding: 'utf8' });
  const errors = stdout.split(/^(?=\S+\(\d+,\d+\): error )/m).flatMap((text) => {
    const [, line, message] = /^mistakes\.ts\((\d+),\d+\): error TS\d+: (.*)$/s.exec(text) ?? [];
    return line === undefined || message === undefined ? [] : [{ line: Number(line), message }];
  });
  const lines = source.split('\n');
  const expected = lines.flatMap((text, index) => {
    const [, , message] = new RegExp(directive.source).exec(text) ?? [];
    return message === undefined ? [] : [{ line: index + 2, message }];
  });
  expect(expected.length).toBeGreaterThan(25);
  expect(errors.map(({ line }) => line)).toEqual(expected.map(({ line }) => line));
  for (const [index, { line, message }] of expected.entries()) {
    const said = errors[index]?.message.replace(/\s+/g, ' ');
    expect({ line, said }).toEqual({ line, said: expect.stringContaining(message) });
  }
});
