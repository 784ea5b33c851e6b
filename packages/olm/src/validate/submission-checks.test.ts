import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleChecks, findingText, validateBundle } from '../index.ts';
import { baseBundle } from './recorded-verdicts.fixture.ts';

const csvFile = 'manifests/widgets.clusterserviceversion.yaml';

describe('validateBundle() of a bundle in a repository of OperatorHub', () => {
  let repository: string;
  beforeEach(() => {
    repository = mkdtempSync(join(tmpdir(), 'evenkeel-submissions-'));
  });
  afterEach(() => rmSync(repository, { recursive: true }));

  /** Copies the valid bundle, which has the version 0.2.0 and replaces 0.1.0. */
  function bundle(path: string, version = '0.2.0'): string {
    const folder = join(repository, path);
    cpSync(baseBundle, folder, { recursive: true });
    const file = join(folder, csvFile);
    const text = readFileSync(file, 'utf8').replaceAll(/(name: widgets\.v|version: )0\.2\.0/g, `$1${version}`);
    writeFileSync(
      file,
      text.replace(/\n {2}replaces: .*/, '').replace('\nspec:\n', '\nspec:\n  replaces: widgets.v0.1.0\n'),
    );
    return folder;
  }

  function ci(content: string): void {
    mkdirSync(join(repository, 'operators/widgets'), { recursive: true });
    writeFileSync(join(repository, 'operators/widgets/ci.yaml'), content);
  }

  async function findings(folder: string): Promise<string[]> {
    const { findings: all } = await validateBundle(folder);
    const own = all.filter(({ check }) => check.startsWith('submission-'));
    return own.map((finding) => `${finding.level} ${finding.check} ${findingText(finding)}`);
  }

  it('accepts the version that it replaces next to it', async () => {
    bundle('operators/widgets/0.1.0', '0.1.0');
    ci('updateGraph: replaces-mode\nreviewers: [jane]\n');
    expect(await findings(bundle('operators/widgets/0.2.0'))).toEqual([]);
  });

  it('reports a folder with another version, and an unknown bundle in replaces', async () => {
    expect(await findings(bundle('operators/widgets/v0.2.0'))).toEqual([
      expect.stringMatching(
        /^error submission-folder .*:\d+: spec\.version: it is 0\.2\.0, but the folder is v0\.2\.0; rename the folder to 0\.2\.0$/,
      ),
      expect.stringMatching(
        /^error submission-replaces-unknown .*:\d+: spec\.replaces: no bundle next to this one has the name widgets\.v0\.1\.0; correct/,
      ),
    ]);
  });

  it('does not need the replaced bundle if the versions make the graph', async () => {
    ci('updateGraph: semver-mode\n');
    expect(await findings(bundle('operators/widgets/0.2.0'))).toEqual([]);
  });

  it.each([
    [
      'reviewers: [jane]\nupdateGraph: semver\n',
      '2: updateGraph: "semver" is not a mode; use replaces-mode or semver-mode',
    ],
    ['updateGraph: [\n', '2: '],
  ])('reports an invalid ci.yaml: %j', async (content, message) => {
    bundle('operators/widgets/0.1.0', '0.1.0');
    ci(content);
    expect(await findings(bundle('operators/widgets/0.2.0'))).toEqual([
      expect.stringContaining(`error submission-ci-invalid ../ci.yaml:${message}`),
    ]);
  });

  it('checks nothing of this elsewhere', async () => {
    ci('updateGraph: semver\n');
    expect(await findings(bundle('widgets/v0.2.0'))).toEqual([]);
  });

  it('has a case for each check', () => {
    const ids = Object.keys(bundleChecks).filter((id) => id.startsWith('submission-'));
    expect(ids).toEqual(['submission-folder', 'submission-ci-invalid', 'submission-replaces-unknown']);
  });
});
