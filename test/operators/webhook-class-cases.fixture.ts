import { Client } from '@evenkeel/client';
import {
  AdmissionReview,
  Admit,
  ListerOf,
  MutatingWebhook,
  type ObjectKey,
  StatusError,
  ValidatingWebhook,
} from '@evenkeel/core';
import { ConfigMap, Namespace, PersistentVolumeClaim, Secret, Service } from '@evenkeel/kinds';
import { Lister } from '@evenkeel/runtime';
import { core, Gadget, gadget, gadgets, map, maps, type WebhookCase } from './webhook-case.fixture.ts';

/** A service of the operator. */
export class Quota {
  readonly most = 3;
}

const secret = (name: string, metadata: object = {}): object => ({ metadata: { name, ...metadata } });
const secrets = `${core}/secrets`;
const services = `${core}/services`;
const merge = { contentType: 'application/merge-patch+json' };

/** Webhooks as decorated classes, with the names and paths that follow from their kinds. */
export const classCases: readonly WebhookCase[] = [
  {
    title: 'all methods of a class report together, each for its operations, under the default name',
    classes: (namespaceSelector, see) => {
      @ValidatingWebhook(Secret, { namespaceSelector })
      class SecretValidator {
        @Admit() first(_: Secret, review: AdmissionReview<Secret>): void {
          see('first');
          review.required('data.a');
        }
        @Admit('create') async second(_: Secret, review: AdmissionReview<Secret>): Promise<void> {
          await Promise.resolve();
          see('second');
          review.required('data.b');
        }
        @Admit('delete') third(object: Secret, review: AdmissionReview<Secret>): void {
          see(`third ${object.metadata.name}`);
          review.deny('kept');
        }
      }
      return [SecretValidator];
    },
    steps: [
      {
        request: ['POST', secrets, secret('one')],
        code: 422,
        message:
          'admission webhook "vsecret-v1.core.webhook" denied the request: Secret "one" is invalid: [data.a: Required value, data.b: Required value]',
        seen: ['first', 'second'],
      },
      { request: ['DELETE', `${secrets}/one`], code: 404, seen: [] },
    ],
  },
  {
    title: 'a method that denies ends the review, and later methods do not run',
    classes: (namespaceSelector, see) => {
      @MutatingWebhook(Secret, { namespaceSelector })
      class SecretDefaults {
        @Admit('create') first(object: Secret, review: AdmissionReview<Secret>): void {
          object.metadata.labels = { ...object.metadata.labels, first: 'yes' };
          if (object.metadata.name === 'denied') review.deny('not this one');
        }
        @Admit('create') second(object: Secret): void {
          see(object.metadata.labels?.['first']);
          object.metadata.labels = { ...object.metadata.labels, second: 'yes' };
        }
      }
      return [SecretDefaults];
    },
    steps: [
      {
        request: ['POST', secrets, secret('denied')],
        code: 403,
        message: 'admission webhook "msecret-v1.core.webhook" denied the request: not this one',
        seen: [],
      },
      {
        request: ['POST', secrets, secret('changed')],
        body: { metadata: { labels: { first: 'yes', second: 'yes' } } },
        seen: ['yes'],
      },
    ],
  },
  {
    title: 'a webhook reads listers, which have synced, and services',
    classes: (namespaceSelector) => {
      @ValidatingWebhook(Service, { namespaceSelector })
      class ServiceValidator {
        readonly #quota: Quota;
        readonly #namespaces: Lister<Namespace>;
        constructor(quota: Quota, @ListerOf(Namespace) namespaces: Lister<Namespace>) {
          this.#quota = quota;
          this.#namespaces = namespaces;
        }
        @Admit('create') check(service: Service, review: AdmissionReview<Service>): void {
          const own = this.#namespaces.list().find(({ metadata }) => metadata.name === review.namespace);
          const ports = service.spec?.ports?.length ?? 0;
          if (own === undefined) review.deny('the cache has not synced');
          if (ports > this.#quota.most)
            review.invalid('spec.ports', ports, `at most ${this.#quota.most} in ${own?.metadata.name}`);
        }
      }
      return [ServiceValidator];
    },
    steps: [
      {
        request: ['POST', services, { metadata: { name: 'small' }, spec: { ports: [{ port: 1 }] } }],
        code: 201,
      },
      {
        request: [
          'POST',
          services,
          { metadata: { name: 'large' }, spec: { ports: [1, 2, 3, 4].map((port) => ({ port, name: `p${port}` })) } },
        ],
        code: 422,
        message: 'spec.ports: Invalid value: 4: at most 3 in {ns}',
      },
    ],
  },
  {
    title: 'a webhook writes and reads through its client, except in a dry run',
    classes: (namespaceSelector) => {
      @ValidatingWebhook(PersistentVolumeClaim, { namespaceSelector, sideEffects: 'NoneOnDryRun' })
      class ClaimRecorder {
        readonly #client: Client;
        constructor(client: Client) {
          this.#client = client;
        }
        @Admit('create') async record(
          claim: PersistentVolumeClaim,
          review: AdmissionReview<PersistentVolumeClaim>,
        ): Promise<void> {
          if (review.dryRun) return;
          const metadata = { name: `of-${claim.metadata.name}`, namespace: review.namespace ?? '' };
          await this.#client.create(ConfigMap, { metadata });
        }
      }
      return [ClaimRecorder];
    },
    steps: [true, false, false].map((dryRun, index) => ({
      request: [
        'POST',
        `${core}/persistentvolumeclaims${dryRun ? '?dryRun=All' : ''}`,
        {
          metadata: { name: 'claim' },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
        },
      ],
      // The error of the client is the response.
      ...(index < 2 ? { code: 201 } : { code: 409, message: 'configmaps "of-claim" already exists' }),
    })),
  },
  {
    title: 'a class inherits the methods of its base class',
    classes: (namespaceSelector) => {
      class Named {
        readonly word: string = 'base';
        @Admit('create') label(object: Gadget): void {
          object.metadata.labels = { ...object.metadata.labels, by: this.word };
        }
      }
      @MutatingWebhook(Gadget, { namespaceSelector })
      class GadgetDefaults extends Named {
        override readonly word = 'derived';
        @Admit('create', 'update') size(object: Gadget): void {
          object.spec.size ??= 7;
        }
      }
      return [GadgetDefaults];
    },
    steps: [
      {
        request: ['POST', gadgets, gadget({})],
        body: { spec: { size: 7 }, metadata: { labels: { by: 'derived' } } },
      },
      {
        request: ['PATCH', `${gadgets}/gadget`, { spec: { size: null }, metadata: { labels: null } }, merge],
        body: { spec: { size: 7 } },
      },
    ],
  },
  {
    title: 'the names and paths of subresources',
    classes: (namespaceSelector) => {
      @ValidatingWebhook(Gadget, { namespaceSelector, subresource: 'status' })
      class StatusValidator {
        @Admit() check(object: Gadget, review: AdmissionReview<Gadget>): void {
          if (object.status.ready === false) review.forbidden('status.ready', 'must not become false');
        }
      }
      return [StatusValidator];
    },
    steps: [
      { request: ['POST', gadgets, gadget({ size: 1 })], code: 201 },
      {
        request: ['PATCH', `${gadgets}/gadget/status`, { status: { ready: false } }, merge],
        code: 422,
        message:
          /^admission webhook "vgadget-v1-status\.cases\.example\.com" denied .*: status\.ready: Forbidden: must not become false$/,
      },
    ],
  },
  {
    title: 'a webhook returns the error of a request that it sends',
    classes: (namespaceSelector) => {
      @ValidatingWebhook(ConfigMap, { namespaceSelector })
      class MapValidator {
        readonly #client: Client;
        constructor(client: Client) {
          this.#client = client;
        }
        @Admit('create') async check(object: ConfigMap, review: AdmissionReview<ConfigMap>): Promise<void> {
          const key = { name: object.data?.['secret'] ?? '', namespace: review.namespace ?? '' } as ObjectKey;
          await this.#client.get(Secret, key).catch((error: unknown) => {
            if (error instanceof StatusError) throw error;
            throw new Error('no StatusError');
          });
        }
      }
      return [MapValidator];
    },
    steps: [
      {
        request: ['POST', maps, map({ secret: 'missing' })],
        code: 404,
        message: 'denied the request: secrets "missing" not found',
      },
      { request: ['POST', secrets, secret('there')], code: 201 },
      { request: ['POST', maps, map({ secret: 'there' })], code: 201 },
    ],
  },
];
