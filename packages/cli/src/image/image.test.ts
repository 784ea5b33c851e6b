import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '@evenkeel/apimachinery/json';
import { digestOf, hexOf } from '../registry/digest.ts';
import { FakeRegistry } from '../registry/fake-registry.fixture.ts';
import { mediaTypes } from '../registry/media-types.ts';
import { buildImage, type ImageReport } from './build-image.ts';
import type { ImageOptions } from './image-options.ts';
import { readImageRecord } from './image-record.ts';
import { type BaseLayoutOptions, writeBaseLayout } from './node-base.fixture.ts';

let root: string;
const closed: (() => unknown)[] = [];

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'evenkeel-image-'));
});
afterEach(async () => {
  for (const close of closed.splice(0)) await close();
});
afterAll(() => rm(root, { recursive: true }));

let projects = 0;

/** A project with a bundle, and without an evenkeel.config.ts, which tests with Jest cannot load. */
async function projectOf(
  manifest: object = { name: '@acme/sites', version: '1.2.0', license: 'MIT' },
): Promise<string> {
  projects += 1;
  const folder = join(root, `project-${projects}`);
  await mkdir(join(folder, 'src'), { recursive: true });
  await mkdir(join(folder, 'node_modules/a/esm'), { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  await writeFile(
    join(folder, 'node_modules/a/package.json'),
    '{"name":"a","version":"2.0.0","license":"SEE LICENSE IN x"}',
  );
  await writeFile(join(folder, 'node_modules/a/esm/package.json'), '{"type":"module"}');
  return folder;
}

interface Built {
  readonly report: ImageReport;
  readonly told: readonly string[];
}

async function buildIn(folder: string, options: ImageOptions, env: NodeJS.ProcessEnv = {}): Promise<Built> {
  const told: string[] = [];
  const file = join(folder, 'dist/operator.mjs');
  const bundle = {
    files: { 'operator.mjs': Buffer.from('console.log(1);\n'), 'operator.mjs.map': Buffer.from('{}') },
    modules: [
      join(folder, 'src/main.ts'),
      join(folder, 'node_modules/a/esm/index.js'),
      '\0@oxc-project+runtime@0.158.0/helpers/esm/decorate.js',
      '\0rolldown@1.3.2/runtime.js',
    ],
    file,
    main: join(folder, 'src/main.ts'),
  };
  const report = await buildImage(
    bundle,
    { outfile: 'dist/operator.mjs', ...options },
    {
      folder,
      env: { HOME: folder, ...env },
      tell: (line) => told.push(line),
      progress: () => undefined,
      print: (text) => told.push(text),
    },
  );
  return { report, told };
}

/** Builds in a new project on a new layout. */
async function build(options: ImageOptions, base?: BaseLayoutOptions): Promise<Built & { readonly folder: string }> {
  const folder = await projectOf();
  await writeBaseLayout(join(folder, 'base'), base);
  return { folder, ...(await buildIn(folder, { base: 'oci:base', image: 'example.com/sites:1.2.0', ...options })) };
}

async function json(file: string): Promise<JsonObject> {
  return JSON.parse(await readFile(file, 'utf8')) as JsonObject;
}

interface Content {
  readonly manifests: readonly { readonly digest: string; readonly mediaType: string; readonly platform: object }[];
  readonly config: { readonly digest: string };
  readonly layers: readonly { readonly digest: string; readonly size: number; readonly mediaType: string }[];
}

/** Returns the manifest or index with a digest, after a check of the digests and sizes of all it refers to. */
async function checked(layout: string, digest: string): Promise<Content> {
  const bytes = await readFile(join(layout, 'blobs/sha256', hexOf(digest)));
  expect(digestOf(bytes)).toBe(digest);
  const content = JSON.parse(bytes.toString()) as Content & { mediaType: string };
  for (const each of [
    ...(content.manifests ?? []),
    ...(content.layers ?? []),
    ...(content.config ? [content.config] : []),
  ]) {
    const { size, digest: below } = each as { size: number; digest: string };
    const blob = await readFile(join(layout, 'blobs/sha256', hexOf(below)));
    expect({ size: blob.length, digest: digestOf(blob) }).toEqual({ size, digest: below });
  }
  return content;
}

describe('an image', () => {
  it('is a valid layout: the base with one more layer, which has the bundle and nothing else', async () => {
    const { folder, report } = await build({ layout: 'image' });
    const layout = join(folder, 'image');
    expect(await json(join(layout, 'oci-layout'))).toEqual({ imageLayoutVersion: '1.0.0' });
    const index = (await json(join(layout, 'index.json'))) as unknown as Content;
    expect(index.manifests).toEqual([
      expect.objectContaining({
        mediaType: mediaTypes.manifest,
        digest: report.digest,
        platform: { os: 'linux', architecture: 'amd64' },
        annotations: {
          'io.containerd.image.name': 'example.com/sites:1.2.0',
          'org.opencontainers.image.ref.name': '1.2.0',
        },
      }),
    ]);
    const manifest = await checked(layout, report.digest ?? '');
    expect(manifest.layers.map(({ mediaType }) => mediaType)).toEqual([
      'application/vnd.oci.image.layer.v1.tar',
      mediaTypes.layer,
    ]);
    const config = await json(join(layout, 'blobs/sha256', hexOf(manifest.config.digest)));
    expect(config).toEqual({
      architecture: 'amd64',
      os: 'linux',
      created: '1970-01-01T00:00:00Z',
      config: {
        Env: ['PATH=/usr/local/bin:/usr/bin:/bin'],
        User: '65532:65532',
        WorkingDir: '/app',
        Entrypoint: ['node', '/app/operator.mjs'],
        Labels: {
          vendor: 'base',
          'org.opencontainers.image.base.digest': report.base.digest,
          'org.opencontainers.image.licenses': 'MIT',
          'org.opencontainers.image.title': '@acme/sites',
          'org.opencontainers.image.version': '1.2.0',
        },
      },
      rootfs: { type: 'layers', diff_ids: [manifest.layers[0]?.digest, expect.stringMatching(/^sha256:/)] },
    });
    const layer = join(layout, 'blobs/sha256', hexOf(manifest.layers[1]?.digest ?? ''));
    const listed = execFileSync(
      'tar',
      ['--list', '--verbose', '--gzip', '--file', layer, '--utc', '--full-time', '--numeric-owner'],
      { encoding: 'utf8' },
    );
    expect(
      listed
        .trim()
        .split('\n')
        .map((line) => line.replace(/\s+/g, ' ')),
    ).toEqual([
      'drwxr-xr-x 0/0 0 1970-01-01 00:00:00 app/',
      '-rw-r--r-- 0/0 16 1970-01-01 00:00:00 app/operator.mjs',
      '-rw-r--r-- 0/0 2 1970-01-01 00:00:00 app/operator.mjs.map',
    ]);
  });

  it('is an archive that is a layout with the manifest.json of Docker', async () => {
    const { folder, told, report } = await build({});
    expect(told[0]).toMatch(
      /^dist\/image\.tar written: example\.com\/sites:1\.2\.0 for linux\/amd64, 0\.0 MB on oci:base$/,
    );
    const unpacked = join(folder, 'unpacked');
    await mkdir(unpacked);
    execFileSync('tar', ['--extract', '--file', join(folder, 'dist/image.tar'), '--directory', unpacked]);
    expect((await readdir(unpacked)).sort()).toEqual(['blobs', 'index.json', 'manifest.json', 'oci-layout']);
    const manifest = await checked(unpacked, report.digest ?? '');
    const path = ({ digest }: { digest: string }) => `blobs/sha256/${hexOf(digest)}`;
    expect(JSON.parse(await readFile(join(unpacked, 'manifest.json'), 'utf8'))).toEqual([
      { Config: path(manifest.config), RepoTags: ['example.com/sites:1.2.0'], Layers: manifest.layers.map(path) },
    ]);
  });

  it.each<[string, ImageOptions]>([
    ['an archive is a folder', { archive: 'src' }],
    ['an archive is the project', { archive: '.' }],
    ['a layout is a file', { layout: 'package.json' }],
    ['a layout is a folder with other files', { layout: '.' }],
  ])('deletes nothing if the path of %s', async (_case, options) => {
    const folder = await projectOf();
    await writeBaseLayout(join(folder, 'base'));
    await writeFile(join(folder, 'src/main.ts'), 'console.log(1);\n');
    const before = (await readdir(folder, { recursive: true })).sort();
    const failure = { code: 'output-not-written', message: expect.stringMatching(/^--(?:archive|layout) .*; pass /) };
    await expect(buildIn(folder, { base: 'oci:base', image: 'sites:1', ...options })).rejects.toMatchObject(failure);
    expect((await readdir(folder, { recursive: true })).sort()).toEqual(before);
  });

  it('is the same byte for byte in another folder and at another time', async () => {
    const made = await Promise.all([build({ archive: 'image.tar' }), build({ archive: 'image.tar' })]);
    for (const name of ['image.tar', 'image.spdx.json']) {
      const [first, second] = await Promise.all(made.map(({ folder }) => readFile(join(folder, name))));
      expect(first?.length).toBeGreaterThan(1000);
      expect(first?.equals(second ?? Buffer.alloc(0))).toBe(true);
    }
  });

  it('has the time of SOURCE_DATE_EPOCH', async () => {
    const folder = await projectOf();
    await writeBaseLayout(join(folder, 'base'));
    const options = { base: 'oci:base:24', image: 'sites:1', layout: 'image' };
    const { report } = await buildIn(folder, options, { SOURCE_DATE_EPOCH: '1767225600' });
    const manifest = await checked(join(folder, 'image'), report.digest ?? '');
    const config = await json(join(folder, 'image/blobs/sha256', hexOf(manifest.config.digest)));
    expect(config['created']).toBe('2026-01-01T00:00:00Z');
    const failure = { code: 'invalid-option', message: expect.stringContaining('SOURCE_DATE_EPOCH is "today"') };
    await expect(buildIn(folder, options, { SOURCE_DATE_EPOCH: 'today' })).rejects.toMatchObject(failure);
  });

  it('has one index and the same layer for several platforms', async () => {
    const { folder, report } = await build(
      { layout: 'image', platform: 'linux/arm64,linux/amd64' },
      { architectures: ['amd64', 'arm64'] },
    );
    const index = await checked(join(folder, 'image'), report.digest ?? '');
    expect(index.manifests.map(({ platform }) => platform)).toEqual([
      { os: 'linux', architecture: 'arm64' },
      { os: 'linux', architecture: 'amd64' },
    ]);
    const manifests = await Promise.all(index.manifests.map(({ digest }) => checked(join(folder, 'image'), digest)));
    expect(new Set(manifests.map(({ layers }) => layers.at(-1)?.digest)).size).toBe(1);
  });

  it('starts Node as the entrypoint of its base does', async () => {
    const { folder, report } = await build(
      { layout: 'image' },
      { config: { Entrypoint: ['/nodejs/bin/node'], User: 'root' } },
    );
    const manifest = await checked(join(folder, 'image'), report.digest ?? '');
    const { config } = await json(join(folder, 'image/blobs/sha256', hexOf(manifest.config.digest)));
    expect(config).toMatchObject({ Entrypoint: ['/nodejs/bin/node', '/app/operator.mjs'], User: '65532:65532' });
  });

  it('has a bill of materials with the packages of the bundle and the base', async () => {
    const { folder, report } = await build({});
    const bill = await json(join(folder, 'dist/image.spdx.json'));
    const packages = bill['packages'] as JsonObject[];
    expect(packages.map(({ name, versionInfo, licenseDeclared }) => [name, versionInfo, licenseDeclared])).toEqual([
      ['sites', report.digest, 'NOASSERTION'],
      ['base', report.base.digest, 'NOASSERTION'],
      ['@acme/sites', '1.2.0', 'MIT'],
      ['@oxc-project/runtime', '0.158.0', 'NOASSERTION'],
      ['a', '2.0.0', 'NOASSERTION'],
      ['rolldown', '1.3.2', 'NOASSERTION'],
    ]);
    expect(packages[4]).toMatchObject({
      licenseComments: 'package.json: SEE LICENSE IN x',
      externalRefs: [{ referenceLocator: 'pkg:npm/a@2.0.0', referenceType: 'purl' }],
    });
    expect(packages[2]).toMatchObject({ externalRefs: [{ referenceLocator: 'pkg:npm/%40acme/sites@1.2.0' }] });
    const ids = packages.map(({ SPDXID }) => SPDXID as string);
    expect(ids.every((id) => /^SPDXRef-[A-Za-z0-9.-]+$/.test(id)) && new Set(ids).size === ids.length).toBe(true);
    expect(bill).toMatchObject({
      spdxVersion: 'SPDX-2.3',
      documentNamespace: expect.stringMatching(/^https:\/\/spdx\.org\/spdxdocs\/sites-[0-9a-f]{64}$/),
    });
  });

  it('is pushed with its bill of materials, and pulled as a base from there', async () => {
    const registry = await FakeRegistry.start({ authentication: 'bearer' });
    closed.push(() => registry.close());
    const folder = await projectOf();
    await writeBaseLayout(join(folder, 'base'), { architectures: ['amd64', 'arm64'] });
    const auth = Buffer.from('user:secret').toString('base64');
    await mkdir(join(folder, '.docker'));
    await writeFile(join(folder, '.docker/config.json'), JSON.stringify({ auths: { [registry.host]: { auth } } }));
    const image = `${registry.host}/team/sites:1.0`;
    const options = { base: 'oci:base', image, push: true, platform: 'linux/amd64,linux/arm64' };
    const { report, told } = await buildIn(folder, options);
    expect(told.at(-1)).toBe(`${image} pushed: ${report.digest}`);
    expect(told.join()).not.toContain('secret');
    // For bundles, which name images by digest.
    expect([...(await readImageRecord(folder))]).toEqual([[image, report.digest]]);
    expect(digestOf(registry.manifests.get('1.0')?.bytes ?? Buffer.alloc(0))).toBe(report.digest);
    // The tag is last, when everything that it refers to is there.
    expect(registry.lines.at(-1)).toBe('PUT /v2/team/sites/manifests/1.0');
    const list = registry.manifests.get(`sha256-${hexOf(report.digest ?? '')}`)?.bytes.toString() ?? '';
    const [referrer] = (JSON.parse(list) as Content).manifests;
    expect(referrer).toMatchObject({ artifactType: 'application/spdx+json' });
    const artifact = JSON.parse(registry.manifests.get(referrer?.digest ?? '')?.bytes.toString() ?? '');
    expect(artifact).toMatchObject({ subject: { digest: report.digest, mediaType: mediaTypes.index } });
    expect(registry.blobs.get(artifact.layers[0].digest)?.toString()).toBe(
      await readFile(join(folder, 'dist/image.spdx.json'), 'utf8'),
    );

    // A second push finds everything.
    const uploads = () => registry.lines.filter((line) => line.startsWith('POST /v2/')).length;
    const before = uploads();
    await buildIn(folder, options);
    expect(uploads()).toBe(before);

    // What was pushed is a base, of which each content is downloaded once.
    await buildIn(folder, { base: image, image: 'other:1', platform: 'linux/arm64' });
    registry.requests.splice(0);
    const again = await buildIn(folder, { base: image, image: 'other:1', platform: 'linux/arm64' });
    expect(registry.lines.filter((line) => line.includes('/blobs/'))).toEqual([]);
    expect(again.report.base).toEqual({ name: image, digest: report.digest });
    expect((await readdir(join(folder, '.evenkeel/blobs'))).every((name) => /^[0-9a-f]{64}$/.test(name))).toBe(true);
  });

  it('replaces a damaged download, and rejects content with another digest', async () => {
    const registry = await FakeRegistry.start();
    closed.push(() => registry.close());
    const folder = await projectOf();
    await writeBaseLayout(join(folder, 'base'));
    const image = `${registry.host}/base:1`;
    await buildIn(folder, { base: 'oci:base', image, push: true });
    await buildIn(folder, { base: image, image: 'other:1' });
    const blobs = join(folder, '.evenkeel/blobs');
    const { digest } = (await buildIn(folder, { base: image, image: 'other:1' })).report;
    for (const name of await readdir(blobs)) await writeFile(join(blobs, name), 'damaged');
    expect((await buildIn(folder, { base: image, image: 'other:1' })).report.digest).toBe(digest);
    await rm(blobs, { recursive: true });
    for (const [name, content] of registry.blobs) registry.blobs.set(name, Buffer.alloc(content.length, 'x'));
    await expect(buildIn(folder, { base: image, image: 'other:1' })).rejects.toMatchObject({ code: 'image-invalid' });
    for (const [name, content] of registry.blobs) registry.blobs.set(name, Buffer.alloc(content.length + 1, 'x'));
    await expect(buildIn(folder, { base: image, image: 'other:1' })).rejects.toMatchObject({
      code: 'image-invalid',
      message: expect.stringContaining('has more than its'),
    });
    expect(await readdir(blobs)).toEqual([]);
  });
});

describe('a Dockerfile', () => {
  it('makes the same image, with the base by its digest, and replaces only generated files', async () => {
    const registry = await FakeRegistry.start();
    closed.push(() => registry.close());
    const folder = await projectOf();
    await writeBaseLayout(join(folder, 'base'));
    const base = `${registry.host}/base:1`;
    await buildIn(folder, { base: 'oci:base', image: base, push: true });
    for (const round of ['first', 'second']) {
      const { told } = await buildIn(folder, { base, dockerfile: 'Dockerfile' });
      expect([round, ...told]).toEqual([round, 'Dockerfile written']);
    }
    const digest = digestOf(registry.manifests.get('1')?.bytes ?? Buffer.alloc(0));
    expect(
      await readFile(join(folder, 'Dockerfile'), 'utf8'),
    ).toBe(`# Generated by evenkeel build --dockerfile; do not edit.
# Run "evenkeel build" first. If there is a .dockerignore, it must not exclude dist.
FROM ${base}@${digest}
LABEL org.opencontainers.image.base.digest="${digest}" \\
      org.opencontainers.image.base.name="${base}" \\
      org.opencontainers.image.licenses="MIT" \\
      org.opencontainers.image.title="@acme/sites" \\
      org.opencontainers.image.version="1.2.0"
COPY dist/operator.mjs dist/operator.mjs.map /app/
WORKDIR /app
USER 65532:65532
ENTRYPOINT ["node","/app/operator.mjs"]
`);
    await writeFile(join(folder, 'Dockerfile'), 'FROM scratch\n');
    await expect(buildIn(folder, { base, dockerfile: 'Dockerfile' })).rejects.toMatchObject({
      code: 'output-not-written',
    });
    await expect(buildIn(folder, { base: 'oci:base', dockerfile: '-' })).rejects.toMatchObject({
      code: 'image-base-missing',
    });
  });
});

describe('a build of an image', () => {
  it.each<[string, ImageOptions, string, RegExp]>([
    [
      'no base',
      {},
      'image-base-missing',
      /^an image needs a base image with Node; pass --base.*\n {4}--base node:24-slim/,
    ],
    [
      'a folder that is no layout',
      { base: 'oci:src' },
      'image-not-found',
      /is not an OCI image layout: it has no index\.json/,
    ],
    [
      'an unknown tag',
      { base: 'oci:base:23' },
      'image-not-found',
      /^oci:base:23: the layout has no image 23 \(it has 24\); write oci:FOLDER:TAG/,
    ],
    [
      'a platform that the base lacks',
      { base: 'oci:base', platform: 'linux/s390x' },
      'image-platform-missing',
      /not available for linux\/s390x \(it has linux\/amd64\)/,
    ],
    [
      'another operating system',
      { base: 'oci:base', platform: 'windows/amd64' },
      'invalid-option',
      /^--platform: "windows\/amd64"/,
    ],
    ['an invalid name', { base: 'oci:base', image: 'Sites' }, 'invalid-image-reference', /^--image "Sites"/],
    [
      'a name with a digest',
      { base: 'oci:base', image: `a@sha256:${'0'.repeat(64)}` },
      'invalid-image-reference',
      /cannot have the digest/,
    ],
    [
      'a push without the name of a registry',
      { base: 'oci:base', push: true },
      'invalid-image-reference',
      /pass --image registry\.example\.com/,
    ],
    [
      'a folder with other files',
      { base: 'oci:base', layout: 'src' },
      'output-not-written',
      /the folder has other files/,
    ],
  ])('reports %s', async (_what, options, code, message) => {
    const folder = await projectOf();
    await writeBaseLayout(join(folder, 'base'));
    await writeFile(join(folder, 'src/main.ts'), '');
    const given = options.push === true ? options : { image: 'sites:1', ...options };
    await expect(buildIn(folder, given)).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  });

  const config = { mediaType: mediaTypes.config, digest: digestOf('{}'), size: 2 };
  it.each<[string, object, RegExp]>([
    [
      'a manifest that is an index too',
      { schemaVersion: 2, layers: [], manifests: [], config },
      /neither a manifest nor an index/,
    ],
    ['another schema version', { schemaVersion: 1 }, /schemaVersion is not 2/],
    [
      'an artifact',
      { schemaVersion: 2, layers: [], config: { ...config, mediaType: mediaTypes.empty } },
      /not a container image/,
    ],
    [
      'a foreign layer',
      {
        schemaVersion: 2,
        config,
        layers: [{ ...config, mediaType: 'application/vnd.docker.image.rootfs.foreign.diff.tar.gzip' }],
      },
      /unsupported type of layer/,
    ],
    [
      'a path as digest',
      { schemaVersion: 2, config: { ...config, digest: 'sha256:../../x' }, layers: [] },
      /unsupported digest/,
    ],
    ['a negative size', { schemaVersion: 2, config: { ...config, size: -1 }, layers: [] }, /unsupported size -1/],
    [
      'content that is missing',
      { schemaVersion: 2, config, layers: [] },
      /is missing, or does not match its size or digest/,
    ],
  ])('rejects a base with %s', async (_what, manifest, message) => {
    const folder = await projectOf();
    await mkdir(join(folder, 'base/blobs/sha256'), { recursive: true });
    const bytes = Buffer.from(JSON.stringify(manifest));
    const digest = digestOf(bytes);
    await writeFile(join(folder, 'base/blobs/sha256', hexOf(digest)), bytes);
    const manifests = [{ mediaType: mediaTypes.manifest, digest, size: bytes.length }];
    await writeFile(join(folder, 'base/index.json'), JSON.stringify({ schemaVersion: 2, manifests }));
    await expect(buildIn(folder, { base: 'oci:base', image: 'sites:1' })).rejects.toMatchObject({
      code: 'image-invalid',
      message: expect.stringMatching(message),
    });
  });
});
