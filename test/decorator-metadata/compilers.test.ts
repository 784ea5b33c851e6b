import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { transform as compileWithSwc } from '@swc/core';
import { root } from '../imports.fixture.ts';

const execute = promisify(execFile);
const fixtures = join(root, 'test', 'decorator-metadata');
const vocabulary = join(root, 'packages', 'schema', 'src', 'generate', 'vocabulary.fixture.ts');
const modules = ['site.fixture', 'backup.fixture', 'vocabulary.fixture'];

interface Read {
  readonly definitions: readonly string[];
  readonly findings: readonly string[];
  readonly site: unknown;
  readonly controllers: Readonly<
    Record<'Base' | 'SiteController' | 'PlainController', { injected?: readonly string[]; finalizers: unknown }>
  >;
  /** The controllers of a manager that was created with them. */
  readonly made: readonly string[];
  /** The same for a kind that uses every decorator of schemas. */
  readonly vocabulary: {
    readonly declarations: Readonly<Record<string, unknown>>;
    readonly definitions: readonly string[];
    readonly findings: readonly string[];
  };
}

/** Compilers of the sources in `src` of a project to `dist`, with source maps. */
const compilers: Readonly<Record<string, (project: string) => Promise<void>>> = {
  async tsc(project) {
    const compilerOptions = {
      ...JSON.parse(await readFile(join(root, 'tsconfig.base.json'), 'utf8')).compilerOptions,
      composite: false,
      sourceMap: true,
      // As in a user's tsconfig; the packages themselves do not use decorators.
      experimentalDecorators: true,
      emitDecoratorMetadata: true,
      types: ['node'],
      rootDir: 'src',
      outDir: 'dist',
    };
    await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src'] }));
    await execute(process.execPath, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', project]);
  },

  async swc(project) {
    for (const name of modules) {
      const { code, map } = await compileWithSwc(await readFile(join(project, 'src', `${name}.ts`), 'utf8'), {
        filename: `${name}.ts`,
        sourceFileName: `../src/${name}.ts`,
        sourceMaps: true,
        swcrc: false,
        module: { type: 'nodenext' },
        jsc: swcOptions,
      });
      await writeModule(project, name, code, map ?? '');
    }
  },
};

const swcOptions = {
  parser: { syntax: 'typescript', decorators: true },
  transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: true },
  target: 'es2023',
  // swc 1.16 supports this option, but its types do not list it.
  rewriteRelativeImportExtensions: true,
} as const;

async function writeModule(project: string, name: string, code: string, map: string): Promise<void> {
  await mkdir(join(project, 'dist'), { recursive: true });
  await writeFile(join(project, 'dist', `${name}.js`), `${code}\n//# sourceMappingURL=${name}.js.map\n`);
  await writeFile(join(project, 'dist', `${name}.js.map`), map);
}

/** Returns what a separate process reads from a module: compiled, or as TypeScript through the loader of the command. */
async function readDeclarations(module: string): Promise<Read> {
  const program = join(fixtures, 'read-declarations.ts');
  const { stdout } = await execute(process.execPath, [
    '--conditions=evenkeel-source',
    '--no-warnings',
    program,
    module,
  ]);
  return JSON.parse(stdout) as Read;
}

