// Writes src/protobuf/generated/message-fields.ts: which field of which type has which number on the wire. Needs the Go
// sources of the release: node scripts/generate-message-fields.mjs $(go env GOMODCACHE)/k8s.io v0.36.3
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [modules, version] = process.argv.slice(2);
if (modules === undefined || version === undefined) {
  throw new Error('usage: generate-message-fields.mjs MODULES_FOLDER VERSION');
}

const served =
  'admissionregistration/v1 apps/v1 authentication/v1 authorization/v1 autoscaling/v1 autoscaling/v2 batch/v1 certificates/v1 coordination/v1 core/v1 discovery/v1 events/v1 flowcontrol/v1 networking/v1 node/v1 policy/v1 rbac/v1 resource/v1 scheduling/v1 storage/v1';
const packages = new Map([
  ...served.split(' ').map((name) => [`k8s.io/api/${name}`, join(modules, `api@${version}`, name)]),
  ...['pkg/apis/meta/v1', 'pkg/runtime', 'pkg/util/intstr', 'pkg/api/resource'].map((name) => [
    `k8s.io/apimachinery/${name}`,
    join(modules, `apimachinery@${version}`, name),
  ]),
]);

/** `io.k8s.api.apps.v1` for `k8s.io/api/apps/v1`. */
const definitionPackage = (path) => `io.${path.replace('k8s.io', 'k8s').replaceAll('/', '.')}`;

const named = new Map();
const structs = new Map();
for (const [path, folder] of packages) {
  for (const file of readdirSync(folder)) {
    if (!file.endsWith('.go') || file.endsWith('_test.go') || file.includes('generated')) continue;
    const text = readFileSync(join(folder, file), 'utf8');
    const imports = new Map();
    for (const [, alias, imported] of text.matchAll(/^\s*(?:import )?(\w+)? ?"(k8s\.io\/[^"]+)"$/gm)) {
      imports.set(alias ?? imported.split('/').at(-1), imported);
    }
    for (const [, name, body] of text.matchAll(/^type (\w+) struct \{\n([\s\S]*?)^\}/gm)) {
      structs.set(`${path}.${name}`, { path, imports, body });
    }
    for (const [, name, type] of text.matchAll(/^type (\w+) ((?:map|\[\]|\w)[^\n{]*)$/gm)) {
      named.set(`${path}.${name}`, { path, imports, type });
    }
  }
}

const special = new Map([
  ['k8s.io/apimachinery/pkg/apis/meta/v1.Time', 'T'],
  ['k8s.io/apimachinery/pkg/apis/meta/v1.MicroTime', 'U'],
  ['k8s.io/apimachinery/pkg/apis/meta/v1.FieldsV1', 'R'],
  ['k8s.io/apimachinery/pkg/apis/meta/v1.Duration', 'D'],
  ['k8s.io/apimachinery/pkg/runtime.RawExtension', 'R'],
  ['k8s.io/apimachinery/pkg/util/intstr.IntOrString', 'O'],
  ['k8s.io/apimachinery/pkg/api/resource.Quantity', 'Q'],
]);
const basic = { string: 's', bool: 'b', int32: 'i', int64: 'i', int: 'i', uint32: 'i', uint8: 'i', float64: 'd' };

function typeCode(type, { path, imports }) {
  if (type === '[]byte') return 'y';
  if (type.startsWith('[]')) return `[${typeCode(type.slice(2), { path, imports })}`;
  const map = /^map\[[\w.]+\](.*)$/.exec(type);
  if (map !== null) return `{${typeCode(map[1], { path, imports })}`;
  if (type.startsWith('*')) return typeCode(type.slice(1), { path, imports });
  if (basic[type] !== undefined) return basic[type];
  const [first, second] = type.split('.');
  if (second === undefined && type === 'UID') return 's';
  const qualified = second === undefined ? `${path}.${first}` : `${imports.get(first)}.${second}`;
  if (qualified.endsWith('types.UID') || qualified.endsWith('types.NodeName')) return 's';
  if (special.has(qualified)) return special.get(qualified);
  if (structs.has(qualified)) return `@${qualified}`;
  const alias = named.get(qualified);
  if (alias === undefined) throw new Error(`unknown type ${type} in ${path}`);
  // A named list is a message of its own with the list as its first field; a named map is the map.
  const code = typeCode(alias.type, alias);
  return code.startsWith('[') ? `A${code.slice(1)}` : code;
}

const fieldLine = /^\s*(?:(\w+) )?(\S+) `json:"([^"]*)".*? protobuf:"\w+,(\d+),[^"]*"`/;
const reached = new Set();
const lines = [];
function write(qualified) {
  if (reached.has(qualified)) return;
  reached.add(qualified);
  const struct = structs.get(qualified);
  const fields = [];
  for (const line of struct.body.split('\n')) {
    const match = fieldLine.exec(line.replaceAll(/ +/g, ' ').replace(/\t/g, ' '));
    if (match === null) continue;
    const [, , type, json, number] = match;
    const inline = json.includes(',inline');
    const name = inline ? '' : json.split(',')[0];
    const code = typeCode(type, struct);
    const target = /@(.*)$/.exec(code)?.[1];
    if (target !== undefined) write(target);
    const pointer = type.startsWith('*') ? '*' : '';
    const short = code.replace(/@(.*)\.(\w+)$/, (_, path, message) => `@${definitionPackage(path)}.${message}`);
    fields.push(`${number}${inline ? '^' : `:${name}`}${pointer} ${short}`);
  }
  lines.push(`${definitionPackage(struct.path)}.${qualified.split('.').at(-1)}=${fields.join(',')}`);
}
for (const qualified of structs.keys()) {
  const { body } = structs.get(qualified);
  if (/ObjectMeta `json:"metadata/.test(body.replaceAll(/\s+/g, ' '))) write(qualified);
}
write('k8s.io/apimachinery/pkg/apis/meta/v1.DeleteOptions');

const packagesUsed = [
  ...new Set(lines.flatMap((line) => [...line.matchAll(/io\.k8s\.[\w.]+(?=\.\w+[=,]|\.\w+$)/g)].map(([name]) => name))),
];
const text = lines
  .sort()
  .map((line) => line.replaceAll(/io\.k8s\.[\w.]+(?=\.\w+(?:[=,]|$))/g, (name) => String(packagesUsed.indexOf(name))))
  .join('\n');
writeFileSync(
  new URL('../src/protobuf/generated/message-fields.ts', import.meta.url),
  `// Generated by scripts/generate-message-fields.mjs from the Go types of Kubernetes ${version.replace('v0', '1')}.

export const packages: readonly string[] = ${JSON.stringify(packagesUsed)};

export const messageFields: string = \`${text}\`;
`,
);
console.log(`${lines.length} messages`);
