import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Import, importsBelow, isTest, root } from './imports.fixture.ts';

/** Which packages a package's own code may import, and why no others. */
const packageRules: Record<string, { readonly allowed: readonly string[]; readonly reason: string }> = {
  core: {
    allowed: [],
    reason: 'everything stands on the vocabulary, so it stands on nothing',
  },
  kinds: {
    allowed: ['core'],
    reason: 'built-in kinds are data; whoever names a Deployment must not load a client or a schema engine',
  },
  client: {
    allowed: ['core', 'kinds'],
    reason: 'a script that reads a cluster must not carry informers or schemas',
  },
  schema: {
    allowed: ['core', 'kinds'],
    reason: 'schemas are made and evaluated without any connection',
  },
  runtime: {
    allowed: ['core', 'kinds', 'client'],
    reason: 'an operator in production carries neither the generator nor the embedded server',
  },
  apiserver: {
    allowed: ['core', 'kinds', 'schema'],
    reason: 'the server must be testable against any client, so it knows none',
  },
  testing: {
    allowed: ['core', 'kinds', 'client', 'apiserver'],
    reason: "runtime's own tests stand on it, so it is handed the operator and never imports runtime",
  },
  evenkeel: {
    allowed: ['core', 'kinds', 'client', 'runtime'],
    reason: 'what users import in production re-exports only what production needs',
  },
  cli: {
    allowed: ['core', 'kinds', 'client', 'schema', 'runtime', 'apiserver', 'testing', 'evenkeel'],
    reason: 'the command is thin over all others; nothing imports it',
  },
};

/** Which folders inside a package must not import which, and why. */
const folderRules: readonly {
  readonly from: string;
  readonly never: readonly string[];
  readonly reason: string;
}[] = [
  {
    from: 'packages/core/src/decorators',
    never: ['packages/core/src/rbac', 'packages/core/src/controller-plan'],
    reason: 'decorators record what is declared; reading, checking and deriving come after',
  },
  {
    from: 'packages/schema/src/evaluate',
    never: ['class-validator', 'class-transformer', 'oxc-parser', 'yaml'],
    reason: "evaluation runs in the server and in operators, which carry none of the generator's dependencies",
  },
  {
    from: 'packages/schema/src/regular-expression',
    never: ['class-validator', 'class-transformer', 'oxc-parser', 'yaml'],
    reason: 'evaluation compiles patterns with it',
  },
  {
    from: 'packages/runtime/src/cache',
    never: ['source', 'predicate', 'handler', 'reconcile', 'controller', 'manager', 'wiring', 'event'].map(
      (folder) => `packages/runtime/src/${folder}`,
    ),
    reason: 'informers are usable without controllers, as in client-go',
  },
  {
    from: 'packages/runtime/src/workqueue',
    never: ['cache', 'source', 'predicate', 'handler', 'reconcile', 'controller', 'manager', 'wiring', 'event'].map(
      (folder) => `packages/runtime/src/${folder}`,
    ),
    reason: 'a queue of keys knows nothing of what the keys name',
  },
  {
    from: 'packages/runtime/src/source',
    never: ['controller', 'manager', 'wiring'].map((folder) => `packages/runtime/src/${folder}`),
    reason: 'a source fills a queue, whoever empties it',
  },
  {
    from: 'packages/runtime/src/fields',
    never: ['cache', 'source', 'handler', 'reconcile', 'controller', 'manager', 'wiring'].map(
      (folder) => `packages/runtime/src/${folder}`,
    ),
    reason: 'which fields a server lacks does not depend on who needs them',
  },
  {
    from: 'packages/runtime/src/handler',
    never: ['source', 'controller', 'manager', 'wiring'].map((folder) => `packages/runtime/src/${folder}`),
    reason: 'a handler maps an event to keys, wherever the event came from',
  },
  {
    from: 'packages/runtime/src/controller',
    never: ['manager', 'wiring'].map((folder) => `packages/runtime/src/${folder}`),
    reason: 'a controller runs under any manager, or none',
  },
  {
    from: 'packages/runtime/src/builder',
    never: ['controller', 'manager', 'wiring', 'source', 'handler'].map((folder) => `packages/runtime/src/${folder}`),
    reason: 'it writes declarations, as decorators do; the wiring reads them',
  },
  {
    from: 'packages/runtime/src/metrics',
    never: ['http', 'manager', 'wiring'].map((folder) => `packages/runtime/src/${folder}`),
    reason: 'what is measured does not depend on who reads it, and how',
  },
  {
    from: 'packages/runtime/src/http',
    never: ['cache', 'source', 'workqueue', 'handler', 'reconcile', 'controller', 'election', 'wiring'].map(
      (folder) => `packages/runtime/src/${folder}`,
    ),
    reason: 'a server answers what it is handed, whatever the operator is made of',
  },
  {
    from: 'packages/runtime/src/manager',
    never: ['packages/runtime/src/controller', 'packages/runtime/src/wiring', 'packages/runtime/src/reconcile'],
    reason: 'a manager starts and stops Runnables and knows no kind of them',
  },
  {
    from: 'packages/apiserver/src/apply',
    never: ['store', 'request', 'kind', 'controllers', 'listener'].map((folder) => `packages/apiserver/src/${folder}`),
    reason: 'merging and ownership are pure functions of objects and schemas',
  },
  {
    from: 'packages/apiserver/src/patch',
    never: ['store', 'request', 'kind', 'controllers', 'listener'].map((folder) => `packages/apiserver/src/${folder}`),
    reason: 'patching is a pure function of objects and schemas',
  },
  {
    from: 'packages/apiserver/src/store',
    never: [
      ...['request', 'registry', 'controllers', 'listener', 'strategy'],
      ...['kind/kind-description.ts', 'kind/strategy.ts', 'kind/object-codec.ts'],
    ].map((place) => `packages/apiserver/src/${place}`),
    reason: 'the store keeps objects and their history, whatever kinds they are of',
  },
];

