import type { ApiGroupVersion, ServedResource } from '../kind/api-groups.ts';

/** One method of one path, independent of OpenAPI 2 or 3. */
export interface Operation {
  readonly path: string;
  readonly method: 'get' | 'put' | 'post' | 'delete' | 'options' | 'head' | 'patch';
  readonly operationId: string;
  /** Kubernetes' name of the action: `x-kubernetes-action`. */
  readonly action: string;
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
  readonly parameters: readonly Parameter[];
  /** The definition of the body; absent if there is none. */
  readonly body?: { readonly definition: string; readonly required: boolean; readonly patch?: boolean };
  /** The definition of the response; undefined for text or a stream. */
  readonly answer: string | undefined;
  readonly statuses: readonly (200 | 201 | 202)[];
  /** Whether the response may also be a stream of events. */
  readonly streams: boolean;
  /** Whether the operation proxies a connection. */
  readonly connect: boolean;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly type: 'string' | 'integer' | 'boolean';
}

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';

const query = (types: Record<string, Parameter['type']>): Parameter[] =>
  Object.entries(types).map(([name, type]) => ({ name, in: 'query', type }));

const pretty = query({ pretty: 'string' });
const writing = query({ dryRun: 'string', fieldManager: 'string', fieldValidation: 'string' });
const patching = [...writing, ...query({ force: 'boolean' })];
const deleting = query({
  dryRun: 'string',
  gracePeriodSeconds: 'integer',
  ignoreStoreReadErrorWithClusterBreakingPotential: 'boolean',
  orphanDependents: 'boolean',
  propagationPolicy: 'string',
});
const selecting = query({
  continue: 'string',
  fieldSelector: 'string',
  labelSelector: 'string',
  limit: 'integer',
  resourceVersion: 'string',
  resourceVersionMatch: 'string',
  sendInitialEvents: 'boolean',
  shardSelector: 'string',
  timeoutSeconds: 'integer',
});
const listing = [...selecting, ...query({ allowWatchBookmarks: 'boolean', watch: 'boolean' })];

/** The differences between upstream's two servers: the built-in one and that of custom resources. */
export interface Dialect {
  readonly custom: boolean;
}

/** Returns all operations of a group and version, as upstream's installer registers them. */
export function operationsOf(group: string, { version, resources }: ApiGroupVersion, dialect: Dialect): Operation[] {
  return resources.flatMap((resource) => new ResourceOperations(group, version, resource, dialect).all());
}

/** `AppsV1`, `RbacAuthorizationV1`, `CoreV1`. */
export function operationPrefix(group: string, version: string): string {
  const words = (group === '' ? 'core' : group.replace(/\.k8s\.io$/, '')).split(/[.-]/);
  return `${words.map(capitalised).join('')}${capitalised(version)}`;
}

/** `apps_v1`, `rbacAuthorization_v1`, `core_v1`. */
export function tagOf(group: string, version?: string): string {
  const prefix = operationPrefix(group, '');
  return `${prefix.slice(0, 1).toLowerCase()}${prefix.slice(1)}${version === undefined ? '' : `_${version}`}`;
}

const capitalised = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

class ResourceOperations {
  readonly #resource: ServedResource;
  readonly #dialect: Dialect;
  readonly #root: string;
  readonly #prefix: string;
  readonly #own: Operation['kind'];

  constructor(group: string, version: string, resource: ServedResource, dialect: Dialect) {
    this.#resource = resource;
    this.#dialect = dialect;
    this.#root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
    this.#prefix = operationPrefix(group, version);
    this.#own = { group, version, kind: resource.kind };
  }

