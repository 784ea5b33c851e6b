import { SeededRandom, StatusError } from '@evenkeel/core';
import { type SchemaNode, schemaOf } from '@evenkeel/kinds/schemas';
import { applyJsonPatch } from '../patch/json-patch.ts';
import { isJsonObject, type JsonObject } from '../patch/json-value.ts';
import { applyMergePatch } from '../patch/merge-patch.ts';
import { applyStrategicMergePatch } from '../patch/strategic-merge-patch.ts';
import { applyObject } from './apply-object.ts';
import { emptyBuiltIn, emptyCustomResource, managedFieldsOf } from './managed-object.ts';
import { PathSet } from './path-set.ts';
import { randomSteps } from './random-steps.fixture.ts';
import { type Answer, hasRealServer, RealServer } from './real-server.fixture.ts';
import { type Step, sequences } from './sequences.fixture.ts';
import { updateManagedFields } from './update-managed-fields.ts';
import { widgetCrd, widgetSchema } from './widget.fixture.ts';

/** A kind as this test drives it; `server` are the fields that only the server's own steps after ownership set. */
interface TestedKind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly path: string;
  readonly schema: () => Promise<SchemaNode>;
  readonly builtIn: boolean;
  readonly ignored: PathSet | undefined;
  readonly ignoredInStatus: PathSet | undefined;
  readonly allocated: readonly string[];
}

const kinds: Record<string, TestedKind> = {
  ConfigMap: {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    path: '/api/v1/namespaces/default/configmaps',
    schema: () => schemaOf('io.k8s.api.core.v1.ConfigMap'),
    builtIn: true,
    ignored: undefined,
    ignoredInStatus: undefined,
    allocated: [],
  },
  Service: {
    apiVersion: 'v1',
    kind: 'Service',
    path: '/api/v1/namespaces/default/services',
    schema: () => schemaOf('io.k8s.api.core.v1.Service'),
    builtIn: true,
    ignored: PathSet.of(['status']),
    ignoredInStatus: PathSet.of(['spec']),
    allocated: ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy'],
  },
  Deployment: {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    path: '/apis/apps/v1/namespaces/default/deployments',
    schema: () => schemaOf('io.k8s.api.apps.v1.Deployment'),
    builtIn: true,
    ignored: PathSet.of(['status']),
    ignoredInStatus: PathSet.of(['spec'], ['metadata', 'labels']),
    allocated: [],
  },
  Widget: {
    apiVersion: 'apply.example.com/v1',
    kind: 'Widget',
    path: '/apis/apply.example.com/v1/namespaces/default/widgets',
    schema: widgetSchema,
    builtIn: false,
    ignored: PathSet.of(['status']),
    ignoredInStatus: PathSet.of(['metadata'], ['spec']),
    allocated: [],
  },
};

const contentTypes = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
};

/** Sends every step to the server and does the same here, on the object the server had before. */
class Comparison {
  readonly #server: RealServer;
  readonly #kind: TestedKind;
  readonly #schema: SchemaNode;
  readonly #name: string;
  #live: JsonObject | undefined;

  constructor(server: RealServer, kind: TestedKind, schema: SchemaNode, name: string) {
    this.#server = server;
    this.#kind = kind;
    this.#schema = schema;
    this.#name = name;
  }

  async step(step: Step): Promise<void> {
    const body = this.#bodyOf(step);
    const answer = await this.#send(step, body);
    // A write of the other subresource's fields alone still answers with the whole object.
    const live = this.#live;
    if (step.do === 'apply') this.#compareApply(step, body as JsonObject, live, answer);
    else this.#compareUpdate(step, body, live, answer);
    if (answer.code < 300) this.#live = answer.body;
  }

  #bodyOf(step: Step): unknown {
    const body = typeof step.body === 'function' ? step.body(this.#live ?? {}) : step.body;
    if (step.do === 'json' || step.do === 'merge' || step.do === 'strategic') return body;
    const { apiVersion, kind } = this.#kind;
    const given = body as JsonObject;
    const metadata = { ...(isJsonObject(given['metadata']) ? given['metadata'] : {}), name: this.#name };
    return { apiVersion, kind, ...given, metadata };
  }

  #send(step: Step, body: unknown): Promise<Answer> {
    const at = step.at === undefined ? '' : `/${step.at}`;
    const query = `?fieldManager=${step.by}${step.force ? '&force=true' : ''}`;
    const path = `${this.#kind.path}/${this.#name}${at}${query}`;
    if (step.do === 'create') return this.#server.send('POST', `${this.#kind.path}${query}`, body);
    if (step.do === 'update') return this.#server.send('PUT', path, body);
    return this.#server.send('PATCH', path, body, contentTypes[step.do]);
  }