/**
 * The folders of packages/schema/src from the lowest to the highest, what each may import (types included), and why. A
 * folder imports only folders above its own line, so that no loop is possible. `evaluate/**` is that folder and all below
 * it. An `index.ts` that package.json exports belongs to no folder: it may import all of them.
 */
const schemaFolders: Record<string, { readonly allowed: readonly string[]; readonly reason: string }> = {
  finding: { allowed: [], reason: 'what generation reports does not depend on who found it' },
  'regular-expression': {
    allowed: [],
    reason: 'RE2 is one subject; the server, the generator and the validator use it',
  },
  evaluate: { allowed: [], reason: 'field errors, names and JSON values are the terms of all evaluation' },
  yaml: { allowed: ['evaluate'], reason: 'the text of a CRD does not depend on how the CRD was made' },
  'evaluate/format': { allowed: ['evaluate'], reason: 'a format is a function of a string' },
  'evaluate/cel/value': {
    allowed: ['evaluate', 'evaluate/format'],
    reason: 'values and types of CEL exist without an expression',
  },
  'evaluate/cel/syntax': {
    allowed: ['evaluate', 'evaluate/cel/value'],
    reason: 'parsing does not depend on which functions exist',
  },
  'evaluate/cel/library': {
    allowed: ['regular-expression', 'evaluate', 'evaluate/format', 'evaluate/cel/value'],
    reason: 'a function takes values and returns one; it does not know the expression that calls it',
  },
  'evaluate/cel/check': {
    allowed: ['evaluate/cel/value', 'evaluate/cel/syntax', 'evaluate/cel/library'],
    reason: 'an expression is checked before its cost is estimated and before it is planned',
  },
  'evaluate/cel/cost': {
    allowed: ['evaluate', 'evaluate/cel/value', 'evaluate/cel/syntax', 'evaluate/cel/library'],
    reason: 'costs follow from calls and values, not from how they are evaluated',
  },
  'evaluate/cel/plan': {
    allowed: ['evaluate/cel/value', 'evaluate/cel/syntax', 'evaluate/cel/library', 'evaluate/cel/cost'],
    reason: 'a plan evaluates a checked expression and charges its costs',
  },
  'evaluate/cel': {
    allowed: ['value', 'syntax', 'library', 'check', 'cost', 'plan'].map((folder) => `evaluate/cel/${folder}`),
    reason: 'CEL knows the types of a schema, but not the objects and CRDs that have rules',
  },
  'evaluate/custom-resource': {
    allowed: ['regular-expression', 'evaluate', 'evaluate/format', 'evaluate/cel', 'evaluate/cel/value'],
    reason: 'an object is evaluated by a schema, wherever the schema is from',
  },
  'evaluate/apiextensions': {
    allowed: ['regular-expression', 'evaluate', 'evaluate/format', 'evaluate/cel', 'evaluate/custom-resource'],
    reason: "a CRD's defaults are objects, so its validation uses that of custom resources",
  },
  builtin: { allowed: ['evaluate'], reason: "schemas of Kubernetes' own types do not depend on the user's classes" },
  'constraints/rule': { allowed: ['evaluate'], reason: 'the contract of a rule, which all rules implement' },
  'constraints/value': {
    allowed: ['evaluate', 'regular-expression', 'constraints/rule'],
    reason: 'the rules that every API uses do not need those about special strings',
  },
  'constraints/text': {
    allowed: ['evaluate', 'regular-expression', 'constraints/rule', 'constraints/value'],
    reason: 'rules about special strings (phone numbers, post codes) are used by the table alone',
  },
  constraints: {
    allowed: ['evaluate/**', 'constraints/rule', 'constraints/value', 'constraints/text'],
    reason: 'a decorator becomes keywords of a schema, whichever class it is on',
  },
  source: { allowed: ['finding', 'builtin'], reason: 'reading TypeScript judges no type' },
  model: {
    allowed: ['finding', 'evaluate/**', 'builtin', 'constraints', 'constraints/rule', 'source'],
    reason: 'what a class says is known before a schema is made',
  },
  'class-schema': {
    allowed: ['finding', 'evaluate/**', 'builtin', 'constraints', 'constraints/value', 'model'],
    reason: 'the schema of a class does not depend on the kind that uses it',
  },
  'resource-options': {
    allowed: ['finding', 'evaluate/**'],
    reason: 'the options of @CustomResource are checked without a schema',
  },
  definition: {
    allowed: ['finding', 'evaluate/**', 'source', 'model', 'class-schema', 'resource-options'],
    reason: 'a CRD is made of one kind and checked, without the other kinds',
  },
  generate: {
    allowed: ['finding', 'evaluate', 'constraints', 'source', 'definition'],
    reason: 'it goes through the classes and leaves every question about one of them to the folders below',
  },
  validator: {
    allowed: ['regular-expression', 'evaluate/**', 'constraints', 'model'],
    reason: 'it runs in operators, which carry no generator; of constraints it uses types',
  },
  validate: {
    allowed: ['finding', 'evaluate/**', 'source', 'generate', 'validator'],
    reason: 'it makes the CRD of a class, evaluates it and runs the validator; nothing uses it but tests of users',
  },
};