  all(): Operation[] {
    const { resource, namespaced, verbs } = this.#resource;
    const has = (verb: string): boolean => verbs.includes(verb);
    const scope = namespaced ? '/namespaces/{namespace}' : '';
    const collection = `${this.#root}${scope}/${resource}`;
    const item = `${collection}/{name}`;
    const operations: Operation[] = [];
    if (has('list')) {
      operations.push(this.#list(collection, namespaced ? 'Namespaced' : '', ''));
      if (namespaced) operations.push(this.#list(`${this.#root}/${resource}`, '', 'ForAllNamespaces'));
    }
    if (has('create')) operations.push(this.#create(collection));
    if (has('deletecollection')) operations.push(this.#deleteCollection(collection));
    if (has('get')) operations.push(this.#get(item));
    if (has('update')) operations.push(this.#update(item));
    if (has('delete')) operations.push(this.#delete(item));
    if (has('patch')) operations.push(this.#patch(item));
    if (has('watch') && !this.#dialect.custom) operations.push(...this.#watches(scope));
    for (const subresource of this.#resource.subresources ?? [])
      operations.push(...this.#subresource(item, subresource));
    return operations;
  }

  #operation(
    path: string,
    method: Operation['method'],
    action: string,
    name: string,
    rest: Partial<Operation> = {},
  ): Operation {
    const placeholders = [...path.matchAll(/\{(\w+)\}/g)].map(
      ([, placeholder]): Parameter => ({ name: placeholder ?? '', in: 'path', type: 'string' }),
    );
    const { parameters = [], ...others } = rest;
    return {
      path,
      method,
      action,
      operationId: name,
      kind: this.#own,
      answer: this.#resource.definition,
      statuses: [200],
      streams: false,
      connect: false,
      ...others,
      parameters: [...placeholders, ...(others.connect === true ? [] : pretty), ...parameters],
    };
  }

  #name(verb: string, suffix = ''): string {
    return `${verb}${this.#prefix}${this.#resource.namespaced ? 'Namespaced' : ''}${this.#resource.kind}${suffix}`;
  }

  #list(path: string, scope: string, suffix: string): Operation {
    return this.#operation(path, 'get', 'list', `list${this.#prefix}${scope}${this.#resource.kind}${suffix}`, {
      parameters: listing,
      answer: `${this.#resource.definition}List`,
      streams: true,
    });
  }

  #create(path: string): Operation {
    return this.#operation(path, 'post', 'post', this.#name('create'), {
      parameters: writing,
      body: { definition: this.#resource.definition, required: true },
      statuses: [200, 201, 202],
    });
  }

  #deleteCollection(path: string): Operation {
    const { kind, namespaced } = this.#resource;
    const name = `delete${this.#prefix}Collection${namespaced ? 'Namespaced' : ''}${kind}`;
    return this.#operation(path, 'delete', 'deletecollection', name, {
      parameters: this.#dialect.custom
        ? [...selecting, ...query({ allowWatchBookmarks: 'boolean', watch: 'boolean' })]
        : [...selecting, ...deleting],
      ...(this.#dialect.custom ? {} : { body: { definition: `${meta}.DeleteOptions`, required: false } }),
      answer: `${meta}.Status`,
    });
  }

  #get(
    path: string,
    subject: { name: string; kind: Operation['kind']; answer: string | undefined } | undefined = undefined,
  ): Operation {
    return this.#operation(path, 'get', 'get', subject?.name ?? this.#name('read'), {
      ...(this.#dialect.custom ? { parameters: query({ resourceVersion: 'string' }) } : {}),
      ...(subject === undefined ? {} : { kind: subject.kind, answer: subject.answer }),
    });
  }

