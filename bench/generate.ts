import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Benchmark, type Figure, median } from './benchmark.ts';
import { kindModule } from './programs/kind-module.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const node = join(root, 'node_modules', '.bin', 'node');
const command = join(root, 'packages', 'cli', 'bin', 'evenkeel.js');

/** A project of many kinds: the time from the exec of Node to the last written file, and its parts. */
export const generate: Benchmark = {
  name: 'generate',
  goal: 'the time of "evenkeel generate" for 50 kinds of 40 fields, and for the nginx example with every file, from the exec of node on built output to its exit',
  nonGoals: 'the first run on a machine (empty disk cache), bundled or remote modules, thousands of kinds',
  run: async (size) => {
    const kinds = size === 'small' ? 5 : 50;
    const runs = size === 'small' ? 1 : 7;
    const folder = projectOf(kinds);
    try {
      const written: Run[] = [];
      for (let run = 0; run < runs; run++) {
        rmSync(join(folder, 'config'), { recursive: true, force: true });
        written.push(timedRun(folder));
      }
      const files = readdirSync(join(folder, 'config', 'crd')).length;
      if (files !== kinds) throw new Error(`${files} CRDs were written for ${kinds} kinds`);
      const current = Array.from({ length: runs }, () => timedRun(folder));
      const bars: Readonly<Record<string, number>> = size === 'full' ? { totalMs: 1500, sourceMs: 300 } : {};
      const figure = (measure: string, values: readonly number[], bar?: number): Figure => ({
        measure,
        value: median(values),
        unit: 'ms',
        ...(bar === undefined ? {} : { bar }),
      });
      return [
        figure(`${kinds} kinds, every file written: exec to exit`, column(written, 'totalMs'), bars['totalMs']),
        figure('  the loading process is ready', column(written, 'startMs')),
        figure('  modules compiled and run', column(written, 'loadMs')),
        figure('  source pass', column(written, 'sourceMs'), bars['sourceMs']),
        figure('  model, CRDs and their checks', column(written, 'schemaMs')),
        figure('  YAML', column(written, 'yamlMs')),
        figure('  compared and written', column(written, 'outputMs')),
        figure('nothing changed: exec to exit', column(current, 'totalMs')),
        figure(
          'the nginx example with its chart, every file written',
          ofExample(runs),
          size === 'full' ? 700 : undefined,
        ),
      ];
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};

/** The times for the nginx example with all of its files and a chart. */
function ofExample(runs: number): number[] {
  const example = join(root, 'examples/nginx');
  const folder = mkdtempSync(join(tmpdir(), 'evenkeel-bench-'));
  try {
    cpSync(join(example, 'src'), join(folder, 'src'), { recursive: true });
    mkdirSync(join(folder, 'samples'));
    copyFileSync(join(example, 'config/samples/nginx.yaml'), join(folder, 'samples/nginx.yaml'));
    const config = readFileSync(join(example, 'evenkeel.config.ts'), 'utf8')
      .replace('./config/samples/', './samples/')
      .replace('installer:', "chart: './chart', installer:");
    writeFileSync(join(folder, 'evenkeel.config.ts'), config);
    addPackages(folder);
    return Array.from({ length: runs }, () => {
      for (const output of ['config', 'chart', 'src/fields.ts']) {
        rmSync(join(folder, output), { recursive: true, force: true });
      }
      const { totalMs = Number.NaN } = timedRun(folder);
      if (!readdirSync(join(folder, 'chart')).includes('values.yaml')) throw new Error('no chart was written');
      return totalMs;
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

type Run = Readonly<Record<string, number>>;

/** A user's project outside of the repository, with the packages of the repository. */
function projectOf(kinds: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'evenkeel-bench-'));
  const names = Array.from({ length: kinds }, (_, index) => `Kind${String(index).padStart(2, '0')}`);
  mkdirSync(join(folder, 'src'));
  for (const name of names) writeFileSync(join(folder, 'src', `${name.toLowerCase()}.ts`), kindModule(name));
  const apis = names.map((name) => `./src/${name.toLowerCase()}.ts`);
  writeFileSync(join(folder, 'evenkeel.config.ts'), `export default { apis: ${JSON.stringify(apis)} };\n`);
  addPackages(folder);
  return folder;
}

function addPackages(folder: string): void {
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n');
  const compilerOptions = {
    module: 'nodenext',
    noEmit: true,
    allowImportingTsExtensions: true,
    experimentalDecorators: true,
    emitDecoratorMetadata: true,
  };
  writeFileSync(join(folder, 'tsconfig.json'), `// Checked too.\n${JSON.stringify({ compilerOptions })}\n`);
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
}

function timedRun(folder: string): Run {
  const started = performance.now();
  const result = spawnSync(node, [command, 'generate', '--output', 'json'], { cwd: folder, encoding: 'utf8' });
  const totalMs = performance.now() - started;
  if (result.status !== 0) throw new Error(`evenkeel generate failed:\n${result.stdout}${result.stderr}`);
  const { timings } = JSON.parse(result.stdout) as { timings: Run };
  return { ...timings, totalMs };
}

function column(runs: readonly Run[], name: string): number[] {
  return runs.map((run) => run[name] ?? Number.NaN);
}
