import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../test/imports.fixture.ts';
import { command } from './command.fixture.ts';
import { completedCommands } from './completion/completed-command.ts';
import { createdProject } from './create/created-project.fixture.ts';
import * as exitCodes from './exit-codes.ts';
import { Project } from './project.fixture.ts';
import type { CommandDocument } from './report/command-document.ts';
import { CommandTerminal } from './report/command-terminal.ts';
import { createProgram } from './run.ts';
import { createTerminal } from './terminal.ts';

const page = readFileSync(join(root, 'docs/cli.md'), 'utf8');

/** The cells of the table below a line, without the head. */
function table(head: string): string[][] {
  const [rows = ''] = /(?:^\|.*\n)+/m.exec(page.slice(page.indexOf(`\n${head}\n`))) ?? [];
  return rows
    .trim()
    .split('\n')
    .slice(2)
    .map((row) =>
      row
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

function codesIn(cell = ''): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
}

const documentedCodes = table('| exit code | meaning |').map(([code]) => Number(code));
const ownMembers = new Map(
  table('| command | members |').flatMap(([commands, members]) =>
    codesIn(commands).map((command) => [command, codesIn(members)] as const),
  ),
);
const commonMembers = table('| member | content |').flatMap(([cell]) => codesIn(cell));
const findingMembers = table('| member of a finding | content |').flatMap(([cell]) => codesIn(cell));

const streams = { folder: '/', out: () => undefined, err: () => undefined };
const terminal = new CommandTerminal(createTerminal(streams), () => false);
const program = createProgram(
  terminal,
  () => undefined,
  () => false,
);
/** Commands that do something themselves, although there are commands below them. */
const doesItself: readonly string[] = ['bundle', 'catalog'];
const paths = completedCommands(program)
  .filter(({ path, commands }) => (commands.length === 0 || doesItself.includes(path)) && !/\bhelp$/.test(path))
  .map(({ path }) => path);
const printsLines: readonly string[] = ['dev', 'run'];

/** Arguments with which commands succeed without a cluster, one after another in one project. */
const succeeding: Readonly<Record<string, readonly string[]>> = {
  init: ['../made', '--no-install', '--no-git'],
  'create api': ['Voucher'],
  'create version': ['Voucher', 'v1beta1'],
  'create webhook': ['Shop'],
  'create controller': ['--for', 'v1/ConfigMap'],
  'delete api': ['Voucher', '--force'],
  generate: [],
  build: [],
  completion: ['fish'],
};

/** Arguments with which commands fail that succeed in an empty folder. */
const failing: Readonly<Record<string, readonly string[]>> = { init: ['made', '--kind', 'x'], completion: ['tcsh'] };

/** Parses everything on stdout, which must be a document of the command. */
function documentOf(path: string, out: string): CommandDocument {
  const lines = out.split('\n');
  const document = JSON.parse(printsLines.includes(path) ? (lines.at(-1) ?? '') : out) as CommandDocument;
  expect(document).toMatchObject({ version: 1, command: path, ok: expect.any(Boolean), findings: expect.any(Array) });
  const members = ownMembers.get(path) ?? [];
  expect(Object.keys(document).filter((name) => ![...commonMembers, ...members].includes(name))).toEqual([]);
  for (const finding of document.findings) {
    expect(Object.keys(finding).filter((name) => !findingMembers.includes(name))).toEqual([]);
  }
  return document;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what is searched
const escapeSequence = /\u001b/;

describe('every command', () => {
  let project: Project;

  beforeAll(async () => {
    project = await Project.create({});
  });

  afterAll(() => project.remove());

  it('is in docs/cli.md, with every exit code', () => {
    expect([...ownMembers.keys()].toSorted()).toEqual(paths.toSorted());
    expect(documentedCodes).toEqual(Object.values(exitCodes).toSorted((left, right) => left - right));
    expect(paths.length).toBeGreaterThan(15);
  });

  it.each(paths)('%s explains itself with examples', async (path) => {
    const { exitCode, out, err } = await project.run(...path.split(' '), '--help');
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' });
    expect(out).toMatch(/^Usage: evenkeel /);
    expect(out).toMatch(new RegExp(`^Examples:\\n(?:.*\\n)*.* evenkeel ${path}\\b`, 'm'));
    expect(out).toContain('-o, --output <format>');
    const asJson = await project.run(...path.split(' '), '--help', '--output', 'json');
    expect({ exitCode: asJson.exitCode, ...documentOf(path, asJson.out) }).toMatchObject({ exitCode: 0, text: out });
  });

  it.each(paths)('%s reports an unknown option', async (path) => {
    const asText = await project.run(...path.split(' '), '--no-such-option');
    expect(asText).toMatchObject({ exitCode: 1, out: '' });
    expect(asText.err).toMatch(/^error: unknown option '--no-such-option'/);
    const { exitCode, out, err } = await project.run(...path.split(' '), '--no-such-option', '-o', 'json');
    expect({ exitCode, err }).toEqual({ exitCode: 1, err: '' });
    expect(documentOf(path, out)).toMatchObject({
      ok: false,
      findings: [{ level: 'error', code: 'invalid-option', message: expect.stringContaining('--no-such-option') }],
    });
  });

  it('reports a value of an option that takes none', async () => {
    const { exitCode, err } = await project.run('generate', '--check=yes');
    expect({ exitCode, err }).toEqual({
      exitCode: 1,
      err: "error: option '--check' takes no value; run 'evenkeel generate --help'",
    });
  });

  it.each(paths)('%s fails in an empty folder with one document, and without escape sequences', (path) => {
    const words = [...path.split(' '), ...(failing[path] ?? succeeding[path] ?? [])];
    const asJson = start(project.folder, ...words, '--output', 'json');
    expect({ exitCode: asJson.exitCode, err: asJson.err }).toEqual({ exitCode: 1, err: '' });
    const document = documentOf(path, asJson.out);
    expect(document.ok).toBe(false);
    const asText = start(project.folder, ...words);
    expect({ exitCode: asText.exitCode, out: asText.out }).toEqual({ exitCode: 1, out: '' });
    expect(asText.err).not.toMatch(escapeSequence);
    const codes = document.findings.map(({ code }) => code);
    expect(codes).toEqual([expect.any(String)]);
    if (codes[0] !== 'invalid-option') expect(asText.err).toContain(`[${codes[0]}]`);
  });

  it('succeeds with one document', async () => {
    expect(Object.keys(succeeding).filter((path) => !paths.includes(path))).toEqual([]);
    const created = await createdProject({}, false, 'shop');
    try {
      for (const [path, rest] of Object.entries(succeeding)) {
        const { exitCode, out } = start(created.folder, ...path.split(' '), ...rest, '--output', 'json');
        expect({ path, exitCode, out: exitCode === 0 ? '' : out }).toEqual({ path, exitCode: 0, out: '' });
        const document = documentOf(path, out);
        expect({ path, ok: document.ok }).toEqual({ path, ok: true });
        expect(Object.keys(document).length).toBeGreaterThan(4);
      }
    } finally {
      await created.remove();
    }
  });

  it('dev prints one line for each event, and the document last', async () => {
    const print = "console.log('printed by a module');\n";
    const created = await createdProject({ 'src/main.ts': print });
    try {
      await created.write({ 'src/operator.ts': `${print}${await created.read('src/operator.ts')}` });
      const { exitCode, out, err } = start(created.folder, 'dev', '--once', '--output', 'json');
      expect({ exitCode, ok: documentOf('dev', out).ok }).toEqual({ exitCode: 0, ok: true });
      const events = out
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as { elapsedMs: number; topic: string; text: string });
      expect(events.map(({ topic }) => topic)).toEqual(expect.arrayContaining(['server', 'manager', 'stopped']));
      expect(events.filter(({ elapsedMs, text }) => !Number.isInteger(elapsedMs) || text === '')).toEqual([]);
      expect(err).toBe('printed by a module');
    } finally {
      await created.remove();
    }
  });
});

/** Runs a command without a terminal, in an environment that says nothing about colours. */
function start(folder: string, ...words: string[]): { exitCode: number | null; out: string; err: string } {
  const { NO_COLOR: _no, FORCE_COLOR: _force, KUBECONFIG: _kubeconfig, ...inherited } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, [...command, ...words], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...inherited, TERM: 'xterm-256color', HOME: folder },
  });
  return { exitCode: status, out: stdout.trimEnd(), err: stderr.trimEnd() };
}
