import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeBaseLayout } from '../packages/cli/src/image/node-base.fixture.ts';
import { ownPlatform } from '../packages/cli/src/image/platform.ts';
import { root } from '../test/imports.fixture.ts';
import { type Benchmark, type Figure, median } from './benchmark.ts';
import {
  column,
  megabytes,
  node,
  type Report,
  report,
  reports,
  run,
  timed,
  withEmbeddedServer,
} from './run-program.ts';

const definition = join(root, 'examples/nginx/config/crd/web.example.com_nginxes.yaml');

/** The times from the exec of Node on built output until each part is ready, and its memory then. */
export const start: Benchmark = {
  name: 'start',
  goal: 'the time from the exec of node until a server listens, an operator watches (as files, as one bundle) and the example converges',
  nonGoals: 'throughput, memory under load, anything after the first object',
  run: async (size) => {
    const runs = size === 'small' ? 1 : 7;
    const figures: Figure[] = [];
    const add = (measure: string, values: number[], unit: Figure['unit'], bar?: number): void => {
      figures.push({ measure, value: median(values), unit, ...(bar === undefined ? {} : { bar }) });
    };
    const repeat = <T>(once: () => T): T[] => Array.from({ length: runs }, once);

    add(
      'empty node, exec to exit',
      repeat(() => timed(node, ['-e', '0'])),
      'ms',
    );
    const listening = repeat(() => report(['bench/programs/listen.mjs']));
    add('embedded server listening over HTTPS', column(listening, 'listeningMs'), 'ms', 250);
    add('  its memory then', megabytes(listening), 'MB');
    const first = repeat(() => report(['bench/programs/first-object.mjs']));
    const imports = column(first, 'importMs');
    const objects = column(first, 'firstObjectMs');
    add(
      'in process: import, server, CRD and first object',
      imports.map((import_, i) => import_ + (objects[i] ?? 0)),
      'ms',
      120,
    );
    add('  without the import', objects, 'ms', 30);
    const empty = repeat(() => timed(node, jestOf('empty.mjs')));
    const tested = repeat(() => timed(node, jestOf('server.mjs')));
    add(
      'ten tests with a server and a CRD, over ten without, in Jest',
      tested.map((ms, i) => Math.max(1, ms - (empty[i] ?? 0))),
      'ms',
      400,
    );
    const operator = await operators(runs);
    add('operator alone, kubeconfig with a token: watching', column(operator.files, 'watchingMs'), 'ms', 300);
    add('  its memory then', megabytes(operator.files), 'MB', 105);
    add('the same as one bundled file: watching', column(operator.bundled, 'watchingMs'), 'ms', 150);
    add('  its memory then', megabytes(operator.bundled), 'MB', 85);
    add("  watching with Node's compile cache, filled by a run before", column(operator.cached, 'watchingMs'), 'ms');
    add("the example's image without its base", [await imageMegabytes()], 'MB', 3);
    const dev = ['packages/cli/bin/evenkeel.js', 'dev', '--config', 'examples/nginx/evenkeel.config.ts', '--once'];
    add(
      'example converged and exited: evenkeel dev --once',
      repeat(() => timed(node, [...dev, '--timeout', '5m'])),
      'ms',
      1500,
    );
    if (size === 'full')
      add(
        '  the whole npm start -- --once',
        repeat(() => timed('npm', ['start', '--', '--once'])),
        'ms',
      );
    return figures;
  },
};

/** The arguments that run one of the test files in a new process of Jest. */
function jestOf(file: string): string[] {
  const config = { testEnvironment: 'node', transform: {}, rootDir: join(root, 'bench/programs/test-files') };
  const jest = ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js'];
  return [...jest, '--config', JSON.stringify({ ...config, testRegex: [`/${file}$`] }), '--runInBand'];
}

/** The compressed size of the example's layer, which is the same on every base. */
async function imageMegabytes(): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), 'evenkeel-bench-'));
  try {
    await writeBaseLayout(join(directory, 'base'), { architectures: [ownPlatform().architecture] });
    const outputs = [
      '--outfile',
      join(directory, 'operator.mjs'),
      '--layout',
      join(directory, 'image'),
      '--output',
      'json',
    ];
    const options = ['--config', 'examples/nginx/evenkeel.config.ts', '--base', `oci:${join(directory, 'base')}`];
    const command = ['packages/cli/bin/evenkeel.js', 'build', 'examples/nginx/src/main.ts', ...options, ...outputs];
    const { image } = JSON.parse(run(node, command)) as { readonly image: { readonly layerBytes: number } };
    return image.layerBytes / 1e6;
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** One operator in three forms, in turn, so that all see the same conditions of the machine. */
async function operators(
  runs: number,
): Promise<{ readonly files: Report[]; readonly bundled: Report[]; readonly cached: Report[] }> {
  const directory = mkdtempSync(join(tmpdir(), 'evenkeel-bench-'));
  const file = join(directory, 'operator.mjs');
  const found = { files: [] as Report[], bundled: [] as Report[], cached: [] as Report[] };
  try {
    timed(node, ['packages/cli/bin/evenkeel.js', 'build', 'bench/programs/operator.mjs', '--outfile', file]);
    const cache = { NODE_COMPILE_CACHE: join(directory, 'compile-cache') };
    await withEmbeddedServer(definition, (kubeconfig) => {
      reports(node, [file, kubeconfig], cache);
      for (let run = 0; run < runs; run++) {
        found.files.push(report(['bench/programs/operator.mjs', kubeconfig]));
        found.bundled.push(report([file, kubeconfig]));
        found.cached.push(...reports(node, [file, kubeconfig], cache));
      }
    });
    return found;
  } finally {
    rmSync(directory, { recursive: true });
  }
}
