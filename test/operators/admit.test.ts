import {
  type AdmissionReview,
  Admit,
  CustomResource,
  KubernetesObject,
  ListerOf,
  MutatingWebhook,
  Spec,
  ValidatingWebhook,
} from '@evenkeel/core';
import { ConfigMap, Deployment, Namespace } from '@evenkeel/kinds';
import type { Scale } from '@evenkeel/kinds/autoscaling/v1';
import { createManager, type Lister } from '@evenkeel/runtime';
import { admit } from '@evenkeel/testing';

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
