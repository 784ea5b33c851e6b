import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Import, importsBelow, isTest, root } from './imports.fixture.ts';

/** Which packages a package's own code may import, and why no others. */
const packageRules: Record<string, { readonly allowed: readonly string[]; readonly reason: string }> = {
  apimachinery: {
    allowed: [],
    reason: "Kubernetes' own rules depend on nobody who applies them, so that there is one copy of each for all",
  },
  core: {
    allowed: ['apimachinery'],
    reason: 'everything stands on the vocabulary, so it stands on nothing but the rules of Kubernetes itself',
  },
  kinds: {
    allowed: ['core'],
    reason: 'built-in kinds are data; whoever names a Deployment must not load a client or a schema engine',
  },
  client: {
    allowed: ['apimachinery', 'core', 'kinds'],
    reason: 'a script that reads a cluster must not carry informers or schemas',
  },
  schema: {
    allowed: ['apimachinery', 'core', 'kinds'],
    reason: 'schemas are made and evaluated without any connection',
  },
  runtime: {
    allowed: ['apimachinery', 'core', 'kinds', 'client'],
    reason: 'an operator in production carries neither the generator nor the embedded server',
  },
  apiserver: {
    allowed: ['apimachinery', 'core', 'kinds', 'schema'],
    reason: 'the server must be testable against any client, so it knows none',
  },
  testing: {
    allowed: ['apimachinery', 'core', 'kinds', 'client', 'apiserver'],
    reason: "runtime's own tests stand on it, so it is handed the operator and never imports runtime",
  },
  evenkeel: {
    allowed: ['core', 'kinds', 'client', 'runtime'],
    reason: 'what users import in production re-exports only what production needs',
  },
  cli: {
    allowed: ['apimachinery', 'core', 'kinds', 'client', 'schema', 'runtime', 'apiserver', 'testing', 'evenkeel'],
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
    never: ['packages/schema/src/!(evaluate)', 'class-validator', 'class-transformer', 'oxc-parser', 'yaml'],
    reason: "evaluation runs in the server and in operators, which carry none of the generator's dependencies",
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
    from: 'packages/apiserver/src/store',
    never: ['kind-description', 'strategy', 'object-codec', 'subresource'].map(
      (file) => `packages/apiserver/src/kind/${file}.ts`,
    ),
    reason: 'the store takes from kind only what an object is, nothing of its rules',
  },
];

/**
 * The folders of the embedded server from the bottom up: each may import those that it names, which stand above it in this
 * list, and itself. So there is no loop, type imports included.
 */
const apiserverFolders: readonly {
  readonly folder: string;
  readonly imports: readonly string[];
  readonly reason: string;
}[] = [
  {
    folder: 'status',
    imports: [],
    reason: 'every layer rejects requests with a Status, so it is below all',
  },
  {
    folder: 'request',
    imports: ['status'],
    reason: 'what a request is and asks for does not depend on who answers it',
  },
  { folder: 'patch', imports: [], reason: 'patching is a pure function of objects and schemas' },
  {
    folder: 'apply',
    imports: ['patch'],
    reason: 'merging and ownership are pure functions of objects and schemas',
  },
  { folder: 'listener', imports: ['request'], reason: 'a socket passes requests on, whoever answers them' },
  {
    folder: 'kind',
    imports: ['request'],
    reason: 'the description of a kind is a contract; what implements it and what reads it do not know each other',
  },
  {
    folder: 'store',
    imports: ['kind'],
    reason: 'the store keeps objects and their history, whatever kinds they are of',
  },
  { folder: 'table', imports: ['kind'], reason: 'columns are a pure function of objects' },
  {
    folder: 'authentication',
    imports: ['kind', 'request'],
    reason: 'who a caller is does not depend on what the caller may do',
  },
  { folder: 'authorization/generated', imports: [], reason: 'generated data' },
  {
    folder: 'authorization',
    imports: ['authentication', 'authorization/generated', 'kind', 'request', 'status', 'store'],
    reason: 'the policy is stored, and read without the rules of writes',
  },
  {
    folder: 'strategy',
    imports: ['kind'],
    reason: 'the rules that several API groups share know none of the groups',
  },
  {
    folder: 'strategy/pod',
    imports: ['kind', 'strategy'],
    reason: 'the rules of pods and their templates; workloads use them, they know no workload',
  },
  {
    folder: 'strategy/apps',
    imports: ['strategy', 'strategy/pod'],
    reason: 'an API group uses shared rules and those of pods',
  },
  {
    folder: 'strategy/core',
    imports: ['kind', 'status', 'strategy', 'strategy/apps', 'strategy/pod'],
    reason: 'an API group uses shared rules and those of pods; a ReplicationController is an old ReplicaSet',
  },
  {
    folder: 'strategy/batch',
    imports: ['strategy', 'strategy/pod'],
    reason: 'an API group uses shared rules and those of pods',
  },
  ...['autoscaling', 'coordination', 'networking', 'policy', 'rbac', 'storage'].map((group) => ({
    folder: `strategy/${group}`,
    imports: ['strategy'],
    reason: 'an API group uses shared rules and knows no other group',
  })),
  {
    folder: 'strategy/scheduling',
    imports: ['strategy'],
    reason: 'an API group uses shared rules and knows no other group',
  },
  {
    folder: 'customresource',
    imports: ['apply', 'kind', 'status', 'store', 'table'],
    reason: 'definitions are read, and kinds made of them, without the server that serves the kinds',
  },
  {
    folder: 'registry',
    imports: ['apply', 'kind', 'request', 'status', 'store'],
    reason: 'one set of rules for every write: it gets the kind, the strategy and the admission steps passed',
  },
  {
    folder: 'catalog',
    imports: [
      ...['apply', 'authentication', 'customresource', 'kind', 'registry', 'status', 'table'],
      ...['core', 'pod', 'apps', 'autoscaling', 'batch', 'coordination', 'networking', 'policy', 'rbac'].map(
        strategyOf,
      ),
      ...['scheduling', 'storage'].map(strategyOf),
    ],
    reason: 'the list of all kinds, built-in and custom: it brings each together with its strategy and columns',
  },
  {
    folder: 'admission',
    imports: ['authorization', 'catalog', 'kind', 'registry', 'status', 'store'],
    reason: 'admission plugins are steps that the registry runs and does not know',
  },
  {
    folder: 'handlers',
    imports: [...['apply', 'authorization', 'catalog', 'kind', 'patch', 'registry', 'request', 'status'], 'store'],
    reason: 'the request pipeline answers by the description of a kind, whichever strategy and plugins stand behind it',
  },
  {
    folder: 'discovery',
    imports: ['catalog', 'handlers', 'kind', 'request', 'status'],
    reason: 'one more path of the pipeline, which does not know it',
  },
  {
    folder: 'openapi',
    imports: ['catalog', 'customresource', 'handlers', 'kind', 'request', 'store'],
    reason: 'one more path of the pipeline, which does not know it',
  },
  {
    folder: 'controllers',
    imports: ['catalog', 'kind', 'patch', 'registry', 'request', 'status', 'store'],
    reason: 'controllers are clients of the registry; they take no way around it, and no request on a wire',
  },
  {
    folder: 'controllers/job',
    imports: ['controllers'],
    reason: 'one controller in many files, which the others do not know',
  },
  {
    folder: 'controllers/volume',
    imports: ['controllers'],
    reason: 'the controllers of volumes, which the others do not know',
  },
];