function packageOf(specifier: string): string | undefined {
  if (specifier === 'evenkeel') return 'evenkeel';
  return /^@evenkeel\/([^/]+)/.exec(specifier)?.[1] ?? /^packages\/([^/]+)\//.exec(specifier)?.[1];
}

function describeImport(found: Import): string {
  return `${found.file} imports ${found.target}`;
}

describe('directions between packages', () => {
  it.each(Object.keys(packageRules))('packages/%s imports only what stands below it', (name) => {
    const rule = packageRules[name];
    const wrong = importsBelow(`packages/${name}/src`)
      .filter((found) => !isTest(found.file))
      .filter((found) => {
        const target = packageOf(found.target);
        return target !== undefined && target !== name && !rule?.allowed.includes(target);
      })
      .map((found) => `${describeImport(found)}: ${rule?.reason}`);
    expect(wrong).toEqual([]);
  });

  it('reaches other packages by their names, never by a path', () => {
    const wrong = Object.keys(packageRules)
      .flatMap((name) => importsBelow(`packages/${name}/src`).map((found) => ({ name, found })))
      .filter(
        ({ name, found }) => found.target.startsWith('packages/') && !found.target.startsWith(`packages/${name}/`),
      )
      .map(({ found }) => describeImport(found));
    expect(wrong).toEqual([]);
  });

  it('core does no I/O', () => {
    const wrong = importsBelow('packages/core/src')
      .filter((found) => !isTest(found.file) && found.target.startsWith('node:'))
      .filter((found) => !(found.file.startsWith('packages/core/src/certificate/') && found.target === 'node:crypto'))
      .map(describeImport);
    expect(wrong).toEqual([]);
  });

  it('core leaves certificates, and the cryptography that they load, to those who name that sub-path', () => {
    const wrong = importsBelow('packages/core/src')
      .filter((found) => !isTest(found.file) && !found.file.startsWith('packages/core/src/certificate/'))
      .filter((found) => found.target.startsWith('packages/core/src/certificate/'))
      .map(describeImport);
    expect(wrong).toEqual([]);
  });

  it("keeps runtime's tests free of testing's users: testing never imports runtime, not even in tests", () => {
    const wrong = importsBelow('packages/testing/src')
      .filter((found) => packageOf(found.target) === 'runtime')
      .map(describeImport);
    expect(wrong).toEqual([]);
  });
});

