import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { root } from '../test/imports.fixture.ts';
import { type Benchmark, medianFigure } from './benchmark.ts';
import { column, node, report, timed } from './run-program.ts';

const command = join(root, 'packages', 'cli', 'bin', 'evenkeel.js');

/** The validation of a catalog in one file, as `opm render` writes it. */
export const catalog: Benchmark = {
  name: 'catalog',
  goal: 'the time of "evenkeel catalog validate" for 500 bundles of 20 KB in YAML, from the exec of node on built output to its exit, and the memory of the validation',
  nonGoals: 'catalogs of JSON, which is faster; findings, whose lines take another reader',
  run: async (size) => {
    const bundles = size === 'small' ? 10 : 500;
    const runs = size === 'small' ? 1 : 7;
    const folder = mkdtempSync(join(tmpdir(), 'evenkeel-bench-catalog-'));
    try {
      writeFileSync(join(folder, 'catalog.yaml'), catalogOf(bundles));
      const times = Array.from({ length: runs }, () => timed(node, [command, 'catalog', 'validate', folder]));
      const reports = Array.from({ length: runs }, () => report(['bench/programs/validate-catalog.mjs', folder]));
      if (reports.some((each) => each['bundles'] !== bundles)) throw new Error('a bundle was not read');
      const [time, memory] = size === 'full' ? [2000, 300] : [];
      return [
        medianFigure(`${bundles} bundles: exec to exit`, times, 'ms', time),
        medianFigure('  memory', column(reports, 'residentMB'), 'MB', memory),
      ];
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};

function catalogOf(bundles: number): string {
  const names = Array.from({ length: bundles }, (_, index) => `widgets.v1.${index}.0`);
  const entries = names.map((name, index) => ({ name, ...(index === 0 ? {} : { replaces: names[index - 1] }) }));
  const documents = [
    { schema: 'olm.package', name: 'widgets', defaultChannel: 'stable', description: 'Makes widgets.' },
    { schema: 'olm.channel', name: 'stable', package: 'widgets', entries },
    ...names.map((name, index) => bundleOf(name, `1.${index}.0`)),
  ];
  return documents.map((each) => `---\n${stringify(each, { version: '1.1' })}`).join('');
}

function bundleOf(name: string, version: string): object {
  const described = Array.from({ length: 4 }, (_, kind) => ({
    name: `widget${kind}s.acme.example`,
    kind: `Widget${kind}`,
    version: 'v1',
    description: 'A widget that the operator makes, with a description of some length. '.repeat(3),
    specDescriptors: Array.from({ length: 12 }, (__, at) => ({
      path: `part${at}.size`,
      displayName: `Size of part ${at}`,
      description: 'What the part looks like, and why it matters for widgets. '.repeat(2),
      'x-descriptors': ['urn:alm:descriptor:com.tectonic.ui:number'],
    })),
  }));
  const metadata = {
    annotations: { capabilities: 'Basic Install', 'alm-examples': JSON.stringify([{ kind: 'Widget' }]) },
    crdDescriptions: { owned: described },
    description: '# Widgets\n\nA paragraph about widgets that is long enough to matter.\n'.repeat(40),
    displayName: 'Widgets',
  };
  return {
    schema: 'olm.bundle',
    name,
    package: 'widgets',
    image: `quay.io/acme/widgets-bundle@sha256:${'0'.repeat(64)}`,
    properties: [
      { type: 'olm.package', value: { packageName: 'widgets', version } },
      { type: 'olm.csv.metadata', value: metadata },
    ],
  };
}