function strategyOf(group: string): string {
  return `strategy/${group}`;
}

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

  it.each(['apimachinery', 'core'])('%s does no I/O', (name) => {
    const wrong = importsBelow(`packages/${name}/src`)
      .filter((found) => !isTest(found.file) && found.target.startsWith('node:'))
      .filter(
        (found) => !(found.file.startsWith('packages/apimachinery/src/certificate/') && found.target === 'node:crypto'),
      )
      .map(describeImport);
    expect(wrong).toEqual([]);
  });

  it('what operators load of apimachinery at their start is what operators need', () => {
    const light = ['json', 'json-scan', 'name-form', 'rbac', 'selector', 'status'];
    const wrong = ['core', 'client', 'runtime']
      .flatMap((name) => importsBelow(`packages/${name}/src`))
      .filter((found) => !isTest(found.file) && !found.typeOnly && !found.dynamic)
      .filter((found) => found.target.startsWith('@evenkeel/apimachinery/'))
      .filter((found) => !light.some((path) => found.target === `@evenkeel/apimachinery/${path}`))
      .map((found) => `${describeImport(found)}: each module costs up to half a millisecond of a start`);
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

describe('folders of the embedded server', () => {
  const source = 'packages/apiserver/src';
  const folderOf = (file: string): string => dirname(file).slice(source.length + 1);
  const imports = importsBelow(source).filter((found) => !isTest(found.file));

  it('are all in the list, once', () => {
    const folders = new Set(imports.map(({ file }) => folderOf(file)).filter((folder) => folder !== ''));
    for (const { target } of imports) {
      if (target.startsWith(`${source}/`) && folderOf(target) !== '') folders.add(folderOf(target));
    }
    expect(apiserverFolders.map(({ folder }) => folder).sort()).toEqual([...folders].sort());
  });

  it.each(apiserverFolders.map((rule, index) => [rule.folder, rule, index] as const))(
    '%s may import only folders that are listed before it',
    (_folder, rule, index) => {
      const below = apiserverFolders.slice(0, index).map(({ folder }) => folder);
      expect(rule.imports.filter((folder) => !below.includes(folder))).toEqual([]);
    },
  );

  it.each(apiserverFolders.map((rule) => [rule.folder, rule] as const))('%s', (_folder, rule) => {
    const wrong = imports
      .filter(({ file, target }) => folderOf(file) === rule.folder && target.startsWith(`${source}/`))
      .filter(({ target }) => ![rule.folder, ...rule.imports].includes(folderOf(target)))
      .map((found) => `${describeImport(found)}: ${rule.reason}`);
    expect(wrong).toEqual([]);
  });

  it('name no folder that they do not import', () => {
    const unused = apiserverFolders.flatMap(({ folder, imports: allowed }) =>
      allowed
        .filter((other) => !imports.some(({ file, target }) => folderOf(file) === folder && folderOf(target) === other))
        .map((other) => `${folder} does not import ${other}`),
    );
    expect(unused).toEqual([]);
  });
});

/** A folder or a package; `dir/!(name)` is everything in `dir` outside of `name`. */
function matches(pattern: string, target: string): boolean {
  const except = /^(.*)\/!\((.*)\)$/.exec(pattern);
  if (except !== null) {
    return target.startsWith(`${except[1]}/`) && !target.startsWith(`${except[1]}/${except[2]}/`);
  }
  return target === pattern || target.startsWith(`${pattern}/`);
}
