import { isJsonObject, type JsonObject } from '@evenkeel/apimachinery/json';
import type { Random } from '@evenkeel/core';
import type { HistoryRequest } from './history-request.fixture.ts';
import { chance, literal, mutate, partOf, pick, pointersIn, yamlScalars } from './random-json.fixture.ts';
import { randomListQuery, randomQuery } from './random-query.fixture.ts';
import { apiVersionOf, collectionOf, namespaceMark, type Target } from './target.fixture.ts';

const names = ['a', 'b', 'c'];

/** One request to objects of the kind. Early ones of a history mostly create. */
export function randomRequest(random: Random, target: Target, index: number): HistoryRequest {
  const version = pick(random, target.versions);
  const made = new RequestMaker(random, target, version);
  if (index === 0 || chance(random, 0.5 / (index + 1))) return made.create();
  const dice = random.integer(100);
  if (dice < 14) return made.create();
  if (dice < 22) return made.get();
  if (dice < 34) return made.list();
  if (dice < 46) return made.update();
  if (dice < 54) return made.patch('merge');
  if (dice < 60) return made.patch('json');
  if (dice < 66) return made.patch('strategic');
  if (dice < 78) return made.apply();
  if (dice < 84) return made.updateStatus();
  if (dice < 89) return made.scale();
  if (dice < 96) return made.delete();
  if (dice < 99) return made.deleteCollection();
  return made.watch();
}

const accepts = [
  'application/json;as=Table;v=v1;g=meta.k8s.io',
  'application/json;as=Table;v=v1;g=meta.k8s.io,application/json',
  'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
  'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
  'application/json;as=Table;v=v1beta1;g=meta.k8s.io',
  'application/yaml',
];

class RequestMaker {
  readonly #random: Random;
  readonly #target: Target;
  readonly #version: string;

  constructor(random: Random, target: Target, version: string) {
    this.#random = random;
    this.#target = target;
    this.#version = version;
  }

  create(): HistoryRequest {
    const random = this.#random;
    const body = this.#object(this.#name());
    if (chance(random, 0.1)) {
      const { name: _, ...metadata } = (body['metadata'] ?? {}) as JsonObject;
      body['metadata'] = { ...metadata, generateName: pick(random, ['generated-', 'Generated_']) };
    }
    return {
      method: 'POST',
      path: `${this.#collection()}${this.#query('create')}`,
      ...this.#body(body),
      ...this.#accept(),
    };
  }

