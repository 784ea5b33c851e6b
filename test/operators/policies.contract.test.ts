import type { Client } from '@evenkeel/client';
import {
  type ConcreteClass,
  CustomResource,
  KubernetesObject,
  MutatingWebhook,
  Mutation,
  Rule,
  Spec,
  StatusError,
  ValidatingWebhook,
} from '@evenkeel/core';
import {
  ConfigMap,
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  MutatingWebhookConfiguration,
  Namespace,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhookConfiguration,
} from '@evenkeel/kinds';
import { createManager, mutatingWebhookFor, validatingWebhookFor } from '@evenkeel/runtime';
import { classValidator } from '@evenkeel/schema/validator';
import { Environment } from '@evenkeel/testing';
import { describeWithRealServer, realServerAssets } from '../real-server.fixture.ts';
import { definitionOf } from './definition.fixture.ts';

@CustomResource({ group: 'policies.example.com', version: 'v1' })
class Site extends KubernetesObject {
  @Spec() spec!: { replicas: number; host?: string };
}

@CustomResource({ group: 'policies.example.com', version: 'v1' })
class SiteLimit extends KubernetesObject {
  @Spec() spec!: { most: number };
}

@ValidatingWebhook(Site, {
  policy: true,
  operations: ['create', 'update', 'delete'],
  variables: [
    { name: 'host', expression: 'object == null || !has(object.spec.host) ? "" : object.spec.host' },
    { name: 'labels', expression: 'has(namespaceObject.metadata.labels) ? namespaceObject.metadata.labels : {}' },
  ],
})
@Rule(
  'request.operation != "DELETE" || !has(oldObject.metadata.annotations) || !("keep" in oldObject.metadata.annotations)',
  {
    messageExpression:
      'request.name + " is protected from " + (request.userInfo.username == "" ? "nobody" : "the user")',
    reason: 'Forbidden',
  },
)
@Rule('request.operation != "UPDATE" || object.spec.replicas >= oldObject.spec.replicas', {
  message: 'replicas must not shrink',
})
@Rule('!variables.host.endsWith(".test") || "test" in variables.labels', {
  message: 'the host is only for tests',
  messageExpression:
    'variables.host == "no.test" ? "" : "only namespaces with the label test may use " + variables.host',
  reason: 'Forbidden',
})
@Rule('variables.host != "fail.example.com" || object.spec.missing == 1')
@Rule('variables.host != "large.example.com"', { reason: 'RequestEntityTooLarge' })
class SiteRules {}

/** Each Site has at most the replicas that every limit of its namespace allows. */
const limited = validatingWebhookFor(Site, {
  name: 'limited.policies.example.com',
  path: '/limited',
  policy: true,
  params: { kind: SiteLimit, selector: { matchLabels: { active: 'yes' } }, parameterNotFoundAction: 'Allow' },
}).rules({
  rule: 'object.spec.replicas <= params.spec.most',
  messageExpression: '"at most " + string(params.spec.most) + " by " + params.metadata.name',
});

/** Rejects everything while the ConfigMap is missing, except for what the conditions exclude. */
@ValidatingWebhook(ConfigMap, {
  policy: true,
  operations: ['create'],
  params: { kind: ConfigMap, name: 'settings' },
  objectSelector: { matchLabels: { checked: 'yes' } },
  matchConditions: [{ name: 'not-skipped', expression: 'object.metadata.name != "skipped"' }],
})
@Rule('params.data["allowed"] == "yes"', { message: 'not allowed by the settings' })
class MapRules {}

@ValidatingWebhook(ConfigMap, {
  name: 'ignored.policies.example.com',
  path: '/ignored',
  policy: true,
  operations: ['create'],
  failurePolicy: 'Ignore',
  objectSelector: { matchLabels: { ignored: 'yes' } },
})
@Rule('object.data.missing == "yes"')
class IgnoredRules {}

/** Later expressions see what earlier ones changed. */
@MutatingWebhook(Site, {
  policy: true,
  operations: ['create'],
  variables: [{ name: 'host', expression: 'object.metadata.name + ".example.com"' }],
  objectSelector: { matchLabels: { defaults: 'yes' } },
})
@Mutation('has(object.spec.host) ? Object{} : Object{spec: Object.spec{host: variables.host}}')
@Mutation(
  'has(object.metadata.annotations) ? [JSONPatch{op: "add", path: "/metadata/annotations/host", value: object.spec.host}] : [JSONPatch{op: "add", path: "/metadata/annotations", value: {"host": object.spec.host}}]',
  { patchType: 'JSONPatch' },
)
class SiteDefaults {}