describe('decorators', () => {
  let project: string;
  let byOxc: Read;

  beforeAll(async () => {
    project = await mkdtemp(join(tmpdir(), 'evenkeel-compilers-'));
    await symlink(join(root, 'node_modules'), join(project, 'node_modules'));
    await writeFile(join(project, 'package.json'), '{ "type": "module" }');
    await mkdir(join(project, 'src'));
    await copyFile(vocabulary, join(project, 'src', 'vocabulary.fixture.ts'));
    for (const name of ['site.fixture', 'backup.fixture']) {
      await copyFile(join(fixtures, `${name}.ts`), join(project, 'src', `${name}.ts`));
    }
    byOxc = await readDeclarations(join(project, 'src', 'site.fixture.ts'));
  });
  afterAll(() => rm(project, { recursive: true, force: true }));

  it('are read from TypeScript that the command compiles by oxc', () => {
    expect(byOxc.made).toEqual(['sites', 'certificate']);
    expect(byOxc.controllers.Base.injected).toEqual(['Clock', 'Logger', 'Lister']);
    expect(byOxc.findings).toMatchInlineSnapshot(`
[
  "site.fixture.ts:89: SiteSpec.weight: the API server removes null before it looks at the value; declare it with "?" instead of "| null", or add @Nullable()",
]
`);
    expect(byOxc.definitions.join('')).toMatchInlineSnapshot(`
"# Made by "evenkeel generate" from the class Site: change that, not this.

apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: sites.web.example.com
spec:
  group: web.example.com
  names:
    kind: Site
    listKind: SiteList
    plural: sites
    shortNames:
      - st
    singular: site
  scope: Namespaced
  versions:
    - additionalPrinterColumns:
        - jsonPath: .status.ready
          name: Ready
          type: integer
        - jsonPath: .spec.size
          name: Size
          type: integer
      name: v1
      schema:
        openAPIV3Schema:
          description: A site.
          properties:
            apiVersion:
              type: string
            kind:
              type: string
            metadata:
              type: object
            spec:
              default: {}
              properties:
                backup:
                  description: Where copies go.
                  properties:
                    bucket:
                      type: string
                  required:
                    - bucket
                  type: object
                bare:
                  type: boolean
                image:
                  type: string
                labels:
                  additionalProperties:
                    type: string
                  default: {}
                  type: object
                pages:
                  default: []
                  items:
                    properties:
                      path:
                        description: Where it is served.
                        pattern: ^/[\\w/]*$
                        type: string
                    required:
                      - path
                    type: object
                  type: array
                schedule:
                  enum:
                    - hourly
                    - daily
                  type: string
                scheme:
                  default: http
                  enum:
                    - http
                    - https
                  type: string
                size:
                  default: 3
                  description: How many.
                  maximum: 5
                  minimum: 1
                  type: integer
                tier:
                  default: small
                  enum:
                    - small
                    - large
                  type: string
                weight:
                  type: number
              type: object
            status:
              properties:
                conditions:
                  items:
                    description: One aspect of the state, and since when it holds.
                    properties:
                      lastTransitionTime:
                        description: When the status last changed.
                        format: date-time
                        type: string
                      message:
                        description: Why, as a sentence for people; may be empty.
                        maxLength: 32768
                        type: string
                      observedGeneration:
                        description: The metadata.generation from which this was concluded.
                        format: int64
                        minimum: 0
                        type: integer
                      reason:
                        description: Why, as one word for programs.
                        maxLength: 1024
                        minLength: 1
                        pattern: ^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$
                        type: string
                      status:
                        description: Whether it holds.
                        enum:
                          - "True"
                          - "False"
                          - Unknown
                        type: string
                      type:
                        description: The aspect, in CamelCase, such as Available.
                        maxLength: 316
                        pattern: ^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$
                        type: string
                    required:
                      - lastTransitionTime
                      - message
                      - reason
                      - status
                      - type
                    type: object
                  type: array
                  x-kubernetes-list-map-keys:
                    - type
                  x-kubernetes-list-type: map
                ready:
                  type: integer
              type: object
          type: object
      served: true
      storage: true
      subresources:
        scale:
          specReplicasPath: .spec.size
          statusReplicasPath: .status.ready
        status: {}
"
`);
    const { Base, PlainController, SiteController } = byOxc.controllers;
    const { injected: _, ...inherited } = Base;
    expect(PlainController).toEqual({ ...inherited, controller: { kind: 'class Certificate' } });
    const { finalizers, ...declared } = SiteController;
    expect(finalizers).toEqual(Base.finalizers);
    expect({ Base, SiteController: declared }).toMatchInlineSnapshot(`
{
  "Base": {
    "channels": [],
    "finalizers": [
      {
        "method": "removeLate",
        "name": "example.com/late",
        "order": 1,
      },
      {
        "method": "removeFirst",
        "name": "example.com/first",
      },
    ],
    "indexes": [
      {
        "method": "tierOf",
        "name": "tier",
      },
    ],
    "injected": [
      "Clock",
      "Logger",
      "Lister",
    ],
    "listers": [
      {
        "kind": "class Site",
        "parameter": 2,
      },
    ],
    "owns": [],
    "periods": [],
    "rbac": [],
    "reconciles": [
      {
        "maxConcurrent": 2,
        "method": "reconcile",
      },
    ],
    "watches": [
      {
        "kind": {
          "metadataOf": "class Site",
        },
        "method": "onSite",
      },
    ],
  },
  "SiteController": {
    "channels": [
      {
        "method": "signals",
      },
    ],
    "controller": {
      "acrossNamespaces": true,
      "kind": "thunk of Site",
      "name": "sites",
    },
    "indexes": [
      {
        "method": "tierOf",
        "name": "tier",
      },
      {
        "kind": "class Certificate",
        "method": "issuerOf",
        "name": "issuer",
      },
    ],
    "injected": [
      "Clock",
      "Logger",
      "Lister",
      "Client",
      "Random",
      "EventRecorder",
      "BackupService",
      "Lister",
    ],
    "listers": [
      {
        "kind": "class Site",
        "parameter": 7,
      },
      {
        "kind": "thunk of metadata of Site",
        "parameter": 2,
      },
    ],
    "owns": [
      {
        "kind": "class Site",
      },
      {
        "kind": "thunk of Certificate",
      },
    ],
    "periods": [
      {
        "method": "reconcile",
        "period": "1h",
      },
    ],
    "rbac": [
      {
        "reason": "reads certificates",
        "target": "class Certificate",
        "verbs": [
          "get",
        ],
      },
      {
        "member": "signals",
        "target": "class Site",
        "verbs": [
          "delete",
        ],
      },
    ],
    "reconciles": [
      {
        "maxConcurrent": 4,
        "method": "reconcile",
        "timeout": "1m",
      },
    ],
    "watches": [
      {
        "kind": {
          "metadataOf": "class Site",
        },
        "method": "onSite",
      },
      {
        "kind": "class Certificate",
        "labels": {
          "part": "site",
        },
        "method": "onCertificate",
      },
    ],
  },
}
`);
  });

  it('of schemas are all read too', () => {
    const { declarations, definitions } = byOxc.vocabulary;
    expect(Object.keys(declarations)).toContain('WordSpec');
    expect(JSON.stringify(declarations)).toContain(
      '"says":"embeddedResource","type":"thunk of Embedded","metadata":true',
    );
    expect(definitions).toHaveLength(1);
  });

  it.each(Object.keys(compilers))('are read in the same way when compiled by %s', async (name) => {
    await rm(join(project, 'dist'), { recursive: true, force: true });
    await compilers[name]?.(project);
    expect(await readDeclarations(join(project, 'dist', 'site.fixture.js'))).toEqual(byOxc);
  });
});
