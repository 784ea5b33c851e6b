import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ApiResource, apiResource } from '@evenkeel/core';
import { builtinGroups } from './discovery.ts';
import { type Definition, definitionPackages, loadDefinitions } from './schemas.ts';

// generated.test.ts compares the definitions with a 1.36.3 server; this file compares the classes with the definitions.

const folder = join(import.meta.dirname, 'generated/kinds');

interface Member {
  readonly isOptional: boolean;
  readonly type: string;
}

interface GeneratedClass {
  readonly name: string;
  readonly isKind: boolean;
  readonly members: ReadonlyMap<string, Member>;
}

/** Returns every module of classes, such as `core/v1`. */
const modules = readdirSync(folder).flatMap((group) =>
  readdirSync(join(folder, group)).map((file) => `${group}/${file.replace(/\.ts$/, '')}`),
);

/** Parses the classes of the generated modules, by their definitions. All have the same format, so this reads all of them. */
function generatedClasses(): Map<string, GeneratedClass> {
  const classes = new Map<string, GeneratedClass>();
  for (const module of modules) {
    const text = readFileSync(join(folder, `${module}.ts`), 'utf8');
    for (const [, name = '', heritage = '', body = ''] of text.matchAll(
      /^export class (\w+)([^{]*)\{\n([\s\S]*?)^\}/gm,
    )) {
      const definition = /\[schemaDefinition\]: string = '([^']+)'/.exec(body)?.[1] ?? `${module} ${name}`;
      const members = [...body.matchAll(/^ {2}declare (?:'([^']+)'|([\w$]+))(\?)?: (.*);$/gm)].map(
        ([, quoted, plain, optional, type = '']) =>
          [quoted ?? plain ?? '', { isOptional: optional === '?', type }] as const,
      );
      classes.set(definition, { name, isKind: heritage.includes('KubernetesObject'), members: new Map(members) });
    }
  }
  return classes;
}

async function allDefinitions(): Promise<(readonly [string, Definition])[]> {
  return (await Promise.all(definitionPackages.map(loadDefinitions))).flatMap((definitions) => [...definitions]);
}

/** The members that a class inherits from `KubernetesObject`, and the types that core has instead of a class. */
const inCore = [
  'ObjectMeta',
  'OwnerReference',
  'ManagedFieldsEntry',
  'Condition',
  'Status',
  'StatusCause',
  'StatusDetails',
];
/** The types of an API server's own information, which are not parts of an object. */
const ofServers = [
  'APIGroup',
  'APIGroupList',
  'APIResource',
  'APIResourceList',
  'APIVersions',
  'GroupVersionForDiscovery',
  'Info',
  'ServerAddressByClientCIDR',
  'WatchEvent',
];

describe('the generated classes', () => {
  const classes = generatedClasses();

  it('include every kind of a 1.36 server, with its group, version, plural and scope', async () => {
    const found = new Set<string>();
    for (const module of modules) {
      const exported = Object.values(
        (await import(`./generated/kinds/${module}.ts`)) as Record<string, { [apiResource]?: ApiResource }>,
      );
      for (const { [apiResource]: resource } of exported) {
        if (resource !== undefined) found.add(JSON.stringify(Object.entries(resource).sort()));
      }
    }
    const served = builtinGroups.flatMap(({ name: group, versions }) =>
      versions.flatMap(({ version, resources }) =>
        resources.map(({ kind, resource: plural, namespaced }) =>
          JSON.stringify(Object.entries({ group, version, kind, plural, namespaced }).sort()),
        ),
      ),
    );
    expect(served.length).toBeGreaterThan(60);
    expect(served.filter((resource) => !found.has(resource))).toEqual([]);
  });

  it('include every reusable type except lists, types of core, and types of information about the server', async () => {
    const without = (await allDefinitions())
      .filter(([name, { properties }]) => properties !== undefined && !classes.has(name))
      .map(
        ([name, { properties }]) =>
          [name.slice(name.lastIndexOf('.') + 1), properties?.['items'] !== undefined] as const,
      )
      .filter(([name, isList]) => !(isList && name.endsWith('List')))
      .map(([name]) => name);
    expect(without.sort()).toEqual([...inCore, ...ofServers].sort());
  });

  it('have exactly the properties of their definition, optional if they are not required', async () => {
    const wrong: string[] = [];
    let compared = 0;
    for (const [name, { properties = {}, required = [] }] of await allDefinitions()) {
      const generated = classes.get(name);
      if (generated === undefined) continue;
      const inherited = generated.isKind ? ['apiVersion', 'kind', 'metadata'] : [];
      for (const property of Object.keys(properties)) {
        const member = generated.members.get(property);
        if (inherited.includes(property)) continue;
        if (member === undefined) wrong.push(`${name} has no ${property}`);
        else if (member.isOptional === required.includes(property))
          wrong.push(`${name}.${property} is ${member.isOptional ? 'optional' : 'required'}`);
        compared++;
      }
      for (const member of generated.members.keys()) {
        if (!Object.hasOwn(properties, member)) wrong.push(`${name} has a ${member} of its own`);
      }
    }
    expect(wrong).toEqual([]);
    expect(compared).toBeGreaterThan(1800);
  });

  it('declare the apiVersion and kind of kinds as literals', () => {
    for (const { name, isKind, members } of classes.values()) {
      if (!isKind) continue;
      expect([name, members.get('apiVersion')?.type]).toEqual([name, expect.stringMatching(/^'[a-z0-9./]+'$/)]);
      expect([name, members.get('kind')]).toEqual([
        name,
        { isOptional: false, type: expect.stringMatching(/^'[A-Za-z]+'$/) },
      ]);
    }
  });
});
