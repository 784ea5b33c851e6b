import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { type Import, importsBelow, importsInCircles, isTest, root, sourceFilesBelow } from './imports.fixture.ts';

/** The packages that each package's code may import, with the reasons. */
const packageRules: Record<string, { readonly allowed: readonly string[]; readonly reason: string }> = {
  apimachinery: {
    allowed: [],
    reason: "Kubernetes' own rules do not depend on the code that applies them, so one copy serves all packages",
  },
  core: {
    allowed: ['apimachinery'],
    reason: "all packages use its vocabulary, so it imports only Kubernetes' own rules",
  },
  kinds: {
    allowed: ['core'],
    reason: 'built-in kinds are data; code that uses Deployment must not load a client or a schema engine',
  },
  client: {
    allowed: ['apimachinery', 'core', 'kinds'],
    reason: 'a script that reads a cluster must not load informers or schemas',
  },
  schema: {
    allowed: ['apimachinery', 'core', 'kinds'],
    reason: 'schemas are generated and evaluated without a connection',
  },
  olm: {
    allowed: ['apimachinery', 'core', 'kinds', 'schema'],
    reason: 'bundles are files: they are read and checked without a project, a client or a server',
  },
  runtime: {
    allowed: ['apimachinery', 'core', 'kinds', 'client'],
    reason: 'an operator in production contains neither the generator nor the embedded server',
  },
  apiserver: {
    allowed: ['apimachinery', 'core', 'kinds', 'schema'],
    reason: 'the server must be testable with any client, so it imports none',
  },
  testing: {
    allowed: ['apimachinery', 'core', 'kinds', 'client', 'schema', 'apiserver'],
    reason: "runtime's own tests use it, so it gets the operator as a parameter and never imports runtime",
  },
  evenkeel: {
    allowed: ['core', 'kinds', 'client', 'runtime'],
    reason: 'what users import in production re-exports only what production needs',
  },
  cli: {
    allowed: [
      'apimachinery',
      'core',
      'kinds',
      'client',
      'schema',
      'olm',
      'runtime',
      'apiserver',
      'testing',
      'evenkeel',
    ],
    reason: 'the command is a thin layer above all others; nothing imports it',
  },
};

/** Loaded by dynamic imports, with the certificate authority of apimachinery. */
const builtInCertificates = 'packages/runtime/src/webhook/certificates';

/** The folders inside a package that must not import others, with the reasons. */
const folderRules: readonly {
  readonly from: string;
  readonly never: readonly string[];
  readonly reason: string;
}[] = [
  {
    from: 'packages/schema/src/evaluate',
    never: ['class-validator', 'class-transformer', 'oxc-parser', 'yaml'],
    reason: "evaluation runs in the server and in operators, which do not contain the generator's dependencies",
  },
  {
    from: 'packages/schema/src/regular-expression',
    never: ['class-validator', 'class-transformer', 'oxc-parser', 'yaml'],
    reason: 'evaluation compiles patterns with it',
  },
  {
    from: 'packages/cli/src/manifests',
    never: ['generate', 'commands', 'dev', 'build', 'chart', 'scaffold'].map((folder) => `packages/cli/src/${folder}`),
    reason: 'manifests follow from a checked operator; the generator decides which ones, and in which order',
  },
  {
    from: 'packages/cli/src/monitoring',
    never: ['generate', 'load', 'chart', 'olm', 'commands', 'dev', 'build', 'scaffold'].map(
      (folder) => `packages/cli/src/${folder}`,
    ),
    reason:
      'alerts and dashboards are manifests about the metrics of an operator; what a configuration may contain is checked before',
  },
  {
    from: 'packages/cli/src/chart',
    never: ['generate', 'commands', 'dev', 'build', 'scaffold'].map((folder) => `packages/cli/src/${folder}`),
    reason: 'a chart is made of manifests, which it gets from the generator with placeholders instead of names',
  },
  {
    from: 'packages/cli/src/scaffold',
    never: ['generate', 'load', 'manifests', 'dev', 'build', 'commands', 'edit', 'create'].map(
      (folder) => `packages/cli/src/${folder}`,
    ),
    reason: 'a new project is only text; its packages are not installed yet',
  },
  {
    from: 'packages/cli/src/registry',
    never: ['image', 'build', 'load', 'generate', 'commands', 'manifests', 'dev', 'scaffold'].map(
      (folder) => `packages/cli/src/${folder}`,
    ),
    reason: 'requests to registries do not depend on what is pulled or pushed',
  },
  {
    from: 'packages/cli/src/image',
    never: ['build', 'generate', 'commands', 'dev', 'scaffold'].map((folder) => `packages/cli/src/${folder}`),
    reason: 'an image is made of any files; what is bundled, and how, is decided by the build',
  },
  {
    from: 'packages/cli/src/edit',
    never: ['generate', 'load', 'manifests', 'dev', 'build', 'commands', 'create'].map(
      (folder) => `packages/cli/src/${folder}`,
    ),
    reason: 'an edit of a list or an import does not know what the project declares in it',
  },
  {
    from: 'packages/cli/src/create',
    never: ['module-loader', 'project-settings'].map((file) => `packages/cli/src/load/${file}.ts`),
    reason: 'create and delete read the syntax of sources, so they work if the sources cannot be loaded',
  },
  {
    from: 'packages/cli/src/report',
    never: ['generate', 'load', 'cluster', 'deploy', 'dev', 'build', 'commands', 'create', 'scaffold'].map(
      (folder) => `packages/cli/src/${folder}`,
    ),
    reason: 'all commands print the same document, and know what is in theirs',
  },
  {
    from: 'packages/cli/src/upgrade',
    never: ['packages/cli/src/commands', 'packages/cli/src/load/module-loader.ts'],
    reason:
      'an upgrade reads the syntax of sources, which the new version may be unable to load; it is given what generates files',
  },
  {
    from: 'packages/cli/src/cluster',
    never: ['deploy', 'doctor', 'commands', 'dev', 'build'].map((folder) => `packages/cli/src/${folder}`),
    reason: 'commands for clusters share a connection and a report; what they do there is theirs',
  },
  {
    from: 'packages/cli/src/deploy',
    never: ['doctor', 'commands', 'dev', 'build'].map((folder) => `packages/cli/src/${folder}`),
    reason: 'doctor looks at what deploy has written',
  },
  {
    from: 'packages/cli/src/dev/operator',
    never: ['session', 'reload', 'keys'].map((folder) => `packages/cli/src/dev/${folder}`),
    reason:
      "the process of an operator loads neither the embedded server nor the command's terminal, or a reload would be slower",
  },
  {
    from: 'packages/cli/src/dev/session',
    never: ['reload', 'keys'].map((folder) => `packages/cli/src/dev/${folder}`),
    reason: 'a session runs one program after the other; it does not know why',
  },
  {
    from: 'packages/apiserver/src/store',
    never: ['kind-description', 'strategy', 'object-codec', 'subresource'].map(
      (file) => `packages/apiserver/src/kind/${file}.ts`,
    ),
    reason: 'the store imports from kind only the type of an object, not its rules',
  },
];