  get(): HistoryRequest {
    const query = this.#query('get');
    const subresource = chance(this.#random, 0.1) ? `/${pick(this.#random, ['status', 'scale', 'other'])}` : '';
    return { method: 'GET', path: `${this.#one()}${subresource}${query}`, ...this.#accept(0.6) };
  }

  list(): HistoryRequest {
    // The list of a whole cluster has objects that differ: docs/embedded-server.md.
    if (!this.#target.namespaced) return this.get();
    const query = randomListQuery(this.#random, this.#target, this.#namePrefix);
    return { method: 'GET', path: `${this.#collection()}${query}`, ...this.#accept(0.4) };
  }

  watch(): HistoryRequest {
    if (!this.#target.namespaced) return this.get();
    const query = randomListQuery(this.#random, this.#target, this.#namePrefix, true);
    return { method: 'GET', path: `${this.#collection()}${query}`, ...this.#accept(0.2) };
  }

  update(): HistoryRequest {
    const name = this.#name();
    const body = this.#object(name);
    const live = chance(this.#random, 0.8) && { live: this.#key(name) };
    return {
      method: 'PUT',
      path: `${this.#collection()}/${this.#path(name)}${this.#query('update')}`,
      ...live,
      ...this.#body(body),
      ...this.#accept(),
    };
  }

  patch(type: 'merge' | 'json' | 'strategic', subresource = ''): HistoryRequest {
    const random = this.#random;
    const name = this.#name();
    const object = subresource === '/status' ? this.#statusObject(name) : this.#object(name);
    const part = partOf(object, random) as JsonObject;
    const contentType = `application/${type === 'strategic' ? 'strategic-merge' : type === 'json' ? 'json' : 'merge'}-patch+json`;
    const body =
      type === 'json' ? this.#operations(object) : type === 'strategic' ? withDirectives(part, random) : part;
    return {
      method: 'PATCH',
      path: `${this.#collection()}/${this.#path(name)}${subresource}${this.#query('patch')}`,
      contentType,
      body: JSON.stringify(body),
      ...this.#accept(),
    };
  }

  apply(subresource = ''): HistoryRequest {
    const random = this.#random;
    const name = this.#name();
    const object = subresource === '/status' ? this.#statusObject(name) : this.#object(name);
    const type = { apiVersion: object['apiVersion'], kind: object['kind'], metadata: object['metadata'] };
    const body = { ...(partOf(object, random) as JsonObject), ...type };
    const manager = chance(random, 0.95) ? `fieldManager=${pick(random, ['one', 'two', 'three'])}` : '';
    const force = chance(random, 0.4) ? '&force=true' : '';
    const more = this.#query('patch').replace(/^\?/, '&');
    return {
      method: 'PATCH',
      path: `${this.#collection()}/${this.#path(name)}${subresource}?${manager}${force}${more}`,
      contentType: 'application/apply-patch+yaml',
      body: JSON.stringify(chance(random, 0.1) ? withYamlScalar(body, random) : body),
      ...this.#accept(),
    };
  }

  updateStatus(): HistoryRequest {
    const random = this.#random;
    const dice = random.integer(4);
    if (dice === 0) return this.patch(pick(random, ['merge', 'json', 'strategic']), '/status');
    if (dice === 1) return this.apply('/status');
    const name = this.#name();
    return {
      method: 'PUT',
      path: `${this.#collection()}/${this.#path(name)}/status${this.#query('update')}`,
      ...(chance(random, 0.9) && { live: this.#key(name) }),
      ...this.#body(this.#statusObject(name)),
    };
  }

  scale(): HistoryRequest {
    const random = this.#random;
    const name = this.#name();
    const path = `${this.#collection()}/${this.#path(name)}/scale`;
    const replicas = pick<unknown>(random, [0, 1, 2, 3, -1, '3', null, 2 ** 31, literal('2.0'), 1.5]);
    const scale = {
      apiVersion: pick(random, ['autoscaling/v1', 'autoscaling/v1', 'autoscaling/v1', 'v1']),
      kind: 'Scale',
      metadata: {
        name: this.#path(name),
        ...(chance(random, 0.5) && { resourceVersion: `@VERSION:${this.#key(name)}@` }),
      },
      spec: { replicas },
    };
    const dice = random.integer(4);
    if (dice === 0) return { method: 'GET', path, ...this.#accept(0.3) };
    if (dice === 1) return { method: 'PUT', path: `${path}${this.#query('update')}`, body: JSON.stringify(scale) };
    if (dice === 2) {
      const body = JSON.stringify({ spec: { replicas } });
      return {
        method: 'PATCH',
        path: `${path}${this.#query('patch')}`,
        body,
        contentType: 'application/merge-patch+json',
      };
    }
    const body = JSON.stringify({ apiVersion: 'autoscaling/v1', kind: 'Scale', spec: { replicas } });
    return { method: 'PATCH', path: `${path}?fieldManager=two`, body, contentType: 'application/apply-patch+yaml' };
  }

  delete(): HistoryRequest {
    const random = this.#random;
    const name = this.#name();
    const path = `${this.#collection()}/${this.#path(name)}`;
    if (chance(random, 0.5)) return { method: 'DELETE', path: `${path}${this.#query('delete')}`, ...this.#accept() };
    const body: JsonObject = {
      kind: 'DeleteOptions',
      apiVersion: pick(random, ['v1', 'v1', 'meta.k8s.io/v1', apiVersionOf(this.#target, this.#version), 'other/v1']),
      ...(chance(random, 0.4) && { propagationPolicy: pick(random, ['Foreground', 'Background', 'Orphan', 'Other']) }),
      ...(chance(random, 0.2) && { orphanDependents: chance(random, 0.5) }),
      ...(chance(random, 0.2) && { gracePeriodSeconds: pick<unknown>(random, [0, 1, 30, -1, '3']) }),
      ...(chance(random, 0.3) && { dryRun: pick(random, [['All'], [], ['Some'], 'All']) }),
      ...(chance(random, 0.5) && { preconditions: this.#preconditions(name) }),
      ...(chance(random, 0.1) && { unknown: 1 }),
    };
    return {
      method: 'DELETE',
      path,
      body: JSON.stringify(chance(random, 0.3) ? { ...body, kind: undefined, apiVersion: undefined } : body),
    };
  }

  #preconditions(name: string): JsonObject {
    const random = this.#random;
    const key = this.#key(name);
    return {
      ...(chance(random, 0.6) && { uid: pick(random, [`@UID:${key}@`, `@UID:${key}@`, 'other', '']) }),
      ...(chance(random, 0.6) && { resourceVersion: pick(random, [`@VERSION:${key}@`, `@VERSION:${key}@`, '1', '']) }),
    };
  }

  deleteCollection(): HistoryRequest {
    if (!this.#target.namespaced) return this.delete();
    const query = randomListQuery(this.#random, this.#target, this.#namePrefix);
    const options = chance(this.#random, 0.3) ? `${query === '' ? '?' : '&'}dryRun=All` : '';
    return { method: 'DELETE', path: `${this.#collection()}${query}${options}` };
  }

  #operations(object: JsonObject): unknown {
    const random = this.#random;
    const pointers = [
      ...pointersIn(object),
      '/metadata/labels/app',
      '/metadata/annotations',
      '/spec',
      '/status',
      '/x',
      '',
    ];
    return Array.from({ length: 1 + random.integer(3) }, () => {
      const op = pick(random, ['add', 'add', 'replace', 'remove', 'test', 'move', 'copy', 'other']);
      const path = pick(random, chance(random, 0.2) ? ['/metadata/name', '/spec/a/-', 'spec'] : pointers);
      const value = mutate({ value: pick<unknown>(random, ['x', 1, {}, [], null, true]) }, random, 1) as JsonObject;
      return {
        op,
        path,
        ...(op === 'move' || op === 'copy' ? { from: pick(random, pointers) } : {}),
        ...(['add', 'replace', 'test'].includes(op) && chance(random, 0.97) && { value: value['value'] }),
      };
    });
  }

  #statusObject(name: string): JsonObject {
    const { spec: _, ...object } = this.#object(name);
    return { ...object, status: this.#target.status(this.#random, this.#version, this.#faults()) };
  }

  #object(name: string): JsonObject {
    const random = this.#random;
    const target = this.#target;
    const object: JsonObject = {
      apiVersion: apiVersionOf(target, this.#version),
      kind: target.kind,
      ...target.sample(random, this.#version, this.#faults()),
      metadata: this.#metadata(name),
    };
    if (chance(random, 0.03)) delete object[pick(random, ['apiVersion', 'kind', 'metadata'])];
    if (chance(random, 0.02))
      object[pick(random, ['apiVersion', 'kind'])] = pick<unknown>(random, ['v1', 'Thing', '', 1, null]);
    return object;
  }

  #metadata(name: string): JsonObject {
    const random = this.#random;
    const metadata: JsonObject = {
      name: this.#path(name),
      ...(chance(random, 0.4) && {
        labels: pick<unknown>(random, [{ app: 'web' }, { app: 'db', tier: 'x' }, {}, { app: null }]),
      }),
      ...(chance(random, 0.3) && {
        annotations: pick<unknown>(random, [{ note: 'x' }, { note: '' }, { b: '1', a: '2' }]),
      }),
      ...(chance(random, 0.1) && { finalizers: pick<unknown>(random, [['example.com/held'], ['a', 'a'], []]) }),
      ...(chance(random, 0.1) && {
        ownerReferences: pick<unknown>(random, [[owner('u')], [owner('u'), owner('v')], [owner('')]]),
      }),
      ...(chance(random, 0.1) && { resourceVersion: pick(random, [`@VERSION:${this.#key(name)}@`, '1', '', 'x']) }),
      ...(chance(random, 0.05) && { namespace: pick(random, [namespaceMark, 'other', '']) }),
      ...(chance(random, 0.05) && { uid: pick(random, [`@UID:${this.#key(name)}@`, 'other']) }),
      ...(chance(random, 0.05) && { managedFields: pick<unknown>(random, [[], null, [{}], [{ manager: 'm' }]]) }),
      ...(chance(random, 0.03) && { generation: 7, creationTimestamp: '2020-01-01T00:00:00Z' }),
      ...(chance(random, 0.03) && { deletionTimestamp: '2020-01-01T00:00:00Z', deletionGracePeriodSeconds: 3 }),
    };
    if (!chance(random, 0.08)) return metadata;
    const mutated = mutate(metadata, random, 1);
    return isJsonObject(mutated) ? mutated : metadata;
  }

  /** A body with its content type; sometimes YAML, or JSON with repeated keys or an invalid end. */
  #body(body: JsonObject): { readonly body: string; readonly contentType?: string } {
    const random = this.#random;
    const dice = random.next();
    if (dice < 0.06) return { body: JSON.stringify(withYamlScalar(body, random)), contentType: 'application/yaml' };
    const text = JSON.stringify(body);
    if (dice < 0.08) return { body: text, contentType: 'application/yaml' };
    if (dice < 0.1) return { body: text.replace(/"([^"]+)":/, '"$1":null,"$1":') };
    if (dice < 0.11) return { body: text.slice(0, -1 - random.integer(5)) };
    return { body: text };
  }

  #faults(): number {
    return chance(this.#random, 0.5) ? 0 : 0.12;
  }

  #accept(probability = 0.08): { readonly accept?: string } {
    return chance(this.#random, probability) ? { accept: pick(this.#random, accepts) } : {};
  }

  #query(verb: 'create' | 'get' | 'update' | 'patch' | 'delete'): string {
    return randomQuery(this.#random, verb, this.#key(this.#name()));
  }

  #name(): string {
    return pick(this.#random, this.#random.integer(3) === 0 ? names : names.slice(0, 1));
  }

  /** Objects without a namespace have names of their history. */
  #path(name: string): string {
    return `${this.#namePrefix}${name}`;
  }

  get #namePrefix(): string {
    return this.#target.namespaced ? '' : `${namespaceMark}-`;
  }

  #key(name: string): string {
    return `${this.#target.kind}/${this.#path(name)}`;
  }

  #one(): string {
    return `${this.#collection()}/${this.#path(this.#name())}`;
  }

  #collection(): string {
    return collectionOf(this.#target, this.#version);
  }
}

const owner = (uid: string): object => ({ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid, controller: true });

function withYamlScalar(body: JsonObject, random: Random): unknown {
  const pointers = pointersIn(body).filter((pointer) => !/^\/(?:apiVersion|kind|metadata)/.test(pointer));
  const [, ...keys] = pick(random, [...pointers, '/metadata/labels/app']).split('/');
  return withValueAt(body, keys, pick(random, yamlScalars));
}

function withValueAt(value: unknown, [key = '', ...rest]: readonly string[], scalar: string): unknown {
  const below = (member: unknown): unknown => (rest.length === 0 ? scalar : withValueAt(member, rest, scalar));
  if (Array.isArray(value))
    return value.map((member: unknown, index) => (String(index) === key ? below(member) : member));
  const object = isJsonObject(value) ? value : {};
  return { ...object, [key]: below(object[key]) };
}

/** Adds directives of strategic merge patches. */
function withDirectives(part: JsonObject, random: Random): unknown {
  if (chance(random, 0.6)) return part;
  const directives: JsonObject[] = [
    { $patch: pick(random, ['replace', 'delete', 'merge', 'other']) },
    { $retainKeys: Object.keys(part).slice(0, 1) },
    { '$deleteFromPrimitiveList/finalizers': ['a'] },
  ];
  const directive = pick(random, directives);
  if (chance(random, 0.3)) return { ...part, ...directive };
  const keys = Object.keys(part).filter((key) => isJsonObject(part[key]));
  if (keys.length === 0) return { ...part, ...directive };
  const key = pick(random, keys);
  return { ...part, [key]: { ...(part[key] as JsonObject), ...directive } };
}