const limitedDefaults = mutatingWebhookFor(Site, {
  name: 'least.policies.example.com',
  path: '/least',
  policy: true,
  operations: ['create'],
  params: { kind: ConfigMap, name: 'settings' },
  objectSelector: { matchLabels: { least: 'yes' } },
}).mutations({
  expression: 'Object{spec: Object.spec{replicas: int(params.data.least)}}',
});

@MutatingWebhook(ConfigMap, {
  policy: true,
  operations: ['create'],
  objectSelector: { matchLabels: { mutated: 'yes' } },
})
@Mutation(
  '[JSONPatch{op: "test", path: "/data/a", value: "1"}, JSONPatch{op: "replace", path: "/data/a", value: "2"}]',
  {
    patchType: 'JSONPatch',
  },
)
@Mutation('[JSONPatch{op: "remove", path: "/data/" + (has(object.data.gone) ? "gone" : "b")}]', {
  patchType: 'JSONPatch',
})
class MapDefaults {}

const all: readonly ConcreteClass[] = [
  ...[SiteRules, limited, MapRules, IgnoredRules],
  ...[SiteDefaults, limitedDefaults, MapDefaults],
];

const site = (name: string, spec: object = {}, metadata: object = {}) => ({
  metadata: { name, ...metadata },
  spec: { replicas: 1, ...spec },
});

/** What a client sees: the code, the reason, and the message after the name of the policy or webhook. */
type Verdict = string;

async function verdictOf(request: Promise<unknown>): Promise<Verdict> {
  try {
    await request;
    return 'accepted';
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    const [, why] = /denied (?:the )?request: (.*)$/s.exec(error.message) ?? [];
    if (why === undefined) throw error;
    return `${error.code} ${error.reason}: ${why}`;
  }
}

interface Case {
  readonly name: string;
  readonly request: (client: Client, namespace: string) => Promise<unknown>;
  readonly verdict: Verdict;
}

const dryRun = { dryRun: true };
const inTest = (client: Client, namespace: string, label: string) =>
  client.patch(Namespace, namespace, { merge: { metadata: { labels: { test: label === '' ? null : label } } } });

