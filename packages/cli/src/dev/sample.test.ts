import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSamples } from './sample.ts';

describe('readSamples', () => {
  let directory: string;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'evenkeel-samples-'));
  });

  afterAll(() => rm(directory, { recursive: true }));

  async function samplesIn(text: string) {
    const file = join(directory, 'sample.yaml');
    await writeFile(file, text);
    return readSamples(file);
  }

  it('reads every document of a file', async () => {
    const samples = await samplesIn(
      'apiVersion: v1\nkind: A\nmetadata: { name: a }\n---\n{"apiVersion":"v1","kind":"B","metadata":{"name":"b"}}\n',
    );
    expect(samples.map(({ object }) => object.kind)).toEqual(['A', 'B']);
  });

  it('skips empty documents', async () => {
    const samples = await samplesIn('---\n# a word first\n---\napiVersion: v1\nkind: A\nmetadata: { name: a }\n---\n');
    expect(samples.map(({ place }) => place)).toEqual([expect.stringMatching(/document 2$/)]);
  });

  it.each([
    ['kind: [', /document 1: not a Kubernetes object: /],
    ['['.repeat(10_000), /document 1: not a Kubernetes object: /],
    ['kind: A\nkind: B', /document 1: not a Kubernetes object: Map keys must be unique/],
    [
      '__proto__: { apiVersion: v1, kind: A, metadata: { name: a } }',
      /document 1: not a Kubernetes object: missing apiVersion, kind and metadata\.name$/,
    ],
    ['apiVersion: v1\nkind: A\nmetadata: {}\n', /document 1: not a Kubernetes object: missing metadata\.name$/],
    ['apiVersion: v1\nmetadata: a\n', /document 1: not a Kubernetes object: missing kind and metadata\.name$/],
    ['7', /document 1: not a Kubernetes object: missing apiVersion, kind and metadata\.name$/],
    ['', /sample\.yaml: contains no object; add one, or remove the file from "samples"$/],
    ['# only words\n---\n', /sample\.yaml: contains no object; /],
    ['apiVersion: v1\nkind: A\nmetadata: { name: a }\n---\n- 1\n', /document 2: not a Kubernetes object/],
  ])('names the file and the document of an invalid object: %j', async (text, message) => {
    await expect(samplesIn(text)).rejects.toMatchObject({
      code: 'invalid-sample',
      message: expect.stringMatching(message),
    });
  });

  it('rejects aliases that expand exponentially', async () => {
    const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
    for (let level = 1; level < 12; level++) {
      lines.push(`a${level}: &a${level} [${Array.from({ length: 10 }, () => `*a${level - 1}`).join(', ')}]`);
    }
    await expect(samplesIn(lines.join('\n'))).rejects.toMatchObject({ code: 'invalid-sample' });
  });

  it('names the missing file', async () => {
    await expect(readSamples('/nowhere/sample.yaml')).rejects.toMatchObject({
      code: 'invalid-sample',
      message: expect.stringContaining('/nowhere/sample.yaml'),
    });
  });
});
