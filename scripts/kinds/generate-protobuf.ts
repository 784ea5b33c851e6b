import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadDefinitions } from '../../packages/kinds/src/definition.ts';
import { builtinGroups } from '../../packages/kinds/src/generated/discovery.ts';
import { type Definition, packageOf, referencesOf } from './definitions.ts';
import { messageModules } from './message-modules.ts';

export const protobufTarget = join(import.meta.dirname, '../../packages/kinds/src/generated/protobuf');

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const apiextensions = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1';

/** Types whose messages differ from their JSON; the decoder implements each of them. */
const special = new Set([
  'io.k8s.apimachinery.pkg.api.resource.Quantity',
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString',
  'io.k8s.apimachinery.pkg.runtime.RawExtension',
  `${meta}.FieldsV1`,
  `${meta}.Time`,
  `${meta}.MicroTime`,
  `${apiextensions}.JSON`,
  `${apiextensions}.JSONSchemaPropsOrArray`,
  `${apiextensions}.JSONSchemaPropsOrBool`,
  `${apiextensions}.JSONSchemaPropsOrStringArray`,
]);

/**
 * Returns the files under `packages/kinds/src/generated/protobuf` by name, from the committed schemas and a folder with
 * the Go modules as Go's client downloads them: `GOMODCACHE/k8s.io`.
 */
export async function generateProtobuf(goModules: string): Promise<Map<string, string>> {
  return messageModules(await requestDefinitions(), goModules);
}

/** The definitions that request bodies can contain. */
async function requestDefinitions(): Promise<Map<string, Definition>> {
  const names = new Set([`${meta}.DeleteOptions`]);
  for (const { versions } of builtinGroups) {
    for (const { definition, subresources = [] } of versions.flatMap(({ resources }) => resources)) {
      names.add(definition);
      for (const { definition } of subresources) if (definition !== undefined) names.add(definition);
    }
  }
  const found = new Map<string, Definition>();
  // The iterator of a set also visits items that are added during the iteration.
  for (const name of names) {
    if (special.has(name)) continue;
    const definition = (await loadDefinitions(packageOf(name))).get(name) as Definition | undefined;
    if (definition === undefined) throw new Error(`unknown definition ${name}`);
    found.set(name, definition);
    for (const reference of referencesOf(definition)) names.add(reference);
  }
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

async function main(args: readonly string[]): Promise<number> {
  const [goModules, ...others] = args;
  if (goModules === undefined || others.length > 0) {
    console.error('usage: node scripts/kinds/generate-protobuf.ts GOMODCACHE/k8s.io');
    return 2;
  }
  const files = await generateProtobuf(goModules);
  mkdirSync(protobufTarget, { recursive: true });
  for (const name of readdirSync(protobufTarget)) if (!files.has(name)) rmSync(join(protobufTarget, name));
  let written = 0;
  for (const [name, text] of files) {
    const path = join(protobufTarget, name);
    if (readdirSync(protobufTarget).includes(name) && readFileSync(path, 'utf8') === text) continue;
    writeFileSync(path, text);
    written += 1;
  }
  console.log(`${files.size} files, ${written} written`);
  return 0;
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2));
