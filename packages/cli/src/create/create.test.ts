import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import * as evenkeel from 'evenkeel';
import { root } from '../../../../test/imports.fixture.ts';
import type { Project } from '../project.fixture.ts';
import { exampleObjects } from '../scaffold/example-objects.ts';
import { builtInKind } from './built-in-kind.ts';
import { createdProject, fails, git, runs, sourcesOf } from './created-project.fixture.ts';

let project: Project;
afterEach(() => project?.remove());

/** An operator and a configuration in a style that is not ours. */
const odd = {
  'src/operator.ts': `/* The operator. */\r
import { defineOperator } from "evenkeel"\r
import { ShopController } from "./shop.controller"\r
\r
const controllers = [ // in the order of their start\r
\tShopController // sells\r
] as const\r
\r
export const operator = defineOperator({\r
\tname: "shop", // the Lease too\r
\tcontrollers: controllers\r
} satisfies object)\r
`,
  'evenkeel.config.ts': `export default {
    // All APIs.
    apis: ["./src/*.ts"],
    operator: "./src/operator.ts",
    samples: [
        "./samples/shop.yaml" // the first one
    ]
}
`,
};

/** The recommended rules of Biome, and what most projects add: no unused imports, sorted imports. */
const linter = {
  root: true,
  files: { includes: ['**', '!src/fields.ts'] },
  // Linters disagree about the order of "./shop-v1.ts" and "./shop.controller.ts".
  overrides: [{ includes: ['src/operator.ts'], assist: { actions: { source: { organizeImports: 'off' } } } }],
  formatter: { indentStyle: 'space', lineWidth: 120 },
  javascript: { formatter: { quoteStyle: 'single' }, parser: { unsafeParameterDecoratorsEnabled: true } },
  linter: {
    rules: { style: { useImportType: 'off' }, correctness: { noUnusedImports: 'error', noUnusedVariables: 'error' } },
  },
};

