import type { Client } from '@evenkeel/client';
import {
  type AdmissionReview,
  Admit,
  CustomResource,
  KubernetesObject,
  ListerOf,
  MutatingWebhook,
  Mutation,
  Rule,
  Spec,
  ValidatingWebhook,
} from '@evenkeel/core';
import { ConfigMap, Deployment, Namespace } from '@evenkeel/kinds';
import type { Scale } from '@evenkeel/kinds/autoscaling/v1';
import { createManager, type Lister } from '@evenkeel/runtime';
import { admit } from '@evenkeel/testing';
import { definitionOf } from './definition.fixture.ts';

@CustomResource({ group: 'web.example.com', version: 'v1' })
class Site extends KubernetesObject {
  @Spec() spec!: { size: number; host?: string };
}

class Limits {
  most = 5;
}

@ValidatingWebhook(Site)
class SiteValidator {
  readonly #limits: Limits;
  constructor(limits: Limits) {
    this.#limits = limits;
  }
  @Admit() check({ spec }: Site, review: AdmissionReview<Site>): void {
    if (review.user.username === 'mallory') review.deny('not you');
    if (spec.size > this.#limits.most) review.invalid('spec.size', spec.size, 'is too large');
    if (spec.size < (review.oldObject?.spec.size ?? 0)) review.warn('it shrinks');
    if (review.dryRun) review.audit('dry', 'run');
    if (spec.size === 0) throw new RangeError('zero');
  }
}

@MutatingWebhook(Site)
class SiteDefaults {
  @Admit('create') set(site: Site): void {
    site.spec.host ??= 'example.com';
  }
}

const site = (size: number) => ({ metadata: { name: 'blog', namespace: 'default' }, spec: { size, other: 1 } });
const services = [Limits];

describe('admit()', () => {
  it('returns the decision, with services and their overrides', async () => {
    expect(await admit(createManager, SiteValidator, { object: site(5), services })).toMatchObject({
      ...{ allowed: true, status: undefined, warnings: [], patch: [], error: undefined },
      object: { apiVersion: 'web.example.com/v1', kind: 'Site', spec: { size: 5 } },
    });
    const overrides = [{ provide: Limits, useValue: { most: 1 } }];
    const refused = await admit(createManager, SiteValidator, { object: site(2), services, overrides });
    expect(refused.allowed).toBe(false);
    expect(refused.status?.details?.causes).toEqual([
      { reason: 'FieldValueInvalid', message: 'Invalid value: 2: is too large', field: 'spec.size' },
    ]);
  });

  it('passes the old object, the user and the dry run', async () => {
    const updated = await admit(createManager, SiteValidator, {
      ...{ object: site(2), oldObject: site(3), dryRun: true, services },
    });
    expect(updated).toMatchObject({ allowed: true, warnings: ['it shrinks'], auditAnnotations: { dry: 'run' } });
    const denied = await admit(createManager, SiteValidator, { object: site(2), user: 'mallory', services });
    expect(denied.status).toMatchObject({ code: 403, message: 'not you' });
  });

  it('returns what a method threw', async () => {
    const { status, error } = await admit(createManager, SiteValidator, { object: site(0), services });
    expect(status?.code).toBe(500);
    expect(error).toEqual(new RangeError('zero'));
  });

  it('returns the changed object and the patch, and leaves the given one alone', async () => {
    const given = site(1);
    const { object, patch } = await admit<Site>(createManager, SiteDefaults, { object: given });
    expect(object.spec).toEqual({ size: 1, other: 1, host: 'example.com' });
    expect(patch).toEqual([{ op: 'add', path: '/spec/host', value: 'example.com' }]);
    expect(given).toEqual(site(1));
  });

  it('gives listers what setUp creates', async () => {
    @ValidatingWebhook(ConfigMap)
    class Frozen {
      readonly #namespaces: Lister<Namespace>;
      constructor(@ListerOf(Namespace) namespaces: Lister<Namespace>) {
        this.#namespaces = namespaces;
      }
      @Admit('delete') check(_map: ConfigMap, review: AdmissionReview<ConfigMap>): void {
        const namespace = this.#namespaces.get(review.namespace ?? '');
        if (namespace?.metadata.labels?.['frozen'] === 'yes') review.deny('frozen');
      }
    }
    const oldObject = { metadata: { name: 'map', namespace: 'cold' } };
    const { status } = await admit(createManager, Frozen, {
      ...{ operation: 'delete', oldObject },
      setUp: (client) => client.create(Namespace, { metadata: { name: 'cold', labels: { frozen: 'yes' } } }),
    });
    expect(status?.message).toBe('frozen');
  });

  it('passes a Scale to a webhook of scale', async () => {
    @ValidatingWebhook(Deployment, { subresource: 'scale' })
    class Most {
      @Admit() check(scale: Scale, review: AdmissionReview<Scale>): void {
        if ((scale.spec?.replicas ?? 0) > 3) review.forbidden('spec.replicas', 'too many');
      }
    }
    const object = { metadata: { name: 'web', namespace: 'default' }, spec: { replicas: 4 } };
    expect((await admit(createManager, Most, { operation: 'update', object })).allowed).toBe(false);
  });

  it('reports operations that the webhook does not review, and missing objects', async () => {
    await expect(admit(createManager, SiteDefaults, { operation: 'delete', oldObject: site(1) })).rejects.toThrow(
      'admit(): SiteDefaults does not review "delete"; use "create", or add it to @Admit',
    );
    await expect(admit(createManager, SiteDefaults, {})).rejects.toThrow('"create" of SiteDefaults needs object');
  });
});

@CustomResource({ group: 'web.example.com', version: 'v1' })
class Limit extends KubernetesObject {
  @Spec() spec!: { most: number };
}

@ValidatingWebhook(Site, {
  policy: true,
  operations: ['create', 'delete'],
  params: { kind: Limit, name: 'limit' },
})
@Rule('request.operation == "DELETE" || object.spec.size <= params.spec.most', {
  messageExpression: '"at most " + string(params.spec.most) + " in " + namespaceObject.metadata.name',
})
@Rule('request.userInfo.username != "mallory"', { message: 'not you', reason: 'Forbidden' })
class SiteRules {}

@MutatingWebhook(Site, { policy: true })
@Mutation('Object{spec: Object.spec{host: object.metadata.name}}')
class SiteHost {}

@MutatingWebhook(Site, { policy: true })
@Mutation('Object{spec: Object.spec{hosts: object.spec.others}}')
class SiteHosts {}

const limitDefinition = definitionOf(Limit, {
  spec: { type: 'object', properties: { most: { type: 'integer' } } },
  status: { type: 'object' },
});
const withLimit = {
  definitions: [limitDefinition],
  setUp: async (client: Client) => {
    await client.create(Limit, { metadata: { name: 'limit', namespace: 'default' }, spec: { most: 3 } });
  },
};

describe('admit() with rules', () => {
  it('evaluates the rules of a policy, with parameters and the namespace', async () => {
    expect(await admit(createManager, SiteRules, { object: site(3), ...withLimit })).toMatchObject({ allowed: true });
    expect((await admit(createManager, SiteRules, { object: site(4), ...withLimit })).status).toMatchObject({
      ...{ code: 422, reason: 'Invalid', message: 'at most 3 in default' },
      details: { causes: [{ message: 'at most 3 in default' }] },
    });
    const deletion = { operation: 'delete', oldObject: site(9), user: 'mallory', ...withLimit } as const;
    expect((await admit(createManager, SiteRules, deletion)).status).toMatchObject({ code: 403, message: 'not you' });
  });

  it('rejects if there is no parameter, and reviews only the declared operations', async () => {
    const { definitions } = withLimit;
    expect((await admit(createManager, SiteRules, { object: site(1), definitions })).status).toMatchObject({
      code: 422,
      message: expect.stringContaining('no params found'),
    });
    await expect(admit(createManager, SiteRules, { object: site(1), oldObject: site(2) })).rejects.toMatchObject({
      message: 'admit(): SiteRules does not review "update"; use "create" or "delete", or add it to @Admit',
    });
  });

  it('returns the patch of mutations, which touches nothing else', async () => {
    const { patch, object } = await admit(createManager, SiteHost, { object: site(1) });
    expect(patch).toEqual([{ op: 'add', path: '/spec/host', value: 'blog' }]);
    expect(object).toMatchObject({ spec: { size: 1, other: 1, host: 'blog' } });
  });

  it('rejects a list of a configuration, which only the API server can merge', async () => {
    const given = { ...site(1), spec: { others: ['a'] } };
    expect((await admit(createManager, SiteHosts, { object: given })).status).toMatchObject({
      code: 403,
      message: "error applying patch: the operator cannot merge the list .spec.hosts; use patchType 'JSONPatch' for it",
    });
  });

  it('reports expressions that the operator cannot evaluate', async () => {
    @ValidatingWebhook(Site)
    @Rule('authorizer.path("/x").check("get").allowed()')
    class Asks {}
    @ValidatingWebhook(Site)
    @Rule('object.spec.size <')
    class Wrong {}
    @MutatingWebhook(Site)
    @Mutation('has(object.spec.hosts) ? Object{} : Object{spec: Object.spec{hosts: ["a"].map(x, x)}}')
    class Lists {}
    await expect(admit(createManager, Lists, { object: site(1) })).rejects.toMatchObject({
      code: 'invalid-rule',
      message: expect.stringMatching(
        /^Lists: only the API server can merge the list Object\.spec\.hosts of @Mutation\(.*\); write it with patchType: 'JSONPatch'$/,
      ),
    });
    await expect(admit(createManager, Asks, { object: site(1) })).rejects.toMatchObject({
      code: 'invalid-rule',
      message: expect.stringMatching(/^Asks: only the API server has the variable "authorizer" of /),
    });
    await expect(admit(createManager, Wrong, { object: site(1) })).rejects.toMatchObject({
      code: 'invalid-rule',
      message: expect.stringContaining('Syntax error'),
    });
  });

  it('needs no webhook server, and reads nothing, if the API server evaluates the rules', async () => {
    const requests: string[] = [];
    const transport = {
      request: async ({ path }: { readonly path: string }): Promise<never> => {
        requests.push(path);
        throw new Error('nothing should be sent');
      },
      close: async () => undefined,
    };
    const options = { controllers: [], webhooks: [SiteRules], transport, name: 'sites' };
    const manager = await createManager(options);
    await manager.start();
    await manager.stop();
    expect(requests).toEqual([]);
    await expect(createManager({ ...options, minServerVersion: '1.29' })).rejects.toMatchObject({
      code: 'invalid-option',
      message: expect.stringContaining(
        'SiteRules: the operator evaluates @Rule through its validator, which is missing',
      ),
    });
  });
});