  #update(path: string): Operation {
    return this.#operation(path, 'put', 'put', this.#name('replace'), {
      parameters: writing,
      body: { definition: this.#resource.definition, required: true },
      statuses: [200, 201],
    });
  }

  #delete(path: string): Operation {
    return this.#operation(path, 'delete', 'delete', this.#name('delete'), {
      parameters: deleting,
      body: { definition: `${meta}.DeleteOptions`, required: false },
      answer: this.#resource.returnsDeletedObject === true ? this.#resource.definition : `${meta}.Status`,
      statuses: [200, 202],
    });
  }

  #patch(path: string): Operation {
    return this.#operation(path, 'patch', 'patch', this.#name('patch'), {
      parameters: patching,
      body: { definition: `${meta}.Patch`, required: true, patch: true },
      statuses: this.#dialect.custom ? [200] : [200, 201],
    });
  }

  /** The paths below `/watch`, which upstream still publishes though they have been deprecated since 1.11. */
  #watches(scope: string): Operation[] {
    const { resource, kind, namespaced, verbs } = this.#resource;
    const collection = `${this.#root}/watch${scope}/${resource}`;
    const inScope = namespaced ? 'Namespaced' : '';
    const watch = (path: string, action: string, name: string): Operation =>
      this.#operation(path, 'get', action, `watch${this.#prefix}${name}`, {
        parameters: listing,
        answer: `${meta}.WatchEvent`,
        streams: true,
      });
    return [
      ...(verbs.includes('list') ? [watch(collection, 'watchlist', `${inScope}${kind}List`)] : []),
      ...(namespaced && verbs.includes('list')
        ? [watch(`${this.#root}/watch/${resource}`, 'watchlist', `${kind}ListForAllNamespaces`)]
        : []),
      ...(verbs.includes('get') ? [watch(`${collection}/{name}`, 'watch', `${inScope}${kind}`)] : []),
    ];
  }

  #subresource(item: string, subresource: NonNullable<ServedResource['subresources']>[number]): Operation[] {
    const path = `${item}/${subresource.subresource}`;
    const suffix = capitalised(subresource.subresource);
    const kind = this.#dialect.custom
      ? this.#own
      : {
          group: subresource.group ?? this.#own.group,
          version: subresource.version ?? this.#own.version,
          kind: subresource.kind,
        };
    if (subresource.connect === true) return this.#connections(path, suffix, kind, subresource);
    const definition = subresource.definition;
    const parameters = query({ ...subresource.queryParameters });
    const isText = definition === undefined || subresource.subresource === 'log';
    return subresource.verbs.flatMap((verb): Operation[] => {
      switch (verb) {
        case 'get': {
          const read = this.#get(path, {
            name: this.#name('read', suffix),
            kind,
            answer: isText ? undefined : definition,
          });
          return [{ ...read, parameters: [...read.parameters, ...parameters] }];
        }
        case 'create':
          return [
            {
              ...this.#create(path),
              operationId: this.#name('create', suffix),
              kind,
              ...(definition === undefined ? {} : { body: { definition, required: true } }),
              answer: definition,
            },
          ];
        case 'update':
          return [
            {
              ...this.#update(path),
              operationId: this.#name('replace', suffix),
              kind,
              ...(definition === undefined ? {} : { body: { definition, required: true } }),
              answer: definition,
            },
          ];
        case 'patch':
          return [{ ...this.#patch(path), operationId: this.#name('patch', suffix), kind, answer: definition }];
        default:
          return [];
      }
    });
  }

  #connections(
    path: string,
    suffix: string,
    kind: Operation['kind'],
    subresource: NonNullable<ServedResource['subresources']>[number],
  ): Operation[] {
    const passesAll = subresource.verbs.length > 2;
    const methods = passesAll
      ? (['get', 'put', 'post', 'delete', 'options', 'head', 'patch'] as const)
      : (['get', 'post'] as const);
    const paths = passesAll
      ? [
          { path, suffix },
          { path: `${path}/{path}`, suffix: `${suffix}WithPath` },
        ]
      : [{ path, suffix }];
    return paths.flatMap((target) =>
      methods.map((method) =>
        this.#operation(
          target.path,
          method,
          'connect',
          this.#name(`connect`, target.suffix).replace(this.#prefix, `${this.#prefix}${capitalised(method)}`),
          {
            kind,
            connect: true,
            answer: undefined,
            parameters: query({ ...subresource.queryParameters }),
          },
        ),
      ),
    );
  }
}
