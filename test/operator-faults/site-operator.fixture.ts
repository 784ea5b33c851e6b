// Decorators are called as functions, because Node also runs this file without compiling it.
import 'reflect-metadata';
import {
  type Condition,
  Conditions,
  Controller,
  CustomResource,
  Finalizer,
  KubernetesObject,
  Owns,
  Reconcile,
  Spec,
  Status,
} from '@evenkeel/core';
import type { CustomResourceDefinition } from '@evenkeel/kinds';
import { Deployment } from '@evenkeel/kinds/apps/v1';
import { ConfigMap } from '@evenkeel/kinds/core/v1';
import type { ReconcileContext } from '../../packages/runtime/src/reconcile/reconcile-context.ts';

export interface SiteSpec {
  readonly pages?: readonly string[];
  readonly text?: string;
}

export class SiteStatus {
  declare pages?: number;
  declare observedGeneration?: number;
  declare conditions?: Condition[];
}
Conditions()(SiteStatus.prototype, 'conditions');

export class Site extends KubernetesObject {
  declare spec: SiteSpec;
  declare status: SiteStatus;
}
Spec()(Site.prototype, 'spec');
Status()(Site.prototype, 'status');
CustomResource({ group: 'faults.example.com', version: 'v1', kind: 'Site' })(Site);

export function siteDefinition(): CustomResourceDefinition {
  const openAPIV3Schema = {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: { pages: { type: 'array', items: { type: 'string' } }, text: { type: 'string' } },
      },
      status: {
        type: 'object',
        properties: {
          pages: { type: 'integer' },
          observedGeneration: { type: 'integer' },
          conditions: {
            type: 'array',
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['type'],
            items: {
              type: 'object',
              required: ['type'],
              properties: { type: { type: 'string' } },
              'x-kubernetes-preserve-unknown-fields': true,
            },
          },
        },
      },
    },
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'sites.faults.example.com' },
    spec: {
      group: 'faults.example.com',
      scope: 'Namespaced',
      names: { kind: 'Site', listKind: 'SiteList', plural: 'sites', singular: 'site' },
      versions: [
        { name: 'v1', served: true, storage: true, subresources: { status: {} }, schema: { openAPIV3Schema } },
      ],
    },
  } as CustomResourceDefinition;
}

/** The entries in the external system, by `namespace/name`. They outlive operators. */
export type Outside = Map<string, string>;

/** Records the runs of an operator, and violations of its guarantees. */
export class Ledger {
  /** Keys with two concurrent runs. Must stay empty. */
  readonly overlaps: string[] = [];
  /** Called in the middle of each reconcile, after its first child has been applied. */
  middle: (site: Site, context: ReconcileContext) => Promise<void> | void = () => undefined;
  runs = 0;
  readonly #outside: Outside;
  readonly #killed: AbortSignal | undefined;
  readonly #running = new Set<string>();

  constructor(outside: Outside = new Map(), killed?: AbortSignal) {
    this.#outside = outside;
    this.#killed = killed;
  }

  /** Calls of a killed operator are ignored. */
  publish(key: string, text: string | undefined): void {
    this.#killed?.throwIfAborted();
    if (text === undefined) this.#outside.delete(key);
    else this.#outside.set(key, text);
  }

  async alone<T>(key: string, work: () => Promise<T>): Promise<T> {
    if (this.#running.has(key)) this.overlaps.push(key);
    this.#running.add(key);
    this.runs++;
    try {
      return await work();
    } finally {
      this.#running.delete(key);
    }
  }
}

/**
 * An operator with all features: a ConfigMap for each page of a site, one Deployment, a status with a condition,
 * Events, external state that a finalizer withdraws, and children that are deleted with their pages.
 */
export function siteController(ledger: Ledger) {
  class SiteController {
    async reconcile(site: Site, context: ReconcileContext): Promise<void> {
      await ledger.alone(String(context.key), async () => {
        const { name, generation } = site.metadata;
        const { pages = [], text = '' } = site.spec;
        const [first, ...others] = pages;
        if (first !== undefined) await context.apply(page(name, first, text));
        await ledger.middle(site, context);
        for (const other of others) await context.apply(page(name, other, text));
        await context.apply(deployment(name, pages.length));
        await context.prune();
        ledger.publish(String(context.key), text);
        if (site.status.observedGeneration !== generation) context.events.normal('Published', `${pages.length} pages`);
        site.status.pages = pages.length;
        if (generation !== undefined) site.status.observedGeneration = generation;
        context.conditions.set('Published', true, 'AllPages');
      });
    }

    async withdraw(_: Site, { key }: ReconcileContext): Promise<void> {
      await ledger.alone(String(key), async () => ledger.publish(String(key), undefined));
    }
  }
  Reconcile({ maxConcurrent: 4 })(SiteController.prototype, 'reconcile');
  Finalizer('faults.example.com/outside')(SiteController.prototype, 'withdraw');
  Owns(ConfigMap)(SiteController);
  Owns(Deployment)(SiteController);
  Controller(Site, { name: 'sites' })(SiteController);
  return SiteController;
}

function page(site: string, name: string, text: string): ConfigMap {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `${site}-${name}` }, data: { text } } as ConfigMap;
}

function deployment(name: string, replicas: number): Deployment {
  const labels = { site: name };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'nginx' }] } },
    },
  } as Deployment;
}