describe('evenkeel create', () => {
  // Jest and the compiler run once for all files, as a user would run them.
  it.each([
    ['classes', false],
    ['functions', true],
  ])(
    'creates files that are generated, compiled, tested and clean, with %s',
    async (_form, functions) => {
      project = await createdProject({}, functions);
      for (const commandLine of [
        ['api', 'Voucher'],
        ['api', 'CacheEntry', '--group', 'cache.example.com', '--version', 'v1', '--no-controller'],
        ['controller', 'CacheEntry'],
        ['version', 'Shop', 'v1beta1', '--storage'],
        ['version', 'Shop', 'v1', '--no-served'],
        ['webhook', 'Shop', '--validating', '--mutating'],
        ['webhook', '--for', 'v1/Pod', '--mutating'],
        ['controller', '--for', 'apps/v1/Deployment'],
      ]) {
        await runs(project, 'create', ...commandLine);
      }
      const out = await runs(project, 'generate');
      expect(out).toContain('config/crd/cache.example.com_cacheentries.yaml written');
      project.compile();
      const jest = spawnSync(
        process.execPath,
        ['--experimental-vm-modules', '--no-warnings', join(root, 'node_modules/jest/bin/jest.js'), '--ci'],
        { cwd: project.folder, encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } },
      );
      expect(jest.stderr).toContain('Tests:       8 passed, 8 total');
      await project.write({ 'biome.json': JSON.stringify(linter) });
      const lint = spawnSync(join(root, 'node_modules/.bin/biome'), ['check', '--error-on-warnings', 'src'], {
        cwd: project.folder,
        encoding: 'utf8',
      });
      expect({ status: lint.status, output: lint.status === 0 ? '' : lint.stdout + lint.stderr }).toEqual({
        status: 0,
        output: '',
      });
      expect(await project.read('src/operator.ts')).toContain('  conversions: [ShopV1beta1, ShopV1],\n');
    },
    120_000,
  );

  it('keeps the style and the comments of sources', async () => {
    project = await createdProject(odd);
    await runs(project, 'create', 'api', 'Voucher');
    await runs(project, 'create', 'webhook', 'Voucher');
    expect(git(project, 'diff', '--ignore-cr-at-eol')).toMatchInlineSnapshot(`
"diff --git a/evenkeel.config.ts b/evenkeel.config.ts
index 6e521e1..5bfeed4 100644
--- a/evenkeel.config.ts
+++ b/evenkeel.config.ts
@@ -3,6 +3,7 @@ export default {
     apis: ["./src/*.ts"],
     operator: "./src/operator.ts",
     samples: [
-        "./samples/shop.yaml" // the first one
+        "./samples/shop.yaml", // the first one
+        "./samples/voucher.yaml"
     ]
 }
diff --git a/src/operator.ts b/src/operator.ts
index 7bf3c62..a044539 100644
--- a/src/operator.ts
+++ b/src/operator.ts
@@ -1,12 +1,16 @@
 /* The operator. */
 import { defineOperator } from "evenkeel"
 import { ShopController } from "./shop.controller"
+import { VoucherController } from "./voucher.controller"
+import { VoucherValidator } from "./voucher.validator"
 
 const controllers = [ // in the order of their start
-	ShopController // sells
+	ShopController, // sells
+	VoucherController
 ] as const
 
 export const operator = defineOperator({
 	name: "shop", // the Lease too
-	controllers: controllers
+	controllers: controllers,
+	webhooks: [VoucherValidator]
 } satisfies object)
"
`);
    expect(await project.read('src/operator.ts')).not.toMatch(/[^\r]\n/);
    expect(await project.read('src/voucher.validator.ts')).toMatchInlineSnapshot(`
"import { type AdmissionReview, Admit, ValidatingWebhook } from 'evenkeel';
import { Voucher } from './voucher.ts';

@ValidatingWebhook(Voucher)
export class VoucherValidator {
	/** Called before a Voucher is deleted. List other operations to check other requests. */
	@Admit('delete')
	isUnprotected(voucher: Voucher, review: AdmissionReview<Voucher>): void {
		if (voucher.metadata.annotations?.['shop.example.com/protected'] === 'true') {
			review.deny('the Voucher is protected; remove the annotation shop.example.com/protected first');
		}
	}
}
"
`);
  });

  it('prints a diff that git applies, and writes nothing', async () => {
    project = await createdProject(odd);
    const before = sourcesOf(project);
    const diff = await runs(project, 'create', 'api', 'Voucher', '--dry-run');
    expect(sourcesOf(project)).toEqual(before);
    execFileSync('git', ['apply', '-'], { cwd: project.folder, input: `${diff}\n` });
    const applied = sourcesOf(project);
    git(project, 'stash', '--include-untracked', '--quiet');
    await runs(project, 'create', 'api', 'Voucher');
    expect(sourcesOf(project)).toEqual(applied);
  });

  it('prints a report for programs', async () => {
    project = await createdProject();
    const { exitCode, out } = await project.run('create', 'webhook', 'Shop', '--output', 'json');
    expect({ exitCode, ...JSON.parse(out) }).toEqual({
      ...{ exitCode: 0, version: 1, command: 'create webhook', ok: true },
      created: ['src/shop.validator.ts', 'src/shop.validator.test.ts'],
      changed: ['src/operator.ts'],
      deleted: [],
      written: true,
      findings: [],
    });
    const failed = await project.run('create', 'webhook', 'Shop', '--output', 'json');
    expect({ exitCode: failed.exitCode, ...JSON.parse(failed.out) }).toMatchObject({
      ...{ exitCode: 1, ok: false },
      findings: [
        {
          level: 'error',
          code: 'invalid-option',
          message: 'src/shop.validator.ts already exists; choose another name, or move the file',
          fix: 'choose another name, or move the file',
        },
      ],
    });
  });

  it('creates no test without a test runner, and says so', async () => {
    project = await createdProject({ 'package.json': '{ "type": "module" }' });
    const { exitCode, out, err } = await project.run('create', 'api', 'Voucher');
    expect(exitCode).toBe(0);
    expect(out).not.toContain('test');
    expect(err).toMatch(/^notice: no test was created, because package.json does not list/);
  });

  it('copies only what a version needs, under new names', async () => {
    const shop = await projectWithEverythingInOneModule();
    await runs(project, 'create', 'version', 'Shop', 'v2', '--storage');
    expect(await project.read('src/shop-v2.ts')).toMatchInlineSnapshot(`
"// The shops.
import { IsIn, IsInt } from 'class-validator';
import { CustomResource, KubernetesObject, Spec } from 'evenkeel';
import { Shop } from './shop.ts';

const colors = ['red', 'blue'] as const;
const group = 'shop.example.com';

/** A door. */
export class DoorV2 {
  @IsInt() width = 1;
}

type ColorV2 = (typeof colors)[number];

export class ShopV2Spec {
  doors: DoorV2[] = [];
  @IsIn(colors) Door?: ColorV2;
}

/** Sells. */
@CustomResource({
  group,
  shortNames: ['sh'],
  version: 'v2',
  kind: 'Shop',
  storage: true,
  conversion: {
    hub: () => Shop,
    // Fields with the same path are copied. Declare here how the others are converted:
    // moves: { 'spec.here': 'spec.inTheHub' },
    // keep: { spoke: ['spec.onlyHere'], hub: ['spec.onlyInTheHub'] },
    // toHub: (object, hub) => {},
    // fromHub: (hub, object) => {},
  },
})
export class ShopV2 extends KubernetesObject {
  @Spec() spec!: ShopV2Spec;
}
"
`);
    expect(await project.read('src/shop.ts')).toBe(shop.replace(', storage: true', ''));
    await runs(project, 'generate');
    project.compile();
  });

  async function projectWithEverythingInOneModule(): Promise<string> {
    const shop = `// The shops.
import { IsIn, IsInt, MaxLength } from 'class-validator';
import { Controller, CustomResource, KubernetesObject, Reconcile, Spec } from 'evenkeel';

const colors = ['red', 'blue'] as const;
const group = 'shop.example.com';

/** A door. */
export class Door {
  @IsInt() width = 1;
}

export class VoucherSpec {
  @MaxLength(9) code = '';
}

@CustomResource({ group, version: 'v1' })
export class Voucher extends KubernetesObject {
  @Spec() spec!: VoucherSpec;
}

type Color = (typeof colors)[number];

export class ShopSpec {
  doors: Door[] = [];
  @IsIn(colors) Door?: Color;
}

/** Sells. */
@CustomResource({ group, version: 'v1', shortNames: ['sh'], deprecated: 'soon', storage: true })
export class Shop extends KubernetesObject {
  @Spec() spec!: ShopSpec;
}

@Controller(Shop)
export class ShopController {
  @Reconcile() reconcile(_shop: Shop): void {}
}
`;
    project = await createdProject({
      'src/shop.ts': shop,
      'src/operator.ts': `import { defineOperator } from 'evenkeel';
import { ShopController } from './shop.ts';

export const operator = defineOperator({ name: 'shop', controllers: [ShopController] });
`,
      'samples/shop.yaml': 'apiVersion: shop.example.com/v1\nkind: Shop\nmetadata: { name: a }\nspec: {}\n',
    });
    await project.write({ 'src/shop.controller.ts': 'export {};\n', 'src/shop.test.ts': 'export {};\n' });
    return shop;
  }

  it('gives all versions of a kind a conversion', async () => {
    const version = (
      name: string,
      options: string,
    ): string => `import { CustomResource, KubernetesObject } from 'evenkeel';

@CustomResource({ group: 'shop.example.com', ${options} })
export class ${name} extends KubernetesObject {}
`;
    project = await createdProject({
      'src/shop.ts': version('Shop', "version: 'v1', storage: true"),
      'src/shop-v1beta1.ts': version('ShopV1beta1', "version: 'v1beta1', kind: 'Shop'"),
    });
    await runs(project, 'create', 'version', 'Shop', 'v2');
    expect(git(project, 'diff', 'src')).toMatchInlineSnapshot(`
"diff --git a/src/operator.ts b/src/operator.ts
index 77a0701..1efe16e 100644
--- a/src/operator.ts
+++ b/src/operator.ts
@@ -1,7 +1,10 @@
 import { defineOperator } from 'evenkeel';
+import { ShopV1beta1 } from './shop-v1beta1.ts';
+import { ShopV2 } from './shop-v2.ts';
 import { ShopController } from './shop.controller.ts';
 
 export const operator = defineOperator({
   name: 'shop',
   controllers: [ShopController],
+  conversions: [ShopV1beta1, ShopV2],
 });
diff --git a/src/shop-v1beta1.ts b/src/shop-v1beta1.ts
index ef1b868..56fc9a9 100644
--- a/src/shop-v1beta1.ts
+++ b/src/shop-v1beta1.ts
@@ -1,4 +1,5 @@
 import { CustomResource, KubernetesObject } from 'evenkeel';
+import { Shop } from './shop.ts';
 
-@CustomResource({ group: 'shop.example.com', version: 'v1beta1', kind: 'Shop' })
+@CustomResource({ group: 'shop.example.com', version: 'v1beta1', kind: 'Shop', conversion: { hub: () => Shop } })
 export class ShopV1beta1 extends KubernetesObject {}
"
`);
  });

  it.each<[string, Record<string, string>, string]>([
    [
      'a list of a function',
      {
        'src/operator.ts':
          "import { defineOperator } from 'evenkeel';\nimport { all } from './all.ts';\nexport const operator = defineOperator({ name: 'a', controllers: all() });\n",
      },
      'src/operator.ts:3: cannot edit it, because controllers is not a list in brackets',
    ],
    [
      'a list with a spread',
      {
        'src/operator.ts':
          "import { defineOperator } from 'evenkeel';\nimport { all } from './all.ts';\nexport const operator = defineOperator({ name: 'a', controllers: [...all] });\n",
      },
      'src/operator.ts:3: cannot edit it, because controllers contains ...all',
    ],
    [
      'a list of another module',
      {
        'src/operator.ts':
          "import { defineOperator } from 'evenkeel';\nimport { controllers } from './all.ts';\nexport const operator = defineOperator({ name: 'a', controllers });\n",
      },
      'src/operator.ts:3: cannot edit it, because controllers is not a list in brackets',
    ],
    [
      'a conditional list',
      {
        'src/operator.ts':
          "import { defineOperator } from 'evenkeel';\nexport const operator = defineOperator({ name: 'a', controllers: process.env['A'] ? [] : [] });\n",
      },
      'src/operator.ts:2: cannot edit it, because controllers is not a list in brackets',
    ],
    [
      'options with a spread',
      {
        'src/operator.ts':
          "import { defineOperator } from 'evenkeel';\nimport { all } from './all.ts';\nexport const operator = defineOperator({ name: 'a', ...all });\n",
      },
      'src/operator.ts:3: cannot edit it, because controllers may be set or replaced by ...all',
    ],
    [
      'an operator of a function',
      { 'src/operator.ts': "export { operator } from './all.ts';\n" },
      'src/operator.ts:1: cannot edit it, because it has no defineOperator({ ... })',
    ],
    [
      'a used name',
      {
        'src/operator.ts':
          "import { defineOperator } from 'evenkeel';\nclass VoucherController {}\nexport const operator = defineOperator({ name: 'a', controllers: [] });\n",
      },
      'src/operator.ts:1: cannot edit it, because it already has the name VoucherController',
    ],
  ])('refuses %s, with the code to add', async (_name, files, message) => {
    project = await createdProject(files);
    expect(await fails(project, 'create', 'api', 'Voucher')).toBe(
      `error: ${message}; write it as a plain list first, or add this yourself with its files [edit-refused]
    import { VoucherController } from './voucher.controller.ts';
    controllers: [..., VoucherController]`,
    );
  });

  it.each<[string, Record<string, string>, string]>([
    [
      'a configuration of a function',
      { 'evenkeel.config.ts': 'export default make();\n' },
      'evenkeel.config.ts:1: cannot edit it, because the default export is not defineConfig({ ... })',
    ],
    [
      'a syntax error',
      { 'src/operator.ts': 'export const operator = ;\n' },
      'src/operator.ts:1: Unexpected token; fix the syntax error first',
    ],
    [
      'a configuration without operator',
      { 'evenkeel.config.ts': "export default { apis: ['./src/shop.ts'] };\n" },
      'evenkeel.config.ts: cannot add VoucherController to controllers, because no "operator" is configured',
    ],
  ])('refuses %s', async (_name, files, message) => {
    project = await createdProject(files);
    expect(await fails(project, 'create', 'api', 'Voucher')).toContain(`error: ${message}`);
  });

  it.each<[string[], string]>([
    [
      ['api', 'Shop'],
      'the kind Shop already exists (src/shop.ts:20); to add a version, run evenkeel create version Shop VERSION',
    ],
    [['api', 'SHop'], 'the kinds Shop (src/shop.ts:20) and SHop are too similar'],
    [['api', 'Operator'], 'the kind Operator would replace src/operator.ts; choose another name'],
    [['api', 'Map'], 'the kind Map has the name of a global class'],
    [['api', 'voucher'], 'the kind "voucher" is invalid; use a name in CamelCase'],
    [['api', 'Voucher', '--group', 'x'], 'the API group "x" is invalid'],
    [['api', 'Voucher', '--version', '1'], 'the version "1" is invalid; use a version such as v1alpha1, v1beta1 or v1'],
    [['version', 'Shop', 'v1alpha1'], 'Shop already has the version v1alpha1 (src/shop.ts:20); choose another one'],
    [['version', 'shop', 'v1'], 'no class of the project declares the kind shop; did you mean "Shop"?'],
    [
      ['version', 'Shop', 'v1', '--storage', '--no-served'],
      'a new version that is not served cannot be the storage version',
    ],
    [['webhook', 'Cart'], 'no class of the project declares the kind Cart; the project has Shop'],
    [
      ['webhook', 'Shop', '--group', 'x.example.com'],
      'no class of the project declares the kind Shop of the group x.example.com; its group is shop.example.com',
    ],
    [['controller', 'Shop'], 'Shop already has the controller ShopController (src/shop.controller.ts:'],
    [['controller'], 'pass either a kind of the project, or a built-in kind with --for'],
    [['controller', 'Shop', '--for', 'v1/Pod'], 'pass either a kind of the project, or a built-in kind'],
    [
      ['controller', '--for', 'apps/v1/deployment'],
      '--for apps/v1/deployment: not a built-in kind that evenkeel exports; did you mean apps/v1/Deployment?',
    ],
    [['controller', '--for', 'apps/v1beta1/Deployment'], 'did you mean apps/v1/Deployment?'],
    [['controller', '--for', 'v1/Secret'], 'a controller of Secrets keeps every Secret that it may read in memory'],
  ])('rejects %j', async (commandLine, message) => {
    project = await createdProject();
    expect(await fails(project, 'create', ...commandLine)).toContain(message);
  });

  it('needs a group if the project has several', async () => {
    project = await createdProject();
    await runs(project, 'create', 'api', 'CacheEntry', '--group', 'cache.example.com');
    expect(await fails(project, 'create', 'api', 'Voucher')).toContain(
      'the API group is missing, because the project has the groups cache.example.com, shop.example.com; pass --group',
    );
  });

  it('needs a configuration', async () => {
    project = await createdProject();
    expect(await fails(project, 'create', 'api', 'Voucher', '--config', 'other.ts')).toContain(
      '--config other.ts: the file does not exist',
    );
  });

  it('knows the built-in kinds by the names that evenkeel exports', async () => {
    project = await createdProject();
    for (const reference of Object.keys(exampleObjects)) {
      expect(evenkeel).toHaveProperty(await builtInKind(reference));
    }
  });
});