const cases: readonly Case[] = [
  {
    name: 'a creation that all rules allow',
    request: (client, namespace) => client.create(Site, site('good', {}, { namespace }), dryRun),
    verdict: 'accepted',
  },
  {
    name: 'an update that shrinks',
    request: (client, namespace) =>
      client.patch(Site, { namespace, name: 'three' }, { merge: { spec: { replicas: 2 } } }, dryRun),
    verdict: '422 Invalid: replicas must not shrink',
  },
  {
    name: 'an update that grows',
    request: (client, namespace) =>
      client.patch(Site, { namespace, name: 'three' }, { merge: { spec: { replicas: 4 } } }, dryRun),
    verdict: 'accepted',
  },
  {
    name: 'a deletion of a protected object',
    request: (client, namespace) => client.delete(Site, { namespace, name: 'kept' }, dryRun),
    verdict: '403 Forbidden: kept is protected from the user',
  },
  {
    name: 'a deletion of another object',
    request: (client, namespace) => client.delete(Site, { namespace, name: 'three' }, dryRun),
    verdict: 'accepted',
  },
  {
    name: 'a rule about the namespace',
    request: (client, namespace) => client.create(Site, site('n', { host: 'a.test' }, { namespace }), dryRun),
    verdict: '403 Forbidden: only namespaces with the label test may use a.test',
  },
  {
    name: 'a message expression with an empty result',
    request: (client, namespace) => client.create(Site, site('n', { host: 'no.test' }, { namespace }), dryRun),
    verdict: '403 Forbidden: the host is only for tests',
  },
  {
    name: 'a namespace with the label',
    request: async (client, namespace) => {
      await inTest(client, namespace, 'yes');
      try {
        let verdict = '';
        // The API server and the operator see the label a little later.
        for (let attempt = 0; attempt < 200 && verdict !== 'accepted'; attempt++) {
          verdict = await verdictOf(client.create(Site, site('n', { host: 'a.test' }, { namespace }), dryRun));
        }
        if (verdict !== 'accepted') throw new Error(verdict);
      } finally {
        await inTest(client, namespace, '');
      }
    },
    verdict: 'accepted',
  },
  {
    name: 'an expression that fails',
    request: (client, namespace) => client.create(Site, site('n', { host: 'fail.example.com' }, { namespace }), dryRun),
    verdict: `422 Invalid: expression 'variables.host != "fail.example.com" || object.spec.missing == 1' resulted in error: no such key: missing`,
  },
  {
    name: 'a rule without a message',
    request: (client, namespace) =>
      client.create(Site, site('n', { host: 'large.example.com' }, { namespace }), dryRun),
    verdict: '413 RequestEntityTooLarge: failed expression: variables.host != "large.example.com"',
  },
  {
    name: 'several parameters, one of which the object violates',
    request: (client, namespace) => client.create(Site, site('n', { replicas: 9 }, { namespace }), dryRun),
    verdict: '422 Invalid: at most 8 by eight',
  },
  {
    name: 'an object without selected parameters',
    request: (client) => client.create(Site, site('n', { replicas: 90 }, { namespace: 'default' }), dryRun),
    verdict: 'accepted',
  },
  {
    name: 'a parameter that forbids',
    request: (client, namespace) =>
      client.create(ConfigMap, { metadata: { name: 'm', namespace, labels: { checked: 'yes' } } }, dryRun),
    verdict: '422 Invalid: not allowed by the settings',
  },
  {
    name: 'a missing parameter',
    request: (client) =>
      client.create(ConfigMap, { metadata: { name: 'm', namespace: 'default', labels: { checked: 'yes' } } }, dryRun),
    verdict:
      '422 Invalid: failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction',
  },
  {
    name: 'an object that a condition excludes',
    request: (client, namespace) =>
      client.create(ConfigMap, { metadata: { name: 'skipped', namespace, labels: { checked: 'yes' } } }, dryRun),
    verdict: 'accepted',
  },
  {
    name: 'an object that a condition excludes, without the parameter',
    request: (client) =>
      client.create(
        ConfigMap,
        { metadata: { name: 'skipped', namespace: 'default', labels: { checked: 'yes' } } },
        dryRun,
      ),
    verdict:
      '422 Invalid: failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction',
  },
  {
    name: 'an object that the selector excludes',
    request: (client) => client.create(ConfigMap, { metadata: { name: 'm', namespace: 'default' } }, dryRun),
    verdict: 'accepted',
  },
  {
    name: 'a failure that is ignored',
    request: (client) =>
      client.create(ConfigMap, { metadata: { name: 'm', namespace: 'default', labels: { ignored: 'yes' } } }, dryRun),
    verdict: 'accepted',
  },
];

const defaulted = async (client: Client, given: ReturnType<typeof site>) => {
  const { spec, metadata } = await client.create(Site, given, dryRun);
  return { spec, annotations: metadata.annotations };
};
const withData = async (client: Client, data: Record<string, string>) => {
  const metadata = { name: 'm', namespace: 'default', labels: { mutated: 'yes' } };
  return (await client.create(ConfigMap, { metadata, data }, dryRun)).data;
};

