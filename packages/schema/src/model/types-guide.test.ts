import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CustomResource, KubernetesObject, Spec } from '@evenkeel/core';
import { Type } from 'class-transformer';
import { parse } from 'yaml';
import type { StructuralSchema } from '../evaluate/structural-schema.ts';
import { generateCustomResourceDefinitions } from '../generate/generate.ts';
import { ClassSources } from '../source/class-sources.ts';
import { OxcSourceReader } from '../source/oxc-source-reader.ts';

class Tls {
  port = 443;
}
class Types {}
class Guide extends KubernetesObject {}
Type(() => Types)(Guide.prototype, 'spec');
Spec()(Guide.prototype, 'spec');
CustomResource({ group: 'docs.example.com', version: 'v1', kind: 'Guide' })(Guide);

const guide = await readFile(new URL('../../../../docs/types.md', import.meta.url), 'utf8');
const declarations = /```ts\n(export class Tls.*?)```/s.exec(guide)?.[1] ?? '';
const rows = [...guide.matchAll(/^\| `(.+?)`(?: \(.*\))? \| (?:`(.+)`|refused) \|$/gm)].map(
  ([, type = '', schema]) => ({
    type: type.replaceAll('\\|', '|'),
    schema,
  }),
);

describe('docs/types.md', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'evenkeel-types-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('shows the schema of each type', async () => {
    expect(rows.length).toBeGreaterThan(25);
    const file = join(folder, 'guide.ts');
    const members = rows.map(({ type }, index) => `p${index}?: ${type};`);
    const imports = "import type { IntOrString, ObjectReference } from 'evenkeel';";
    await writeFile(file, [imports, declarations, 'export class Types {', ...members, '}'].join('\n'));
    const sources = await ClassSources.read([pathToFileURL(file).href], {
      reader: new OxcSourceReader(),
      importModule: async () => ({ Tls, Types }),
    });
    const { findings } = await generateCustomResourceDefinitions([Guide], sources);
    const refused = rows.flatMap(({ schema }, index) => (schema === undefined ? [`p${index}`] : []));
    expect(findings.map(({ property }) => property)).toEqual(refused);

    const kept = members.filter((_, index) => !refused.includes(`p${index}`));
    await writeFile(file, [imports, declarations, 'export class Types {', ...kept, '}'].join('\n'));
    const read = await ClassSources.read([pathToFileURL(file).href], {
      reader: new OxcSourceReader(),
      importModule: async () => ({ Tls, Types }),
    });
    const { definitions } = await generateCustomResourceDefinitions([Guide], read);
    const schema = definitions[0]?.spec.versions[0]?.schema?.openAPIV3Schema as StructuralSchema | undefined;
    for (const [index, row] of rows.entries()) {
      if (row.schema === undefined) continue;
      const made = schema?.properties?.['spec']?.properties?.[`p${index}`];
      expect({ type: row.type, schema: made }).toEqual({ type: row.type, schema: parse(row.schema) });
    }
  });
});