describe('directions between folders', () => {
  it.each(folderRules.map((rule) => [rule.from, rule] as const))('%s', (_from, rule) => {
    expect(existsSync(join(root, rule.from))).toBe(true);
    const wrong = importsBelow(rule.from)
      .filter((found) => !isTest(found.file))
      .filter((found) => rule.never.some((pattern) => matches(pattern, found.target)))
      .map((found) => `${describeImport(found)}: ${rule.reason}`);
    expect(wrong).toEqual([]);
  });
});

/** Whether a target is a package or file, or is in a folder. */
function matches(pattern: string, target: string): boolean {
  return target === pattern || target.startsWith(`${pattern}/`);
}

describe('directions between the folders of packages/schema/src', () => {
  const base = 'packages/schema/src/';
  const folders = Object.keys(schemaFolders);
  const doors = ['index.ts', 'evaluate/index.ts', 'validator/index.ts'].map((file) => base + file);
  const imports = importsBelow('packages/schema/src').filter(({ file }) => !isTest(file));

  const folderOf = (file: string) => dirname(file).slice(base.length);

  it.each(folders)('%s imports only what its rule allows', (folder) => {
    const rule = schemaFolders[folder];
    const wrong = imports
      .filter(({ file, target }) => folderOf(file) === folder && !doors.includes(file) && target.startsWith(base))
      .filter(
        ({ target }) => folderOf(target) !== folder && !rule?.allowed.some((one) => allows(one, folderOf(target))),
      )
      .map((found) => `${describeImport(found)}: ${rule?.reason}`);
    expect(wrong).toEqual([]);
  });

  it.each(folders)('%s is allowed only folders that are lower', (folder) => {
    const lower = folders.slice(0, folders.indexOf(folder));
    const wrong = folders.filter(
      (other) =>
        other !== folder && !lower.includes(other) && schemaFolders[folder]?.allowed.some((one) => allows(one, other)),
    );
    expect(wrong).toEqual([]);
  });

  it('has a rule for every folder', () => {
    const found = new Set(imports.map(({ file }) => folderOf(file)).filter((folder) => folder !== ''));
    expect([...found].filter((folder) => !folders.includes(folder))).toEqual([]);
    expect(folders.filter((folder) => !existsSync(join(root, base, folder)))).toEqual([]);
  });

  it('imports what it exports from the folders, never through an index.ts that package.json exports', () => {
    expect(imports.filter(({ target }) => doors.includes(target)).map(describeImport)).toEqual([]);
  });
});

/** Whether an entry of a rule means a folder; `evaluate/**` means `evaluate` and all below it. */
function allows(entry: string, folder: string): boolean {
  return entry.endsWith('/**') ? matches(entry.slice(0, -'/**'.length), folder) : entry === folder;
}
