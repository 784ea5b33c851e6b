import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../test/imports.fixture.ts';
import { type Benchmark, type Figure, median } from './benchmark.ts';
import { DevProcess } from './dev-process.ts';
import { kindModule } from './programs/kind-module.ts';

/** The time until changed code reconciles, while `evenkeel dev` keeps its server. */
export const reload: Benchmark = {
  name: 'reload',
  goal: 'the time from closing a saved file to the end of the first reconcile by new code, for controllers of 40 fields each',
  nonGoals:
    'the start of a session, projects that import many packages, file systems without events, saves in quick succession',
  run: async (size) => {
    const kinds = size === 'small' ? 2 : 10;
    const runs = size === 'small' ? 2 : 20;
    const folder = projectOf(kinds);
    const session = new DevProcess(folder);
    try {
      await session.prints(/It runs until Ctrl-C/);
      const edit = async (file: string, change: (text: string, run: number) => string): Promise<number[]> => {
        const times: number[] = [];
        for (let run = 0; run < runs; run++) {
          // The spare process of the next reload is ready when the machine is idle again.
          await session.untilIdle();
          const path = join(folder, 'src', file);
          const text = change(readFileSync(path, 'utf8'), run);
          const started = performance.now();
          writeFileSync(path, text);
          times.push((await session.prints(/reload +.*the new code runs[\s\S]*?reconcile +\S+ .*\n/)) - started);
        }
        return times;
      };
      const ofController = await edit('kind00-controller.ts', (text, run) =>
        text.replace(/'Run\d*'/, `'Run${run + 1}'`),
      );
      const ofKind = await edit('kind00.ts', (text, run) => `${text}// ${run}\n`);
      return [
        ...figures(`${kinds} controllers, one of them edited`, ofController, size === 'full' ? 300 : undefined),
        ...figures(`${kinds} controllers, a class of the API edited`, ofKind),
      ];
    } finally {
      await session.stop();
      rmSync(folder, { recursive: true });
    }
  },
};

function figures(measure: string, times: readonly number[], bar?: number): Figure[] {
  const sorted = times.toSorted((left, right) => left - right);
  const slow = sorted[Math.ceil(sorted.length * 0.95) - 1] ?? Number.NaN;
  return [
    { measure: `${measure}: p50`, value: median(times), unit: 'ms', ...(bar === undefined ? {} : { bar }) },
    { measure: '  p95', value: slow, unit: 'ms' },
  ];
}

/** A project outside of the repository with the packages of the repository: a kind, a controller and a sample for each name. */
function projectOf(kinds: number): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'evenkeel-bench-')));
  const names = Array.from({ length: kinds }, (_, index) => `Kind${String(index).padStart(2, '0')}`);
  mkdirSync(join(folder, 'src'));
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  for (const name of names) {
    write(`src/${name.toLowerCase()}.ts`, kindModule(name));
    write(`src/${name.toLowerCase()}-controller.ts`, controllerModule(name));
  }
  const imports = names.map((name) => `import { ${name}Controller } from './${name.toLowerCase()}-controller.ts';`);
  const controllers = names.map((name) => `${name}Controller`).join(', ');
  write(
    'src/operator.ts',
    `import { defineOperator } from 'evenkeel';\n${imports.join('\n')}\nexport const operator = defineOperator({ name: 'bench', controllers: [${controllers}] });\n`,
  );
  const apis = names.map((name) => `./src/${name.toLowerCase()}.ts`);
  const config = { apis, operator: './src/operator.ts', samples: ['./samples.yaml'] };
  write('evenkeel.config.ts', `export default ${JSON.stringify(config)};\n`);
  write('samples.yaml', names.map(sample).join('---\n'));
  write('package.json', '{ "type": "module" }\n');
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

function controllerModule(kind: string): string {
  return `import { Controller, Reconcile, ReconcileContext } from 'evenkeel';
import { ${kind} } from './${kind.toLowerCase()}.ts';

@Controller(${kind})
export class ${kind}Controller {
  @Reconcile()
  async reconcile(_object: ${kind}, context: ReconcileContext): Promise<void> {
    context.conditions.set('Ready', true, 'Run');
  }
}
`;
}

function sample(kind: string): string {
  return `apiVersion: bench.example.com/v1alpha1\nkind: ${kind}\nmetadata: { name: one }\nspec: {}\n`;
}