const mutations: readonly {
  readonly name: string;
  readonly request: (client: Client, namespace: string) => Promise<unknown>;
  readonly result: unknown;
}[] = [
  {
    name: 'a configuration, and a patch that sees its result',
    request: (client, namespace) => defaulted(client, site('a', {}, { namespace, labels: { defaults: 'yes' } })),
    result: { spec: { replicas: 1, host: 'a.example.com' }, annotations: { host: 'a.example.com' } },
  },
  {
    name: 'an empty configuration',
    request: (client, namespace) => {
      const metadata = { namespace, labels: { defaults: 'yes' }, annotations: { own: 'kept' } };
      return defaulted(client, site('a', { host: 'b', extra: { x: [1] } }, metadata));
    },
    result: { spec: { replicas: 1, host: 'b', extra: { x: [1] } }, annotations: { own: 'kept', host: 'b' } },
  },
  {
    name: 'a parameter',
    request: (client, namespace) => defaulted(client, site('a', {}, { namespace, labels: { least: 'yes' } })),
    result: { spec: { replicas: 2 }, annotations: undefined },
  },
  {
    name: 'a missing parameter',
    request: (client) =>
      verdictOf(client.create(Site, site('a', {}, { namespace: 'default', labels: { least: 'yes' } }), dryRun)),
    result:
      '403 Forbidden: failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction',
  },
  {
    name: 'patches that apply',
    request: (client) => withData(client, { a: '1', b: '1' }),
    result: { a: '2' },
  },
  {
    name: 'a test that does not hold, which skips its patch',
    request: (client) => withData(client, { a: '5', b: '1' }),
    result: { a: '5' },
  },
  {
    name: 'a patch that does not apply',
    request: (client) => verdictOf(withData(client, { a: '1' })),
    result:
      "403 Invalid: JSON Patch: error in remove for path: '/data/b': Unable to remove nonexistent key: b: missing value",
  },
  {
    name: 'an object that is not selected',
    request: (client, namespace) => defaulted(client, site('a', {}, { namespace })),
    result: { spec: { replicas: 1 }, annotations: undefined },
  },
];

const status = { type: 'object' };
const definitions = [
  definitionOf(Site, { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }, status }),
  definitionOf(SiteLimit, { spec: { type: 'object', properties: { most: { type: 'integer' } } }, status }),
];

function policyContract(start: () => Promise<Environment>): void {
  let environment: Environment;
  let namespace: string;

  beforeAll(async () => {
    environment = await start();
    for (const definition of definitions) await environment.install(definition);
    namespace = await environment.createNamespace();
    const { client } = environment;
    await client.create(Site, site('three', { replicas: 3 }, { namespace }));
    await client.create(Site, site('kept', {}, { namespace, annotations: { keep: 'yes' } }));
    for (const [name, most, active] of [
      ['twenty', 20, 'yes'],
      ['eight', 8, 'yes'],
      ['one', 0, 'no'],
    ] as const) {
      await client.create(SiteLimit, { metadata: { name, namespace, labels: { active } }, spec: { most } });
    }
    await client.create(ConfigMap, { metadata: { name: 'settings', namespace }, data: { allowed: 'no', least: '2' } });
  });
  afterAll(() => environment?.close());

  const installed = async () => {
    const kinds = [
      ...[ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding, ValidatingWebhookConfiguration],
      ...[MutatingAdmissionPolicy, MutatingAdmissionPolicyBinding, MutatingWebhookConfiguration],
    ];
    const lists = await Promise.all(kinds.map((kind) => environment.client.list(kind)));
    return lists.map(({ items }) => items.length);
  };

  it.each([
    ['policies', '1.36', [4, 4, 0, 3, 3, 0]],
    ['validating policies and mutating webhooks', '1.31', [4, 4, 0, 0, 0, 1]],
    ['webhooks that evaluate the rules in the process', '1.29', [0, 0, 1, 0, 0, 1]],
  ] as const)('decides in the same way with %s', async (_form, minServerVersion, objects) => {
    const manager = await environment.run(async (connection) => {
      const options = { controllers: [], webhooks: all, validator: classValidator(), minServerVersion };
      const created = await createManager({ ...connection, ...options, name: 'site-operator' });
      await created.start();
      await created.waitUntilReady();
      return created;
    });
    try {
      expect(await installed()).toEqual(objects);
      const verdicts: Record<string, Verdict> = {};
      for (const { name, request } of cases) verdicts[name] = await verdictOf(request(environment.client, namespace));
      expect(verdicts).toEqual(Object.fromEntries(cases.map(({ name, verdict }) => [name, verdict])));
      const results: Record<string, unknown> = {};
      for (const { name, request } of mutations) results[name] = await request(environment.client, namespace);
      expect(results).toEqual(Object.fromEntries(mutations.map(({ name, result }) => [name, result])));
    } finally {
      await manager.stop();
    }
    expect(await installed()).toEqual([0, 0, 0, 0, 0, 0]);
  });
}

describe('policies of an operator, on an embedded server', () => {
  policyContract(() => Environment.create({ variables: {} }));
});

describeWithRealServer('policies of an operator, on a real server', () => {
  policyContract(async () => Environment.create({ variables: { KUBEBUILDER_ASSETS: await realServerAssets() } }));
});
