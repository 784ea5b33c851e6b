import { Project } from '../project.fixture.ts';
import { createTerminal } from '../terminal.ts';
import { releaseNotes } from './changelog.ts';
import { codemods } from './codemods.ts';
import { codemodsBetween, migrateProject } from './migrate-project.ts';
import type { UpgradeReport } from './upgrade-report.ts';

const changelog = `# Changelog

## Unreleased

### Added

- Not released.

## 0.3.0 (2027-01-01)

### Changed

- A line
  that continues: \`- not an item\`.

#### A part

- Another line.

### Fixed

Nothing.

## [0.2.0] - 2026-12-01

### Removed

- \`old\`.

## 0.2.0-rc.1 (2026-11-30)

### Security

- A fix.
`;

let project: Project;
afterEach(() => project?.remove());

async function migrated(
  files: Readonly<Record<string, string>>,
  { dryRun = false, from = '0.1.0', to = '0.2.0-test.1' } = {},
): Promise<UpgradeReport> {
  project = await Project.create(files);
  const terminal = createTerminal({ folder: project.folder, out: () => undefined, err: () => undefined });
  const timings = { startMs: 0, loadMs: 0, sourceMs: 0, schemaMs: 0, yamlMs: 0, outputMs: 0, totalMs: 0 };
  const generate = async () => ({ findings: [], files: [], wasWritten: true, timings });
  return migrateProject({ from, to, config: undefined, dryRun, changelog, codemods, generate }, terminal);
}

const old = {
  'evenkeel.config.ts': `import { defineConfig } from '@evenkeel/cli/config';

export default defineConfig({
  apis: ['./src/shop.ts'], // the API
  rbac: { namespace: 'shops', serviceAccount: 'shop' },
});
`,
  'src/certificate.ts': `export { createAuthority } from "@evenkeel/core/certificate"
const later = () => import('@evenkeel/core/certificate');
const text = '@evenkeel/core/certificate';
`,
};

describe('the migration of a project', () => {
  it('changes the sources of a version before, and keeps their format', async () => {
    const { changed, diff, findings } = await migrated(old);
    expect(diff).toBe(`--- a/evenkeel.config.ts
+++ b/evenkeel.config.ts
@@ -2,5 +2,5 @@
 
 export default defineConfig({
   apis: ['./src/shop.ts'], // the API
-  rbac: { namespace: 'shops', serviceAccount: 'shop' },
+  deployment: { namespace: 'shops', serviceAccount: 'shop' },
 });
--- a/src/certificate.ts
+++ b/src/certificate.ts
@@ -1,3 +1,3 @@
-export { createAuthority } from "@evenkeel/core/certificate"
-const later = () => import('@evenkeel/core/certificate');
+export { createAuthority } from "@evenkeel/apimachinery/certificate"
+const later = () => import('@evenkeel/apimachinery/certificate');
 const text = '@evenkeel/core/certificate';
`);
    expect(changed).toEqual([
      { path: 'evenkeel.config.ts', reasons: ['the option "rbac" is now "deployment"'] },
      { path: 'src/certificate.ts', reasons: ['@evenkeel/core/certificate is now @evenkeel/apimachinery/certificate'] },
    ]);
    expect(findings).toEqual([]);
    expect(await project.read('evenkeel.config.ts')).toContain('  deployment: {');
  });

  it('changes nothing when it is repeated', async () => {
    await migrated(old);
    const files = Object.fromEntries(
      await Promise.all(Object.keys(old).map(async (name) => [name, await project.read(name)] as const)),
    );
    await project.remove();
    expect(await migrated(files)).toMatchObject({ changed: [], diff: '', findings: [] });
  });

  it('writes nothing with --dry-run', async () => {
    const { diff, written } = await migrated(old, { dryRun: true });
    expect(diff).toContain('+  deployment: {');
    expect(written).toBe(false);
    for (const [name, text] of Object.entries(old)) expect(await project.read(name)).toBe(text);
  });

  it.each([
    ["'rbac': false", "'deployment': false"],
    ['rbac', 'deployment: rbac'],
  ])('renames %s to %s', async (option, renamed) => {
    await migrated({ 'evenkeel.config.ts': `const rbac = {};\nexport default { apis: [], ${option} };\n` });
    expect(await project.read('evenkeel.config.ts')).toBe(
      `const rbac = {};\nexport default { apis: [], ${renamed} };\n`,
    );
  });

  it.each([
    [
      "{ rbac: { name: 'shop', namespace: 'a' } }",
      '"rbac.name" must be in defineOperator(); run evenkeel generate, which prints the code to write instead',
    ],
    ['{ rbac: {}, deployment: {} }', 'it has "rbac" and "deployment"; remove "rbac"'],
    ['make()', 'the default export is not defineConfig'],
  ])('leaves %s to the user', async (config, notice) => {
    const text = `export default ${config};\n`;
    const { findings, changed } = await migrated({ 'evenkeel.config.ts': text });
    expect(findings).toEqual([expect.objectContaining({ level: 'notice', message: expect.stringContaining(notice) })]);
    expect(changed).toEqual([]);
    expect(await project.read('evenkeel.config.ts')).toBe(text);
  });

  it('applies the changes of the versions in between, and those of a release to its pre-releases', () => {
    const all = ['0.1.0', '0.2.0', '0.3.0', '0.4.0'].map((since) => ({ since, title: '', plan: () => undefined }));
    const between = (from: string, to: string): string[] => codemodsBetween(all, from, to).map(({ since }) => since);
    expect(between('0.1.0', '0.3.0')).toEqual(['0.2.0', '0.3.0']);
    expect(between('0.1.0', '0.2.0-rc.1')).toEqual(['0.2.0']);
    expect(between('0.2.0-rc.1', '0.2.0')).toEqual(['0.2.0']);
    expect(between('0.3.0', '0.3.1')).toEqual([]);
  });
});

describe('the notes of releases', () => {
  it('are those of the versions in between, with each entry in one line', async () => {
    expect(releaseNotes(changelog, '0.2.0-rc.1', '0.3.0')).toEqual([
      {
        version: '0.3.0',
        sections: [{ title: 'Changed', entries: ['A line that continues: `- not an item`.', 'Another line.'] }],
      },
      { version: '0.2.0', sections: [{ title: 'Removed', entries: ['`old`.'] }] },
    ]);
    expect(releaseNotes(changelog, '0.1.0', '0.2.0-rc.1').map(({ version }) => version)).toEqual(['0.2.0-rc.1']);
    expect(releaseNotes(changelog, '0.3.0', '0.4.0')).toEqual([]);
  });
});