/**
 * The folders of a package from the lowest to the highest: each imports only itself and the folders that it names, which
 * are above it in the list. This excludes loops, type imports included. An `index.ts` that package.json exports belongs
 * to no folder: it imports what it exports, and nothing imports it.
 */
const folderLayers: Readonly<
  Record<string, readonly { readonly folder: string; readonly imports: readonly string[]; readonly reason: string }[]>
> = {
  'packages/apimachinery/src': [
    { folder: 'limits', imports: [], reason: 'numbers' },
    { folder: 'status', imports: [], reason: 'types' },
    { folder: 'json', imports: [], reason: 'all other folders work on values of JSON' },
    { folder: 'names', imports: [], reason: 'a rule for names is a function of a string' },
    { folder: 'selector', imports: [], reason: 'operators load it at startup, without the other folders' },
    { folder: 'rbac', imports: [], reason: 'operators load it after a rejected request, without the other folders' },
    { folder: 'quantity', imports: [], reason: 'an amount is a function of a string' },
    { folder: 'certificate', imports: [], reason: 'only code that serves HTTPS loads it' },
    {
      folder: 'go-format',
      imports: ['json'],
      reason: 'how Go prints a value does not depend on the purpose of the string',
    },
    {
      folder: 'json-patch',
      imports: ['limits', 'json', 'go-format'],
      reason: 'only code that applies patches loads it; messages quote as Go does',
    },
    {
      folder: 'yaml',
      imports: ['json', 'go-format'],
      reason: 'only code that reads YAML of others loads it; its errors are those of Go',
    },
    { folder: 'field-error', imports: ['go-format', 'status'], reason: 'an error shows a value as Go prints it' },
    {
      folder: 'object-meta',
      imports: ['limits', 'json', 'names', 'selector', 'go-format', 'field-error'],
      reason: 'the rules of metadata use those of names and labels',
    },
  ],
  'packages/core/src': [
    { folder: 'errors', imports: [], reason: 'all code that can fail uses errors, so errors use nothing' },
    { folder: 'object', imports: [], reason: 'objects, keys and conditions are JSON, independent of the kind' },
    {
      folder: 'kind',
      imports: ['errors', 'object'],
      reason: 'a kind describes its objects; it does not depend on the code that declares or reads it',
    },
    { folder: 'time', imports: ['errors'], reason: 'a duration has one meaning in all places' },
    { folder: 'quantity', imports: ['errors'], reason: 'a quantity has one meaning in all places' },
    {
      folder: 'contract',
      imports: ['object', 'kind'],
      reason: 'injected interfaces (Transport, Clock, Random ...) do not depend on their users',
    },
    {
      folder: 'predicate',
      imports: ['object', 'kind'],
      reason: 'a predicate selects events of objects, independent of the class that declares it',
    },
    {
      folder: 'declarations',
      imports: ['errors', 'object', 'kind', 'time', 'contract', 'predicate'],
      reason:
        'the record of a class and the form of a descriptor know no decorator, so that one file can add a decorator; the decorator of a webhook class compares the parameters of its methods with the review that they get',
    },
    {
      folder: 'decorators',
      imports: ['errors', 'object', 'kind', 'time', 'contract', 'predicate', 'declarations'],
      reason: 'a decorator records, and its descriptor declares the consequences; only the plan reads all of them',
    },
    {
      folder: 'plan',
      imports: ['object', 'kind', 'declarations', 'decorators'],
      reason: 'the roles and the wiring use the same plan of a controller',
    },
    {
      folder: 'certificates',
      imports: ['errors', 'time', 'contract'],
      reason:
        'certificates follow from names and durations; the generator loads them, and operators with webhooks; they say how the API server reaches the server',
    },
    {
      folder: 'webhook',
      imports: ['kind', 'contract', 'declarations', 'decorators', 'plan'],
      reason: 'an operator without webhooks does not load it',
    },
    {
      folder: 'rbac',
      imports: ['declarations', 'decorators', 'plan', 'webhook', 'certificates'],
      reason: 'a running operator loads the roles only to explain a rejected request',
    },
    {
      folder: 'conversion',
      imports: ['errors', 'kind', 'declarations', 'plan'],
      reason: 'only operators that convert versions load it; it reads declarations and changes JSON',
    },
  ],
  'packages/runtime/src': [
    { folder: 'log', imports: [], reason: 'a logger does not depend on what is logged' },
    { folder: 'workqueue', imports: [], reason: 'a queue of keys knows nothing about what the keys name' },
    {
      folder: 'runnable',
      imports: [],
      reason: 'a manager starts and stops Runnables in groups and knows no kind of them',
    },
    {
      folder: 'cache',
      imports: [],
      reason: 'informers work without controllers, as in client-go, and packages may use them alone',
    },
    {
      folder: 'fields',
      imports: ['cache'],
      reason:
        'the fields that a server does not support do not depend on the code that needs them; it reads objects past the cache, with the permission that the cache needs',
    },
    {
      folder: 'migration',
      imports: ['workqueue', 'runnable', 'fields'],
      reason: 'a migration of stored objects needs a client and a rate limit, and no controller; commands use it too',
    },
    {
      folder: 'handler',
      imports: [],
      reason: 'a handler maps an event to keys, independent of the source of the event',
    },
    { folder: 'event', imports: [], reason: 'any code can record an Event about any object' },
    {
      folder: 'predicate',
      imports: [],
      reason: 'a predicate decides only by the event; it does not know the controller',
    },
    {
      folder: 'reconcile',
      imports: ['cache', 'event'],
      reason: 'a reconcile gets a key and returns a result, independent of the source and the queue of the key',
    },
    {
      folder: 'lifecycle',
      imports: ['cache', 'reconcile'],
      reason:
        'rules for operands that vote or keep data, and for operations, follow from what a reconcile observes; few operators need them',
    },
    {
      folder: 'builder',
      imports: ['cache', 'reconcile'],
      reason:
        'it writes declarations, as decorators do, and the wiring reads them; it imports only types from other folders',
    },
    {
      folder: 'source',
      imports: ['log', 'handler', 'cache', 'reconcile'],
      reason: 'a source fills a queue and does not know its consumer; it names the triggers of a reconcile',
    },
    {
      folder: 'controller',
      imports: ['log', 'workqueue', 'cache', 'event', 'reconcile', 'source'],
      reason: 'a controller runs with or without a manager',
    },
    { folder: 'election', imports: ['log'], reason: 'an election does not depend on what the leader does' },
    {
      folder: 'metrics',
      imports: ['workqueue', 'cache', 'reconcile', 'controller', 'election'],
      reason: 'measurements do not depend on how they are read',
    },
    {
      folder: 'http',
      imports: ['runnable', 'metrics'],
      reason: 'a server passes requests to handlers and does not know the parts of the operator',
    },
    {
      folder: 'webhook',
      imports: ['runnable', 'metrics', 'http'],
      reason: 'routes and their server know neither what a route does nor the parts of the operator',
    },
    {
      folder: 'webhook/admission',
      imports: ['log', 'metrics', 'webhook'],
      reason:
        'a review is answered from its bytes and the methods of an instance, however both came about; an error names the line of the method',
    },
    {
      folder: 'webhook/certificates',
      imports: ['log', 'runnable', 'http'],
      reason: 'a certificate does not depend on what is served with it',
    },
    {
      folder: 'webhook/conversion',
      imports: ['webhook'],
      reason: 'only operators that convert versions load it',
    },
    {
      folder: 'process',
      imports: ['http', 'reconcile'],
      reason:
        'signals, settings, uncaught errors and exit codes belong to the process, not to a manager; it parses addresses, and names the reconcile that threw an error',
    },
    {
      folder: 'health',
      imports: ['cache', 'reconcile', 'controller', 'election', 'http', 'process'],
      reason: 'health follows from the states of the parts; it changes none of them',
    },
    {
      folder: 'injection',
      imports: ['event', 'reconcile', 'metrics', 'log'],
      reason:
        'instances are created from classes and plans, without the controllers that call them; values of a run get its context; errors name the line that threw',
    },
    {
      folder: 'options',
      imports: ['runnable', 'cache', 'event', 'reconcile', 'election', 'process'],
      reason:
        'options are types and data, so that checks, wiring and manager can use them without importing each other',
    },
    {
      folder: 'checks',
      imports: ['handler', 'cache', 'election', 'http', 'injection', 'options'],
      reason: 'options and declarations are checked before anything is created; listen addresses have rules',
    },
    {
      folder: 'wiring',
      imports: [
        'log',
        'workqueue',
        'runnable',
        'fields',
        'handler',
        'cache',
        'event',
        'predicate',
        'reconcile',
        'source',
        'controller',
        'election',
        'metrics',
        'http',
        'webhook',
        'webhook/admission',
        'webhook/conversion',
        'webhook/certificates',
        'process',
        'health',
        'injection',
        'options',
        'checks',
      ],
      reason:
        'it creates all running parts from plans, so it imports nearly everything; only manager imports it, to start these parts',
    },
    {
      folder: 'witness',
      imports: ['log', 'reconcile', 'controller', 'health', 'options'],
      reason: 'a witness sees what users of the options see; only manager knows that a transport may have one',
    },
    {
      folder: 'manager',
      imports: ['log', 'source', 'metrics', 'process', 'health', 'options', 'checks', 'wiring', 'witness'],
      reason: 'users call Manager and Manager.run; nothing else in the package does',
    },
  ],
  'packages/schema/src': [
    {
      folder: 'finding',
      imports: [],
      reason: 'the findings of a generation do not depend on the code that reports them',
    },
    {
      folder: 'regular-expression',
      imports: [],
      reason: 'RE2 is one subject; the server, the generator and the validator use it',
    },
    {
      folder: 'evaluate',
      imports: [],
      reason: 'structural schemas, JSON paths and limits of nesting are the terms of all evaluation',
    },
    { folder: 'yaml', imports: [], reason: 'the YAML of a CRD does not depend on how the CRD was created' },
    { folder: 'evaluate/format', imports: ['evaluate'], reason: 'a format is a function of a string' },
    {
      folder: 'evaluate/cel/value',
      imports: ['evaluate', 'evaluate/format'],
      reason: 'values and types of CEL exist without an expression',
    },
    {
      folder: 'evaluate/cel/syntax',
      imports: ['evaluate', 'evaluate/cel/value'],
      reason: 'parsing does not depend on which functions exist',
    },
    {
      folder: 'evaluate/cel/library',
      imports: ['regular-expression', 'evaluate', 'evaluate/format', 'evaluate/cel/value'],
      reason: 'a function gets values and returns one; it does not know the expression that calls it',
    },
    {
      folder: 'evaluate/cel/check',
      imports: ['evaluate/cel/value', 'evaluate/cel/syntax', 'evaluate/cel/library'],
      reason: 'an expression is checked before its cost is estimated and before it is planned',
    },
    {
      folder: 'evaluate/cel/cost',
      imports: ['evaluate', 'evaluate/cel/value', 'evaluate/cel/syntax', 'evaluate/cel/library'],
      reason: 'costs follow from calls and values, not from how they are evaluated',
    },
    {
      folder: 'evaluate/cel/plan',
      imports: ['evaluate/cel/value', 'evaluate/cel/syntax', 'evaluate/cel/library', 'evaluate/cel/cost'],
      reason: 'a plan evaluates a checked expression and charges its costs',
    },
    {
      folder: 'evaluate/cel',
      imports: [
        'evaluate/cel/value',
        'evaluate/cel/syntax',
        'evaluate/cel/library',
        'evaluate/cel/check',
        'evaluate/cel/cost',
        'evaluate/cel/plan',
      ],
      reason: 'CEL knows the types of a schema, but not the objects and CRDs that have rules',
    },
    {
      folder: 'evaluate/custom-resource',
      imports: ['regular-expression', 'evaluate', 'evaluate/format', 'evaluate/cel/value', 'evaluate/cel'],
      reason: 'an object is evaluated by a schema, independent of the origin of the schema',
    },
    {
      folder: 'evaluate/apiextensions',
      imports: ['regular-expression', 'evaluate', 'evaluate/format', 'evaluate/cel', 'evaluate/custom-resource'],
      reason: "a CRD's defaults are objects, so its validation uses that of custom resources",
    },
    {
      folder: 'evaluate/admission',
      imports: ['evaluate', 'evaluate/cel/library', 'evaluate/cel/value', 'evaluate/cel', 'evaluate/apiextensions'],
      reason:
        'the rules of webhooks and policies know no server; the address of a webhook has the rules of conversions',
    },
    {
      folder: 'diff',
      imports: ['evaluate', 'evaluate/format', 'evaluate/custom-resource'],
      reason: 'two schemas are compared independent of the classes or CRDs that they come from',
    },
    {
      folder: 'sample',
      imports: ['regular-expression', 'evaluate', 'evaluate/custom-resource'],
      reason: 'objects follow a schema, whatever it describes; only tests of users load the random ones',
    },
    {
      folder: 'builtin',
      imports: ['evaluate'],
      reason: "schemas of Kubernetes' own types do not depend on the user's classes",
    },
    { folder: 'constraints/rule', imports: ['evaluate'], reason: 'the contract of a rule, which all rules implement' },
    {
      folder: 'constraints/value',
      imports: ['regular-expression', 'evaluate', 'constraints/rule'],
      reason: 'the rules that every API uses do not need those about special strings',
    },
    {
      folder: 'constraints/text',
      imports: ['regular-expression', 'evaluate', 'constraints/rule', 'constraints/value'],
      reason: 'only the table uses rules about special strings (phone numbers, post codes)',
    },
    {
      folder: 'constraints',
      imports: ['evaluate', 'evaluate/custom-resource', 'constraints/rule', 'constraints/value', 'constraints/text'],
      reason: 'a decorator becomes keywords of a schema, independent of its class',
    },
    { folder: 'source', imports: ['finding', 'builtin'], reason: 'reading TypeScript does not check types' },
    {
      folder: 'model',
      imports: ['finding', 'evaluate/cel/value', 'builtin', 'constraints/rule', 'constraints', 'source'],
      reason: 'the declarations of a class are read before a schema is built',
    },
    {
      folder: 'class-schema',
      imports: [
        'finding',
        'evaluate',
        'evaluate/cel/value',
        'evaluate/custom-resource',
        'builtin',
        'constraints/value',
        'constraints',
        'model',
      ],
      reason: 'the schema of a class does not depend on the kind that uses it',
    },
    {
      folder: 'resource-options',
      imports: ['finding', 'evaluate', 'evaluate/apiextensions'],
      reason: 'the options of @CustomResource are checked without a schema',
    },
    {
      folder: 'definition',
      imports: [
        'finding',
        'evaluate',
        'evaluate/cel/value',
        'evaluate/custom-resource',
        'evaluate/apiextensions',
        'diff',
        'sample',
        'source',
        'model',
        'class-schema',
        'resource-options',
      ],
      reason: 'a CRD is created from one kind and checked, without the other kinds',
    },
    {
      folder: 'generate',
      imports: ['finding', 'evaluate', 'constraints', 'source', 'definition'],
      reason: 'it iterates over the classes; the folders below process each of them',
    },
    {
      folder: 'validator',
      imports: [
        'regular-expression',
        'evaluate',
        'evaluate/admission',
        'evaluate/custom-resource',
        'constraints',
        'model',
      ],
      reason: 'it runs in operators, which do not contain the generator; it uses only types of constraints',
    },
    {
      folder: 'validate',
      imports: ['finding', 'evaluate', 'evaluate/custom-resource', 'source', 'generate', 'validator'],
      reason: 'it creates the CRD of a class, evaluates it and runs the validator; only tests of users use it',
    },
  ],
  'packages/apiserver/src': [
    {
      folder: 'apimachinery',
      imports: [],
      reason: 'the only import of the package apimachinery, whose rules do not depend on a server',
    },
    { folder: 'crypto', imports: [], reason: 'a pure function of bytes; only this folder loads node:crypto' },
    {
      folder: 'status',
      imports: ['apimachinery'],
      reason: 'every layer rejects requests with a Status, so it is below all',
    },
    {
      folder: 'request',
      imports: ['apimachinery', 'status'],
      reason: 'a request does not depend on the code that responds to it',
    },
    {
      folder: 'websocket',
      imports: ['crypto', 'request'],
      reason: 'handlers accept a WebSocket and sockets carry it; the protocol does not depend on what is sent',
    },
    { folder: 'patch', imports: ['apimachinery'], reason: 'patching is a pure function of objects and schemas' },
    {
      folder: 'apply',
      imports: ['apimachinery', 'patch'],
      reason: 'merging and ownership are pure functions of objects and schemas',
    },
    {
      folder: 'listener',
      imports: ['apimachinery', 'request', 'websocket'],
      reason: 'a socket passes requests on and does not know the code that responds',
    },
    {
      folder: 'kind',
      imports: ['apimachinery', 'request'],
      reason: 'the description of a kind is a contract; its implementations and its readers do not know each other',
    },
    {
      folder: 'store',
      imports: ['kind'],
      reason: 'the store keeps objects and their history, independent of their kinds',
    },
    { folder: 'table', imports: ['kind'], reason: 'columns are a pure function of objects' },
    {
      folder: 'text',
      imports: ['apimachinery'],
      reason: 'requests and webhooks are read by the same rules for JSON and YAML, which know neither of them',
    },
    {
      folder: 'webhook',
      imports: ['apimachinery', 'store', 'text'],
      reason: 'admission and conversion call webhooks with one client, which knows neither of them',
    },
    {
      folder: 'audit',
      imports: ['apimachinery', 'crypto', 'request', 'text'],
      reason: 'the audit log records requests and responses, and knows no step between them',
    },
    {
      folder: 'authentication',
      imports: ['apimachinery', 'crypto', 'kind', 'request', 'status'],
      reason: 'the identity of a caller does not depend on the permissions of the caller',
    },
    { folder: 'authorization/generated', imports: [], reason: 'generated data' },
    {
      folder: 'authorization',
      imports: ['apimachinery', 'authentication', 'authorization/generated', 'kind', 'request', 'status', 'store'],
      reason: 'the policy is read from the store, without the rules for writes',
    },
    {
      folder: 'strategy',
      imports: ['apimachinery', 'kind'],
      reason: 'the rules that several API groups share do not know the groups',
    },
    {
      folder: 'strategy/pod',
      imports: ['apimachinery', 'kind', 'strategy'],
      reason: 'the rules for pods and their templates; workloads use them, but these rules know no workload',
    },
    {
      folder: 'quota',
      imports: ['apimachinery', 'kind', 'strategy', 'strategy/pod'],
      reason: 'admission and the controller of quotas count with the same rules, which know neither of them',
    },
    {
      folder: 'strategy/apps',
      imports: ['apimachinery', 'strategy', 'strategy/pod'],
      reason: 'an API group uses shared rules and those for pods',
    },
    {
      folder: 'strategy/core',
      imports: ['apimachinery', 'kind', 'status', 'strategy', 'strategy/apps', 'strategy/pod'],
      reason: 'an API group uses shared rules and those for pods; a ReplicationController is an old ReplicaSet',
    },
    {
      folder: 'strategy/batch',
      imports: ['apimachinery', 'strategy', 'strategy/pod'],
      reason: 'an API group uses shared rules and those for pods',
    },
    ...['admissionregistration', 'certificates'].map((group) => ({
      folder: `strategy/${group}`,
      imports: ['apimachinery', 'kind', 'strategy'],
      reason: 'an API group uses shared rules and knows no other group; it asks the context about permissions and time',
    })),
    ...['node', 'storage'].map((group) => ({
      folder: `strategy/${group}`,
      imports: ['apimachinery', 'strategy', 'strategy/pod'],
      reason: 'an API group uses shared rules and those for pods, which include those for volumes',
    })),
    ...['apiregistration', 'autoscaling', 'coordination', 'networking', 'policy', 'rbac', 'scheduling'].map(
      (group) => ({
        folder: `strategy/${group}`,
        imports: ['apimachinery', 'strategy'],
        reason: 'an API group uses shared rules and knows no other group',
      }),
    ),
    {
      folder: 'strategy/resource',
      imports: ['strategy'],
      reason: 'an API group uses shared rules and knows no other group',
    },
    {
      folder: 'customresource',
      imports: ['apimachinery', 'apply', 'crypto', 'kind', 'status', 'store', 'table', 'webhook'],
      reason: 'definitions are read and described as kinds without the server that serves the kinds',
    },
    {
      folder: 'registry',
      imports: ['apimachinery', 'apply', 'kind', 'request', 'status', 'store'],
      reason:
        'one set of rules for every write: it receives the kind, the strategy and the admission steps as parameters',
    },
    {
      folder: 'catalog',
      imports: [
        'apimachinery',
        ...['apply', 'authentication', 'customresource', 'kind', 'registry', 'status', 'store', 'table', 'webhook'],
        ...[
          'core',
          'pod',
          'admissionregistration',
          'apiregistration',
          'apps',
          'autoscaling',
          'batch',
          'certificates',
          'coordination',
          'networking',
          'node',
          'policy',
          'rbac',
          'resource',
          'scheduling',
          'storage',
        ].map((group) => `strategy/${group}`),
      ],
      reason: 'the list of all kinds, built-in and custom, each with its strategy and columns',
    },
    {
      folder: 'admission',
      imports: [
        'apimachinery',
        ...['authorization', 'catalog', 'kind', 'patch', 'registry', 'request', 'status', 'store'],
        ...['quota', 'strategy', 'strategy/pod', 'text', 'webhook'],
      ],
      reason: 'admission plugins are steps that the registry runs without importing them',
    },
    {
      folder: 'admission/policy',
      imports: [
        'apimachinery',
        ...['admission', 'apply', 'authorization', 'catalog', 'kind', 'registry', 'status', 'store'],
      ],
      reason: 'policies use what webhooks use to match requests; webhooks do not know them',
    },
    {
      folder: 'handlers',
      imports: [
        'apimachinery',
        'audit',
        ...['apply', 'authorization', 'catalog', 'kind', 'patch', 'registry', 'request', 'status'],
        ...['store', 'text', 'websocket'],
      ],
      reason: 'the request pipeline uses the description of a kind and does not know its strategy and plugins',
    },
    {
      folder: 'discovery',
      imports: ['apimachinery', 'catalog', 'crypto', 'handlers', 'kind', 'request', 'status'],
      reason: 'it serves one more path of the pipeline, which does not know it',
    },
    {
      folder: 'openapi',
      imports: ['apimachinery', 'catalog', 'crypto', 'customresource', 'handlers', 'kind', 'request', 'store'],
      reason: 'it serves one more path of the pipeline, which does not know it',
    },
    {
      folder: 'controllers',
      imports: [
        'apimachinery',
        ...['catalog', 'kind', 'patch', 'quota', 'registry', 'request', 'status', 'store', 'strategy', 'strategy/pod'],
      ],
      reason: 'controllers are clients of the registry; they neither bypass it nor send requests over a connection',
    },
    {
      folder: 'controllers/autoscaler',
      imports: ['apimachinery', 'controllers'],
      reason: 'one controller in many files; other controllers do not know it',
    },
    {
      folder: 'controllers/job',
      imports: ['apimachinery', 'controllers'],
      reason: 'one controller in many files; other controllers do not know it',
    },
    {
      folder: 'controllers/cron-job',
      imports: ['apimachinery', 'controllers', 'controllers/job', 'strategy/batch'],
      reason: 'it creates Jobs by the schedule that the strategy validates; other controllers do not know it',
    },
    {
      folder: 'controllers/daemon-set',
      imports: ['apimachinery', 'controllers'],
      reason: 'one controller in many files; other controllers do not know it',
    },
    {
      folder: 'controllers/disruption',
      imports: ['apimachinery', 'controllers'],
      reason: 'one controller in many files; the registry reads what it writes and does not know it',
    },
    {
      folder: 'controllers/volume',
      imports: ['apimachinery', 'controllers'],
      reason: 'the controllers of volumes; other controllers do not know them',
    },
    {
      folder: '',
      imports: [
        'admission',
        'admission/policy',
        'audit',
        'authentication',
        'authorization',
        'catalog',
        'controllers',
        'controllers/autoscaler',
        'controllers/cron-job',
        'controllers/daemon-set',
        'controllers/disruption',
        'controllers/job',
        'controllers/volume',
        'customresource',
        'discovery',
        'handlers',
        'kind',
        'listener',
        'openapi',
        'registry',
        'request',
        'store',
        'webhook',
      ],
      reason: 'the server assembles its parts; no part knows the server',
    },
  ],
};

