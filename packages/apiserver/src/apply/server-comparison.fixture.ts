import { isJsonObject, type JsonObject } from '@evenkeel/apimachinery/json';
import { StatusError } from '@evenkeel/core';
import type { RealAnswer, RealServer } from '../../../../test/real-server.fixture.ts';
import { applyJsonPatch } from '../patch/json-patch.ts';
import { applyMergePatch } from '../patch/merge-patch.ts';
import { applyStrategicMergePatch } from '../patch/strategic-merge-patch.ts';
import { applyObject } from './apply-object.ts';
import { emptyBuiltIn, emptyCustomResource, managedFieldsOf } from './managed-object.ts';
import type { ServedVersion } from './ownership.ts';
import type { Step } from './sequences.fixture.ts';
import type { TestedKind, TestedVersion } from './tested-kinds.fixture.ts';
import { updateManagedFields } from './update-managed-fields.ts';

const contentTypes = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
};

/** Sends every step to the server and does the same here, on the object the server had before. */
export class ServerComparison {
  readonly #server: RealServer;
  readonly #kind: TestedKind;
  readonly #name: string;
  #live: JsonObject | undefined;

  constructor(server: RealServer, kind: TestedKind, name: string) {
    this.#server = server;
    this.#kind = kind;
    this.#name = name;
  }

  async step(step: Step): Promise<void> {
    const body = this.#bodyOf(step);
    const answer = await this.#send(step, body);
    const { apiVersion } = this.#version(step);
    const live = this.#live && { ...this.#live, apiVersion };
    if (step.do === 'apply') this.#compareApply(step, body as JsonObject, live, answer);
    else this.#compareUpdate(step, body, live, answer);
    if (answer.status < 300) this.#live = answer.body;
  }

  #version(step: Step): TestedVersion {
    const version = this.#kind.versions[step.version ?? 0];
    if (version === undefined) throw new Error(`${this.#kind.kind} has no version ${step.version}`);
    return version;
  }

  #bodyOf(step: Step): unknown {
    const body = typeof step.body === 'function' ? step.body(this.#live ?? {}) : step.body;
    if (step.do === 'json' || step.do === 'merge' || step.do === 'strategic') return body;
    const { kind } = this.#kind;
    const { apiVersion } = this.#version(step);
    const given = body as JsonObject;
    const metadata = { ...(isJsonObject(given['metadata']) ? given['metadata'] : {}), name: this.#name };
    return { kind, ...given, apiVersion: given['apiVersion'] === 'apps/v1' ? 'apps/v1' : apiVersion, metadata };
  }

  #send(step: Step, body: unknown): Promise<RealAnswer> {
    const at = step.at === undefined ? '' : `/${step.at}`;
    const query = `?fieldManager=${step.by}${step.force ? '&force=true' : ''}`;
    const collection = this.#version(step).path;
    const path = `${collection}/${this.#name}${at}${query}`;
    if (step.do === 'create') return this.#server.send('POST', `${collection}${query}`, { body });
    if (step.do === 'update') return this.#server.send('PUT', path, { body });
    return this.#server.send('PATCH', path, { body, contentType: contentTypes[step.do] });
  }

  #context(step: Step) {
    return {
      schema: this.#version(step).schema,
      apiVersion: this.#version(step).apiVersion,
      ignored: step.at === 'status' ? this.#kind.ignoredInStatus : this.#kind.ignored,
      manager: step.by,
      subresource: step.at,
      versionOf: (apiVersion: string) => this.#servedVersion(apiVersion),
      now: new Date(),
    };
  }

  #servedVersion(apiVersion: string): ServedVersion | undefined {
    const version = this.#kind.versions.find((served) => served.apiVersion === apiVersion);
    return version && { schema: version.schema, convert: (object) => ({ ...object, apiVersion }) };
  }

  #empty(step: Step): JsonObject {
    const { kind, builtIn } = this.#kind;
    const { apiVersion, schema } = this.#version(step);
    return builtIn ? emptyBuiltIn(apiVersion, kind, schema) : emptyCustomResource(apiVersion, kind);
  }

  #compareApply(step: Step, applied: JsonObject, live: JsonObject | undefined, answer: RealAnswer): void {
    let outcome: ReturnType<typeof applyObject>;
    try {
      const { kind } = this.#kind;
      const force = step.force === true;
      outcome = applyObject({ ...this.#context(step), kind, empty: this.#empty(step), live, applied, force });
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      expect([error.code, linesOf(error.message)]).toEqual([answer.status, linesOf(answer.body['message'])]);
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

  #compareUpdate(step: Step, body: unknown, live: JsonObject | undefined, answer: RealAnswer): void {
    let requested: unknown = body;
    try {
      if (step.do === 'json') requested = applyJsonPatch(live ?? {}, body);
      if (step.do === 'merge') requested = applyMergePatch(live ?? {}, body);
      if (step.do === 'strategic') requested = applyStrategicMergePatch(live ?? {}, body, this.#version(step).schema);
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      expect([error.code, linesOf(error.message)]).toEqual([answer.status, linesOf(answer.body['message'])]);
      return;
    }
    if (wasInvalidAfterwards(step, answer)) return;
    expect({ kind: answer.body['kind'], message: answer.body['message'] }).toEqual({ kind: this.#kind.kind });
    const object = requested as JsonObject;
    if (step.at === undefined)
      expectWithin(answer.body, { ...withoutNulls(object), metadata: undefined, status: undefined });
    const managedFields = updateManagedFields({
      ...this.#context(step),
      live: live ?? this.#empty(step),
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

/** The lines of a message, sorted: upstream lists errors in a random order. */
function linesOf(message: unknown): string[] {
  return String(message).split('\n').sort();
}

/** Whether the server's validation, which comes later, refused what was applied or written. */
function wasInvalidAfterwards({ mayBeInvalid }: Step, { status }: RealAnswer): boolean {
  return mayBeInvalid === true && status === 422;
}

/** The fields that validation found to be null: what lost all that was in it. */
function nullFieldsIn({ body }: RealAnswer): string[] {
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

export function masked(entries: unknown): unknown {
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