  #context(step: Step) {
    return {
      schema: this.#schema,
      apiVersion: this.#kind.apiVersion,
      ignored: step.at === 'status' ? this.#kind.ignoredInStatus : this.#kind.ignored,
      manager: step.by,
      subresource: step.at,
      now: new Date(),
    };
  }

  #empty(): JsonObject {
    const { apiVersion, kind, builtIn } = this.#kind;
    return builtIn ? emptyBuiltIn(apiVersion, kind, this.#schema) : emptyCustomResource(apiVersion, kind);
  }

  #compareApply(step: Step, applied: JsonObject, live: JsonObject | undefined, answer: Answer): void {
    let outcome: ReturnType<typeof applyObject>;
    try {
      const { kind } = this.#kind;
      const force = step.force === true;
      outcome = applyObject({ ...this.#context(step), kind, empty: this.#empty(), live, applied, force });
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      expect({ code: error.code, message: error.message }).toEqual({
        code: answer.code,
        message: answer.body['message'],
      });
      return;
    }
    if (outcome.kind === 'conflict') {
      expect(sortedCauses(outcome.error.status)).toEqual(sortedCauses(answer.body));
      return;
    }
    if (wasInvalidAfterwards(step, answer)) {
      for (const field of nullFieldsIn(answer)) expect([field, at(outcome.object, field)]).toEqual([field, null]);
      return;
    }
    expect({ kind: answer.body['kind'], message: answer.body['message'] }).toEqual({ kind: this.#kind.kind });
    expect(masked(outcome.managedFields)).toEqual(masked(managedFieldsOf(answer.body)));
    if (step.at === undefined) expectWithin(answer.body, { ...outcome.object, metadata: undefined, status: undefined });
    if (!this.#kind.builtIn && step.at === undefined) {
      expect(withDefaults(outcome.object['spec'])).toEqual(answer.body['spec']);
    }
  }

  #compareUpdate(step: Step, body: unknown, live: JsonObject | undefined, answer: Answer): void {
    let requested: unknown = body;
    try {
      if (step.do === 'json') requested = applyJsonPatch(live ?? {}, body);
      if (step.do === 'merge') requested = applyMergePatch(live ?? {}, body);
      if (step.do === 'strategic') requested = applyStrategicMergePatch(live ?? {}, body, this.#schema);
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      expect({ code: error.code, message: error.message }).toEqual({
        code: answer.code,
        message: answer.body['message'],
      });
      return;
    }
    if (wasInvalidAfterwards(step, answer)) return;
    expect({ kind: answer.body['kind'], message: answer.body['message'] }).toEqual({ kind: this.#kind.kind });
    const object = requested as JsonObject;
    if (step.at === undefined)
      expectWithin(answer.body, { ...withoutNulls(object), metadata: undefined, status: undefined });
    const managedFields = updateManagedFields({
      ...this.#context(step),
      live: live ?? this.#empty(),
      updated: this.#beforeStrategies(object, live, answer.body),
    });
    expect(masked(managedFields)).toEqual(masked(managedFieldsOf(answer.body)));
  }

  /** The request's object with the server's defaults, but without what the server allocated after ownership was set. */
  #beforeStrategies(requested: JsonObject, live: JsonObject | undefined, answer: JsonObject): JsonObject {
    const spec = isJsonObject(answer['spec']) ? { ...answer['spec'] } : undefined;
    const liveSpec = isJsonObject(live?.['spec']) ? live['spec'] : {};
    const requestedSpec = isJsonObject(requested['spec']) ? requested['spec'] : {};
    for (const field of this.#kind.allocated) {
      if (spec !== undefined && !(field in requestedSpec) && !(field in liveSpec)) delete spec[field];
    }
    const metadata = { ...(answer['metadata'] as JsonObject) };
    delete metadata['managedFields'];
    const entries = managedFieldsOf(requested);
    // A custom resource's metadata is read as ObjectMeta first, which leaves empty lists out.
    const isLeftOut = !this.#kind.builtIn && Array.isArray(entries) && entries.length === 0;
    if (entries !== undefined && !isLeftOut) metadata['managedFields'] = entries;
    return { ...answer, ...(spec === undefined ? {} : { spec }), metadata };
  }
}

/** Whether the server's validation, which comes later, refused what was applied or written. */
function wasInvalidAfterwards({ mayBeInvalid }: Step, { code }: Answer): boolean {
  return mayBeInvalid === true && code === 422;
}

/** The fields that validation found to be null: what lost all that was in it. */
function nullFieldsIn({ body }: Answer): string[] {
  const { causes } = body['details'] as { causes: { field: string; message: string }[] };
  return causes.filter(({ message }) => message.startsWith('Invalid value: "null"')).map(({ field }) => field);
}

function at(object: unknown, field: string): unknown {
  const keys = field.replaceAll('[', '.').replaceAll(']', '').split('.');
  return keys.reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], object);
}

/** The defaults of the tested custom resource. */
function withDefaults(spec: unknown): unknown {
  if (spec === undefined) return undefined;
  return JSON.parse(JSON.stringify(spec), (key, value: unknown) =>
    key === 'ports' && Array.isArray(value) ? value.map((port: JsonObject) => ({ protocol: 'TCP', ...port })) : value,
  );
}

/** Everything of `part` stands in `whole`, and lists have as many elements. A built-in kind leaves out empty lists. */
function expectWithin(whole: unknown, part: unknown): void {
  if (isJsonObject(part)) {
    for (const [key, value] of Object.entries(part)) {
      if (value !== undefined && value !== null) expectWithin(isJsonObject(whole) ? whole[key] : undefined, value);
    }
  } else if (Array.isArray(part)) {
    if (part.length === 0 && whole === undefined) return;
    expect(whole).toHaveLength(part.length);
    part.forEach((item, i) => {
      expectWithin((whole as unknown[])[i], item);
    });
  } else {
    expect(whole).toEqual(part);
  }
}

function withoutNulls(object: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(object, (_, value: unknown) => (value === null ? undefined : value))) as JsonObject;
}

