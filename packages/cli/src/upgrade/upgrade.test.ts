import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { packageJson, UpgradedProject } from './upgraded-project.fixture.ts';

let project: UpgradedProject;
afterEach(() => project.remove());

async function installed(files: Readonly<Record<string, string>> = {}): Promise<UpgradedProject> {
  project = await UpgradedProject.create(files);
  await project.install();
  return project;
}

/** Without packages, the versions are those in package.json. */
async function uninstalled(): Promise<UpgradedProject> {
  project = await UpgradedProject.create();
  return project;
}

/** The files of a project that an upgrade changes first. */
const filesOf = ({ lockfile }: UpgradedProject): readonly string[] => [project.read('package.json'), lockfile];

describe('evenkeel upgrade', () => {
  it('installs the latest version, keeps the format of package.json, and lets the new version do the rest', async () => {
    await installed();
    const { exitCode, out, err } = await project.run('upgrade');
    expect(err).toBe('upgrading evenkeel from 0.1.0 to 0.3.0: installing the packages with npm ...');
    expect(out).toBe(`package.json changed: evenkeel, @evenkeel/cli, @evenkeel/schema
evenkeel.config.ts changed: the option "old" is now "new"
--- a/package.json
+++ b/package.json
@@ -1,9 +1,9 @@
 {
   "name": "cache-operator",
   "private": true,
-  "dependencies": { "evenkeel": "^0.1.0", "other": "1.0.0" },
+  "dependencies": { "evenkeel": "^0.3.0", "other": "1.0.0" },
   "devDependencies": {
-\t"@evenkeel/cli": "~0.1.0",
-    "@evenkeel/schema":   "0.1.0"
+\t"@evenkeel/cli": "~0.3.0",
+    "@evenkeel/schema":   "0.3.0"
   }
 }
--- a/evenkeel.config.ts
+++ b/evenkeel.config.ts
@@ -1,1 +1,1 @@
-old
+new
config/kustomization.yaml written
what changed in 0.3.0:
  Changed: **Breaking:** \`old\` is \`new\`.
  Added: 2 (in node_modules/@evenkeel/cli/dist/CHANGELOG.md)
next: run your tests, and commit the changes`);
    expect(exitCode).toBe(0);
    expect(project.calls).toEqual([
      { version: '0.3.0', words: ['upgrade', '--from', '0.1.0', '--allow-dirty', '--output', 'json'] },
    ]);
    expect(project.lockfile).not.toContain('0.1.0');
    expect(await project.run('upgrade')).toEqual({
      exitCode: 1,
      out: '',
      err: 'error: uncommitted changes: package-lock.json, package.json; commit everything, so that git shows what the upgrade changes, or pass --allow-dirty [uncommitted-changes]',
    });
    project.commit();
    expect(await project.run('upgrade')).toEqual({
      exitCode: 0,
      out: 'the project has evenkeel 0.3.0 already',
      err: '',
    });
    expect(await project.run('upgrade', '0.1.0')).toMatchObject({
      exitCode: 1,
      err: expect.stringMatching(
        /^error: the project has evenkeel 0\.3\.0, which is newer than 0\.1\.0; .* \[framework-downgrade\]$/,
      ),
    });
    expect(project.calls).toHaveLength(1);
  });

  it('writes nothing with --dry-run, and prints only the diff to stdout', async () => {
    await installed();
    const before = filesOf(project);
    const { exitCode, out, err } = await project.run('upgrade', '--dry-run');
    expect(out).toMatch(/^--- a\/package\.json\n[\s\S]*\n--- a\/evenkeel\.config\.ts\n[\s\S]*\n\+new$/);
    expect(err).toContain('package.json would change: evenkeel, @evenkeel/cli, @evenkeel/schema\n');
    expect(exitCode).toBe(0);
    expect(filesOf(project)).toEqual(before);
    expect(project.calls).toEqual([
      { version: '0.3.0', words: ['upgrade', '--from', '0.1.0', '--allow-dirty', '--output', 'json', '--dry-run'] },
    ]);
  });

  it('prints one report as JSON', async () => {
    await installed();
    const { exitCode, out } = await project.run('upgrade', '--output', 'json');
    expect(JSON.parse(out)).toMatchObject({
      ...{ from: '0.1.0', to: '0.3.0', written: true, findings: [] },
      packages: [{ path: 'package.json', names: ['evenkeel', '@evenkeel/cli', '@evenkeel/schema'] }],
      changed: [{ path: 'evenkeel.config.ts' }],
      changelog: [{ version: '0.3.0' }],
    });
    expect(exitCode).toBe(0);
    project.commit();
    const failed = await project.run('upgrade', '9.9.9', '--output', 'json');
    expect(JSON.parse(failed.out)).toMatchObject({ ok: false, findings: [{ code: 'framework-version-unknown' }] });
    expect(failed.exitCode).toBe(1);
  });

  it('upgrades the packages of a workspace, and migrates each that has a configuration', async () => {
    const ofApi = '{ "name": "api", "version": "1.0.0", "peerDependencies": { "evenkeel": ">=0.1.0 <1" } }\n';
    await installed({
      'package.json':
        '{ "private": true, "workspaces": ["packages/*"], "devDependencies": { "@evenkeel/cli": "0.1.0" } }\n',
      'packages/operator/package.json':
        '{ "name": "operator", "dependencies": { "evenkeel": "0.1.0", "api": "1.0.0" } }\n',
      'packages/operator/evenkeel.config.ts': 'export default {};\n',
      'packages/api/package.json': ofApi,
    });
    renameSync(join(project.folder, 'evenkeel.config.ts'), join(project.folder, 'packages/other.ts'));
    project.commit();
    const { exitCode, out } = await project.run('upgrade');
    expect(out).toContain('packages/operator/package.json changed: evenkeel\n');
    expect(out).toContain('packages/operator/evenkeel.config.ts changed: the option "old" is now "new"\n');
    expect(exitCode).toBe(0);
    expect(project.read('packages/operator/package.json')).toContain('"evenkeel": "0.3.0"');
    // The range has several versions, and the new one is among them.
    expect(project.read('packages/api/package.json')).toBe(ofApi);
    expect(project.calls).toHaveLength(1);
  });

  it.each([
    ['changes no project of a workspace if one of them fails', 'broken', 1],
    ['checks all projects of a workspace before it changes the first one', 'export default {};', 0],
  ])('%s', async (_, second, exitCode) => {
    await installed({
      'package.json':
        '{ "private": true, "workspaces": ["packages/*"], "devDependencies": { "@evenkeel/cli": "0.1.0" } }\n',
      'packages/one/package.json': '{ "name": "one", "dependencies": { "evenkeel": "0.1.0" } }\n',
      'packages/one/evenkeel.config.ts': 'export default {};\n',
      'packages/two/package.json': '{ "name": "two", "dependencies": { "evenkeel": "0.1.0" } }\n',
      'packages/two/evenkeel.config.ts': second,
    });
    renameSync(join(project.folder, 'evenkeel.config.ts'), join(project.folder, 'packages/other.ts'));
    project.commit();
    expect(await project.run('upgrade')).toMatchObject({
      exitCode,
      ...(exitCode === 0 ? {} : { err: expect.stringContaining('evenkeel.config.ts: unexpected end; fix it; ') }),
    });
    const isDry = project.calls.map(({ words }) => words.includes('--dry-run'));
    expect(isDry).toEqual(exitCode === 0 ? [true, true, false, false] : [true, true]);
    expect(project.read('packages/one/package.json').includes('0.3.0')).toBe(exitCode === 0);
  });

  it.each([
    [
      'that the registry does not have',
      '0.9.0',
      /^error: the registry has no version "0\.9\.0" of @evenkeel\/cli; pass one of 0\.1\.0, 0\.2\.0, 0\.3\.0, or a tag \(latest\) \[framework-version-unknown\]$/,
    ],
    ['that is not a version', 'newest', /"newest" .* \[framework-version-unknown\]$/],
  ])('rejects a version %s', async (_, version, message) => {
    await uninstalled();
    const before = filesOf(project);
    expect(await project.run('upgrade', version)).toMatchObject({ exitCode: 1, err: expect.stringMatching(message) });
    expect(filesOf(project)).toEqual(before);
  });

  it.each([
    [401, /401 Unauthorized .*; run npm login, or set the token in \.npmrc \[registry-unauthorized\]$/],
    [403, /403 Forbidden .*; log in as another user, or ask for permission \[registry-forbidden\]$/],
    [404, /it has no package @evenkeel\/cli; .* \[framework-version-unknown\]$/],
    [500, /500 Internal Server Error .* \[registry-failed\]$/],
    [undefined, /; check the network, the proxy and npm config get registry \[registry-unreachable\]$/],
  ])('changes nothing if the registry responds with %p', async (status, message) => {
    await uninstalled();
    const before = filesOf(project);
    project.registry.instead = (_, response) => {
      if (status === undefined) response.destroy();
      else response.writeHead(status).end('{}');
      return true;
    };
    const { exitCode, err } = await project.run('upgrade');
    expect(err).toMatch(/^error: cannot read the versions of @evenkeel\/cli: /);
    expect(err).toMatch(message);
    expect(exitCode).toBe(1);
    expect(filesOf(project)).toEqual(before);
  });

  it('restores package.json and the lockfile if a package cannot be installed', async () => {
    await installed();
    const before = filesOf(project);
    project.registry.instead = (path, response) => {
      if (!path.endsWith('/-/0.3.0.tgz')) return false;
      response.writeHead(404).end();
      return true;
    };
    expect(await project.run('upgrade')).toMatchObject({
      exitCode: 1,
      err: expect.stringMatching(
        /\nerror: npm install failed, see above; package\.json and package-lock\.json are as before; run npm install to restore node_modules \[upgrade-failed\]$/,
      ),
    });
    expect(filesOf(project)).toEqual(before);
    expect(project.calls).toEqual([]);
  });

  it('restores them if the new version fails, and names a missing lockfile neither', async () => {
    await installed({ '.npmrc': 'package-lock=false\n' });
    const before = filesOf(project);
    expect(before[1]).toBe('');
    expect(await project.run('upgrade', '0.2.0')).toMatchObject({
      exitCode: 1,
      err: expect.stringMatching(
        /error: evenkeel 0\.2\.0 did not finish the upgrade of .*; see above; package\.json is as before; .* \[upgrade-failed\]$/,
      ),
    });
    expect(filesOf(project)).toEqual(before);
  });

  it('restores them if it is interrupted', async () => {
    await installed();
    const before = filesOf(project);
    const { promise: isRequested, resolve } = Promise.withResolvers<void>();
    project.registry.instead = (path) => {
      if (!path.endsWith('/-/0.3.0.tgz')) return false;
      resolve();
      return true;
    };
    const running = project.start('upgrade');
    await isRequested;
    expect(project.read('package.json')).toContain('0.3.0');
    running.interrupt();
    const { exitCode, err } = await running.ended;
    expect(err).toContain('error: the upgrade was interrupted; package.json and package-lock.json are as before; ');
    expect(exitCode).toBe(130);
    expect(filesOf(project)).toEqual(before);
  });

  it('rejects projects without the framework, with several versions of it, and with other sources of it', async () => {
    await uninstalled();
    const errors: string[] = [];
    for (const text of [
      packageJson.replaceAll(/"(@evenkeel\/|evenkeel)/g, '"other-$1'),
      packageJson.replace('"0.1.0"', '"file:../schema"'),
      '{ "dependencies": ',
    ]) {
      project.write({ 'package.json': text });
      errors.push((await project.run('upgrade', '--allow-dirty')).err);
    }
    project.write({ 'package.json': packageJson });
    project.write({ 'node_modules/@evenkeel/schema/package.json': '{ "version": "0.1.1" }' });
    errors.push((await project.run('upgrade', '--allow-dirty')).err);
    expect(errors).toEqual([
      'error: package.json: no dependency is a package of evenkeel; run the command in the folder of your project [framework-not-declared]',
      'error: package.json: "@evenkeel/schema": "file:../schema" is not a version; write the version of the other packages of evenkeel, such as "^0.1.0" [framework-versions-differ]',
      expect.stringMatching(/^error: package\.json: .*JSON.*; fix it first \[project-misconfigured\]$/),
      'error: the project has several versions of evenkeel: 0.1.0 of evenkeel (package.json), @evenkeel/cli (package.json); 0.1.1 of @evenkeel/schema (package.json); set the same version for all packages, install them, and run the command again [framework-versions-differ]',
    ]);
  });

  it('rejects a version before that is none, or newer than the installed one', async () => {
    await uninstalled();
    expect((await project.run('upgrade', '--from', 'old')).err).toContain('--from: "old" is not a version; ');
    expect((await project.run('upgrade', '0.2.0', '--from', '0.1.0')).err).toContain('pass only the version before');
    expect((await project.run('upgrade', '--from', '99.0.0')).err).toContain('[framework-downgrade]');
  });
});