/** The circles of files that are allowed: each is a recursion that one file would express worse. */
const honestCircles: readonly { readonly files: readonly string[]; readonly reason: string }[] = [
  {
    files: ['packages/apiserver/src/patch/strategic-list.ts', 'packages/apiserver/src/patch/strategic-merge-patch.ts'],
    reason: 'a strategic merge of an object merges its lists, whose items are objects; each half is long',
  },
];

function packageOf(specifier: string): string | undefined {
  if (specifier === 'evenkeel') return 'evenkeel';
  return /^@evenkeel\/([^/]+)/.exec(specifier)?.[1] ?? /^packages\/([^/]+)\//.exec(specifier)?.[1];
}

function describeImport(found: Import): string {
  return `${found.file} imports ${found.target}`;
}

describe('directions between packages', () => {
  it.each(Object.keys(packageRules))('packages/%s imports only packages below it', (name) => {
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

  it('imports other packages by name, never by path', () => {
    const wrong = Object.keys(packageRules)
      .flatMap((name) => importsBelow(`packages/${name}/src`).map((found) => ({ name, found })))
      .filter(
        ({ name, found }) => found.target.startsWith('packages/') && !found.target.startsWith(`packages/${name}/`),
      )
      .map(({ found }) => describeImport(found));
    expect(wrong).toEqual([]);
  });

  it('core/decorators contains only decorators, one in each file', () => {
    const others = sourceFilesBelow('packages/core/src/decorators')
      .filter((file) => !isTest(file))
      .filter((file) => {
        const decorators = readFileSync(join(root, file), 'utf8').match(/^export function [A-Z]\w*/gm) ?? [];
        return new Set(decorators).size !== 1;
      });
    expect(others).toEqual([]);
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

  it('loads node:http by name', () => {
    const wrong = importsBelow('packages')
      .filter((found) => !isTest(found.file) && !found.typeOnly && found.target === 'node:http')
      .map(
        (found) => `${describeImport(found)}: it also loads undici, which takes 50 ms; use process.getBuiltinModule`,
      );
    expect(wrong).toEqual([]);
  });

  it('the embedded server loads node:crypto, which takes 8 ms, only with modules that few servers load', () => {
    const loading = importsBelow('packages/apiserver/src')
      .filter((found) => !isTest(found.file) && !found.typeOnly && !found.dynamic)
      .filter((found) => ['@evenkeel/apimachinery/certificate', 'node:crypto'].includes(found.target))
      .map(describeImport);
    expect(loading.sort()).toEqual([
      'packages/apiserver/src/controllers/certificate-signer.ts imports @evenkeel/apimachinery/certificate',
      'packages/apiserver/src/listener/kubeconfig.ts imports node:crypto',
      'packages/apiserver/src/strategy/certificates/request-validation.ts imports node:crypto',
    ]);
  });

  it('operators load only small folders of apimachinery at startup', () => {
    const light = [
      'exact-json',
      'json',
      'json-escape',
      'json-scan',
      'name-form',
      'quantity',
      'rbac',
      'selector',
      'status',
    ];
    const wrong = ['core', 'client', 'runtime']
      .flatMap((name) => importsBelow(`packages/${name}/src`))
      .filter((found) => !isTest(found.file) && !found.typeOnly && !found.dynamic)
      .filter((found) => !loadedByWebhooks(found.file) && found.target.startsWith('@evenkeel/apimachinery/'))
      .filter((found) => !light.some((path) => found.target === `@evenkeel/apimachinery/${path}`))
      .map((found) => `${describeImport(found)}: each module costs up to half a millisecond of the startup`);
    expect(wrong).toEqual([]);
  });

  it('operators without webhooks load nothing of webhooks', () => {
    const wrong = ['core', 'client', 'runtime', 'evenkeel']
      .flatMap((name) => importsBelow(`packages/${name}/src`))
      .filter((found) => !isTest(found.file) && !found.typeOnly && !found.dynamic)
      .filter((found) => !loadedByWebhooks(found.file))
      .filter((found) => loadedByWebhooks(found.target) || found.target === '@evenkeel/core/webhook')
      .map((found) => `${describeImport(found)}: import it with import(), or only its types`);
    expect(wrong).toEqual([]);
  });

  it('operators load built-in certificates only if they use them', () => {
    const wrong = importsBelow('packages/runtime/src')
      .filter((found) => !isTest(found.file) && !found.typeOnly && !found.dynamic)
      .filter((found) => found.target.startsWith(`${builtInCertificates}/`))
      .filter((found) => !found.file.startsWith(`${builtInCertificates}/`))
      .map(describeImport);
    expect(wrong).toEqual([]);
  });

  it('testing never imports runtime, not even in tests, so that the tests of runtime can use testing', () => {
    const wrong = importsBelow('packages/testing/src')
      .filter((found) => packageOf(found.target) === 'runtime')
      .map(describeImport);
    expect(wrong).toEqual([]);
  });
});

/** Whether only an operator with webhooks loads a file. */
function loadedByWebhooks(file: string): boolean {
  return /^packages\/(?:core|runtime)\/src\/(?:webhook\/|wiring\/wire-(?:webhooks|rules)|metrics\/webhook-metrics)/.test(
    file,
  );
}

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

describe('circles of files', () => {
  const isHonest = ({ file, target }: Import): boolean =>
    honestCircles.some(({ files }) => files.includes(file) && files.includes(target));

  it.each(Object.keys(packageRules))('packages/%s has none, type imports included', (name) => {
    const imports = importsBelow(`packages/${name}/src`).filter((found) => !isHonest(found));
    expect(importsInCircles(imports).map(describeImport)).toEqual([]);
  });

  it.each(honestCircles)('$files still import each other: $reason', ({ files }) => {
    const imports = files.flatMap((file) => importsBelow(dirname(file)).filter((found) => found.file === file));
    expect([...new Set(importsInCircles(imports).map(({ file }) => file))]).toEqual(files);
  });

  it('are found, without the files that only lead to them or only follow them', () => {
    const edges = ['top a', 'a b', 'b c', 'c a', 'c leaf', 'top leaf', 'self self'].map((edge): Import => {
      const [file = '', target = ''] = edge.split(' ');
      return { file, target, typeOnly: true, dynamic: false };
    });
    const found = importsInCircles(edges).map(({ file, target }) => `${file} ${target}`);
    expect(found).toEqual(['a b', 'b c', 'c a', 'self self']);
  });
});

/** Whether a target is a package or file, or is in a folder. */
function matches(pattern: string, target: string): boolean {
  return target === pattern || target.startsWith(`${pattern}/`);
}

describe.each(Object.entries(folderLayers))('folders of %s', (source, layers) => {
  const folderOf = (file: string): string => dirname(file).slice(source.length + 1);
  const doors = exportedIndexesOf(dirname(source));
  const all = importsBelow(source).filter(({ file, target }) => !isTest(file) && target.startsWith(`${source}/`));
  const imports = all.filter(({ file }) => !doors.includes(file));

  it('are in the list, each once', () => {
    const files = sourceFilesBelow(source).filter((file) => !isTest(file) && !doors.includes(file));
    expect(layers.map(({ folder }) => folder).sort()).toEqual([...new Set(files.map(folderOf))].sort());
  });

  it.each(layers.map((layer, index) => [layer.folder, layer, index] as const))(
    '%s names only folders that are listed before it, and imports each of them',
    (folder, layer, index) => {
      const lower = layers.slice(0, index).map((other) => other.folder);
      const used = imports.filter(({ file }) => folderOf(file) === folder).map(({ target }) => folderOf(target));
      expect(layer.imports.filter((other) => !lower.includes(other) || !used.includes(other))).toEqual([]);
    },
  );

  it.each(layers.map((layer) => [layer.folder, layer] as const))('%s imports only what it names', (folder, layer) => {
    const wrong = imports
      .filter(({ file, target }) => folderOf(file) === folder && ![folder, ...layer.imports].includes(folderOf(target)))
      .map((found) => `${describeImport(found)}: ${layer.reason}`);
    expect(wrong).toEqual([]);
  });

  it('never import an index.ts that package.json exports', () => {
    expect(all.filter(({ target }) => doors.includes(target)).map(describeImport)).toEqual([]);
  });
});

/** Returns the sources of a package's exports that are an index.ts. */
function exportedIndexesOf(folder: string): readonly string[] {
  const { exports } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as {
    readonly exports: Readonly<Record<string, { readonly 'evenkeel-source'?: string } | string>>;
  };
  return Object.values(exports)
    .map((entry) => (typeof entry === 'string' ? entry : (entry['evenkeel-source'] ?? '')))
    .filter((file) => file.endsWith('/index.ts'))
    .map((file) => posix.join(folder, file));
}