function masked(entries: unknown): unknown {
  if (!Array.isArray(entries)) return undefined;
  const times = (entries as JsonObject[]).map((entry) => ({ ...entry, ...('time' in entry ? { time: 'some' } : {}) }));
  // Entries of the same second are sorted by name; which of them share a second is chance.
  const order = ({ manager, operation, apiVersion, subresource }: JsonObject) =>
    JSON.stringify([operation, manager, apiVersion, subresource]);
  return times.sort((a, b) => (order(a) < order(b) ? -1 : 1));
}

function sortedCauses(status: object): unknown {
  const { code, reason, message, details } = status as JsonObject & { details: { causes: JsonObject[] } };
  const causes = [...details.causes].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  return { code, reason, message, causes };
}

const describeWithServer = hasRealServer ? describe : describe.skip;
if (!hasRealServer) {
  process.stderr.write('apply.server.test.ts: skipped, there is no real API server in ../shared/envtest\n');
}

describeWithServer('apply and managedFields against the real server', () => {
  let server: RealServer;
  const schemas = new Map<string, SchemaNode>();

  beforeAll(async () => {
    server = new RealServer();
    await server.send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', widgetCrd);
    const { path } = kinds['Widget'] as TestedKind;
    while ((await server.send('GET', path)).code !== 200);
    for (const { kind, schema } of Object.values(kinds)) schemas.set(kind, await schema());
  }, 120_000);

  afterAll(() => server?.stop());

  const comparisonOf = (kind: string, name: string) => {
    const schema = schemas.get(kind);
    const tested = kinds[kind];
    if (schema === undefined || tested === undefined) throw new Error(`no schema of ${kind}`);
    return new Comparison(server, tested, schema, name);
  };

  it.each(sequences.map((sequence, i) => [sequence.title, sequence, i] as const))(
    '%s',
    async (_, { kind, steps }, i) => {
      const comparison = comparisonOf(kind, `sequence-${i}`);
      for (const step of steps) await comparison.step(step);
    },
  );

  it('agrees on random sequences', async () => {
    const seed = Number(process.env['APPLY_SEED'] ?? Date.now() % 1_000_000);
    const random = new SeededRandom(seed);
    for (let i = 0; i < 25; i++) {
      const comparison = comparisonOf('Widget', `random-${i}`);
      const steps = randomSteps(random, 8);
      for (const [n, step] of steps.entries()) {
        try {
          await comparison.step(step);
        } catch (error) {
          const done = JSON.stringify(steps.slice(0, n + 1));
          throw new Error(`APPLY_SEED=${seed}, sequence ${i}, step ${n}: ${done}`, { cause: error });
        }
      }
    }
  }, 60_000);
});
