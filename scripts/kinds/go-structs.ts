import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A member of a Go struct that is written as protobuf. */
export interface GoField {
  /** Its name in JSON; undefined for an embedded struct, whose members JSON writes into the outer struct. */
  readonly json: string | undefined;
  readonly number: number;
  /** The embedded struct, in the same package. */
  readonly embedded: string | undefined;
  /** Whether JSON omits a zero value: `omitempty` without a pointer, which would distinguish zero from absent. */
  readonly dropsZero: boolean;
}

const modules = new Map([
  ['io.k8s.api.', 'api@v0.36.3'],
  ['io.k8s.apimachinery.', 'apimachinery@v0.36.3'],
  ['io.k8s.apiextensions-apiserver.', 'apiextensions-apiserver@v0.36.3'],
  ['io.k8s.kube-aggregator.', 'kube-aggregator@v0.36.3'],
]);

/** Returns the structs of the Go package of a definition package, by name. */
export function goStructsOf(definitionPackage: string, goModules: string): Map<string, GoField[]> {
  const folder = goFolderOf(definitionPackage, goModules);
  const structs = new Map<string, GoField[]>();
  for (const file of globSync('*.go', { cwd: folder })) {
    if (/_test\.go$|^zz_|^generated/.test(file)) continue;
    let fields: GoField[] | undefined;
    for (const line of readFileSync(join(folder, file), 'utf8').split('\n')) {
      const name = /^type (\w+) struct \{/.exec(line)?.[1];
      if (name !== undefined) {
        fields = [];
        structs.set(name, fields);
      } else if (line.startsWith('}')) fields = undefined;
      const field = fields === undefined ? undefined : goField(line);
      if (field !== undefined) fields?.push(field);
    }
  }
  return structs;
}

/** Returns the field numbers of the messages in the package's `generated.proto`, for comparison. */
export function protoNumbersOf(definitionPackage: string, goModules: string): Map<string, Set<number>> {
  const text = readFileSync(join(goFolderOf(definitionPackage, goModules), 'generated.proto'), 'utf8');
  const messages = new Map<string, Set<number>>();
  for (const [, name = '', body = ''] of text.matchAll(/^message (\w+) \{\n(.*?)^\}/gms)) {
    messages.set(name, new Set([...body.matchAll(/^ {2}[a-z].* = (\d+);$/gm)].map(([, number]) => Number(number))));
  }
  return messages;
}

function goFolderOf(definitionPackage: string, goModules: string): string {
  for (const [prefix, module] of modules) {
    if (definitionPackage.startsWith(prefix)) {
      return join(goModules, module, definitionPackage.slice(prefix.length).replaceAll('.', '/'));
    }
  }
  throw new Error(`unknown Go module of ${definitionPackage}`);
}

function goField(line: string): GoField | undefined {
  const [, member = '', tags = ''] = /^\t([^`/]+)`([^`]*)`/.exec(line) ?? [];
  const number = /protobuf:"\w+,(\d+)/.exec(tags)?.[1];
  const [json = '', ...options] = /json:"([^"]*)"/.exec(tags)?.[1]?.split(',') ?? [];
  if (number === undefined || json === '-') return undefined;
  const [first = '', type = first] = member.trim().split(/\s+/);
  const embeds = options.includes('inline');
  return {
    json: embeds ? undefined : json,
    number: Number(number),
    embedded: embeds ? type : undefined,
    dropsZero: options.includes('omitempty') && !type.startsWith('*'),
  };
}
