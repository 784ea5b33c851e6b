import { isJsonObject, jsonEscape, parseJson, stringifyJson } from '../apimachinery/index.ts';
import type { ApiRequest, ApiResponse } from '../request/api-request.ts';
import type { RequestAudit } from '../request/request-audit.ts';
import { type RequestInfo, runsLong } from '../request/request-info.ts';
import type { UserInfo } from '../request/user-info.ts';
import { readYaml } from '../text/yaml-text.ts';
import { type AuditDecision, decideAudit } from './audit-decision.ts';
import { type AuditLevel, type AuditPolicy, type AuditStage, auditLevels } from './audit-policy.ts';

/** Upstream truncates longer ids of clients. */
const idLengthMax = 64;
const userAgentLengthMax = 1024;

/** What a record needs of the server. */
export interface AuditRecordTerms {
  readonly policy: AuditPolicy;
  readonly now: () => number;
  /** Writes one event, which is a line of JSON without its end. */
  readonly write: (line: string) => void;
}

interface ObjectReference {
  resource: string;
  namespace?: string;
  name?: string;
  uid?: string;
  apiGroup?: string;
  apiVersion?: string;
  resourceVersion?: string;
  subresource?: string;
}

/**
 * The audit events of one request. Calls that the policy does not need do nothing.
 *
 * Source: apiserver `pkg/audit` and `pkg/endpoints/filters/audit.go`; the order of the members is that of the Go structs.
 */
export class AuditRecord implements RequestAudit {
  readonly #terms: AuditRecordTerms;
  readonly #request: ApiRequest;
  readonly #info: RequestInfo;
  readonly #receivedAt: number;
  readonly #reference: ObjectReference | undefined;
  readonly #annotations = new Map<string, string>();
  readonly #id: string;
  #decision: AuditDecision | undefined;
  #user: UserInfo | undefined;
  #impersonated: { readonly user: UserInfo; readonly constraint: string | undefined } | undefined;
  #requestObject: string | undefined;

  constructor(terms: AuditRecordTerms, id: string, request: ApiRequest, info: RequestInfo) {
    this.#terms = terms;
    this.#id = id;
    this.#request = request;
    this.#info = info;
    this.#receivedAt = terms.now();
    if (info.isResource) this.#reference = referenceOf(info);
  }

  /** The user is known: decides what to record, and records the stage RequestReceived. */
  authenticated(user: UserInfo): void {
    this.#user = user;
    this.#decision = decideAudit(this.#terms.policy, user, this.#info);
    this.#emit('RequestReceived');
  }

  /** The request runs as another user. `constraint` is the verb that allowed it, if it is one of KEP-5284. */
  impersonated(user: UserInfo, constraint: string | undefined): void {
    this.#impersonated = { user, constraint };
  }

  authorized(allowed: boolean, reason: string): void {
    this.#annotate('authorization.k8s.io/decision', allowed ? 'allow' : 'forbid');
    this.#annotate('authorization.k8s.io/reason', reason);
  }

  #annotate(key: string, value: string): void {
    if (this.#records('Metadata') && !this.#annotations.has(key)) this.#annotations.set(key, value);
  }

  requestObject(object: object, encode = (): string => stringifyJson(object)): void {
    if (!this.#records('Metadata')) return;
    const { metadata } = object as { readonly metadata?: Readonly<Record<string, unknown>> };
    const reference = this.#reference;
    for (const field of ['namespace', 'name', 'uid', 'resourceVersion'] as const) {
      const value = metadata?.[field];
      if (reference !== undefined && typeof value === 'string' && value !== '') reference[field] ??= value;
    }
    if (!this.#records('Request')) return;
    const json = encode();
    const omits = this.#decision?.omitManagedFields === true;
    this.#requestObject = omits ? stringifyJson(withoutManagedFields(parseJson(json) as object)) : json;
  }

  requestPatch(encode: () => string): void {
    if (this.#records('Request')) this.#requestObject = encode();
  }

  /** Records the response. Returns it, with a body that reports its end if that is later. */
  async responded(response: ApiResponse): Promise<ApiResponse> {
    if (this.#decision === undefined) {
      this.#decision = decideAudit(this.#terms.policy, undefined, this.#info);
      if (this.#decision.level !== 'None') this.#emit('ResponseStarted', response, await this.#objectIn(response));
      return response;
    }
    if (this.#decision.level === 'None') return response;
    const isLong = runsLong(this.#info);
    const { body } = response;
    if (body instanceof Uint8Array) {
      const value = await this.#objectIn(response);
      if (isLong) this.#emit('ResponseStarted', response, value);
      this.#emit('ResponseComplete', response, value);
      return response;
    }
    if (isLong) this.#emit('ResponseStarted', response);
    return { ...response, body: this.#followed(response, body, !isLong && this.#records('RequestResponse')) };
  }

  /** Passes a stream on. Records its end, with the whole text if it is `kept`. */
  async *#followed(response: ApiResponse, body: AsyncIterable<Uint8Array>, kept: boolean): AsyncIterable<Uint8Array> {
    const pieces: Uint8Array[] = [];
    try {
      for await (const piece of body) {
        if (kept) pieces.push(piece);
        yield piece;
      }
    } finally {
      const value = kept ? await this.#objectIn({ ...response, body: Buffer.concat(pieces) }) : undefined;
      this.#emit('ResponseComplete', response, value);
    }
  }

  #records(level: AuditLevel): boolean {
    return auditLevels.indexOf(this.#decision?.level ?? 'None') >= auditLevels.indexOf(level);
  }

  #emit(stage: AuditStage, response?: ApiResponse, value?: unknown): void {
    const { level, omitStages } = this.#decision ?? { level: 'None' };
    if (level === 'None' || omitStages?.has(stage) === true) return;
    const userAgent = this.#request.headers['user-agent'] ?? '';
    const members: (readonly [string, string | undefined])[] = [
      ['kind', '"Event"'],
      ['apiVersion', '"audit.k8s.io/v1"'],
      ['level', JSON.stringify(level)],
      ['auditID', JSON.stringify(this.#id.slice(0, idLengthMax))],
      ['stage', JSON.stringify(stage)],
      ['requestURI', JSON.stringify(this.#request.path)],
      ['verb', JSON.stringify(this.#info.verb)],
      ['user', this.#user === undefined ? '{}' : userJson(this.#user)],
      ['impersonatedUser', this.#impersonated && userJson(this.#impersonated.user)],
      ['authenticationMetadata', constraintJson(this.#impersonated?.constraint)],
      ['sourceIPs', sourcesJson(this.#request)],
      ['userAgent', userAgent === '' ? undefined : JSON.stringify(shortened(userAgent))],
      ['objectRef', this.#reference && referenceJson(this.#reference)],
      ['responseStatus', response && statusJson(response.status, value)],
      ['requestObject', this.#requestObject],
      ['responseObject', this.#records('RequestResponse') ? this.#responseJson(value) : undefined],
      ['requestReceivedTimestamp', microTime(this.#receivedAt)],
      ['stageTimestamp', microTime(stage === 'RequestReceived' ? this.#receivedAt : this.#terms.now())],
      ['annotations', this.#annotations.size === 0 ? undefined : sortedJson([...this.#annotations])],
    ];
    const given = members.filter(([, json]) => json !== undefined).map(([name, json]) => `"${name}":${json}`);
    // Only strings can contain these characters, and Go escapes them.
    this.#terms.write(`{${given.join(',').replaceAll(/[<>&\u2028\u2029]/g, jsonEscape)}}`);
  }

  #responseJson(value: unknown): string | undefined {
    if (!isJsonObject(value) || typeof value['kind'] !== 'string' || typeof value['apiVersion'] !== 'string') {
      return undefined;
    }
    return stringifyJson(this.#decision?.omitManagedFields === true ? withoutManagedFields(value) : value);
  }

  /** The object that a response contains; undefined if it is not an object in JSON or YAML, or if the event does not need it. */
  async #objectIn({ headers, body }: ApiResponse): Promise<unknown> {
    if (!(body instanceof Uint8Array)) return undefined;
    const [type = ''] = String(headers['content-type'] ?? '').split(';');
    if (!type.startsWith('application/')) return undefined;
    const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
    // At lower levels, only a Status is recorded.
    if (!this.#records('RequestResponse') && !bytes.includes('Status')) return undefined;
    const text = bytes.toString('utf8');
    try {
      return type.endsWith('yaml') ? (await readYaml(text)).value : parseJson(text);
    } catch {
      // OpenAPI in protobuf, for instance.
      return undefined;
    }
  }
}

function referenceOf({ resource, namespace, name, group, version, subresource }: RequestInfo): ObjectReference {
  return {
    resource,
    ...(namespace !== '' && { namespace }),
    ...(name !== '' && { name }),
    ...(group !== '' && { apiGroup: group }),
    ...(version !== '' && { apiVersion: version }),
    ...(subresource !== '' && { subresource }),
  };
}

function referenceJson(reference: ObjectReference): string {
  const { resource, namespace, name, uid, apiGroup, apiVersion, resourceVersion, subresource } = reference;
  return JSON.stringify({ resource, namespace, name, uid, apiGroup, apiVersion, resourceVersion, subresource });
}

function userJson({ name, uid, groups, extra }: UserInfo): string {
  const members: (readonly [string, string])[] = [['username', JSON.stringify(name)]];
  if (uid !== undefined && uid !== '') members.push(['uid', JSON.stringify(uid)]);
  if (groups.length > 0) members.push(['groups', JSON.stringify(groups)]);
  if (extra !== undefined && Object.keys(extra).length > 0) members.push(['extra', sortedJson(Object.entries(extra))]);
  return `{${members.map(([key, json]) => `"${key}":${json}`).join(',')}}`;
}

function constraintJson(constraint: string | undefined): string | undefined {
  return constraint === undefined ? undefined : JSON.stringify({ impersonationConstraint: constraint });
}

/** The addresses of the client and of its proxies. A request of the same process has none. */
function sourcesJson({ headers, remoteAddress }: ApiRequest): string | undefined {
  const forwarded = (headers['x-forwarded-for'] ?? '').split(',').map((address) => address.trim());
  const sources = [...forwarded, headers['x-real-ip'] ?? '', remoteAddress ?? ''].filter((address) => address !== '');
  const distinct = sources.filter((address, at) => address !== sources[at - 1]);
  return distinct.length === 0 ? undefined : JSON.stringify(distinct);
}

/** The status of the response: the bounded fields of a `Status`, or only the code. */
function statusJson(code: number, value: unknown): string {
  if (!isJsonObject(value) || value['kind'] !== 'Status' || value['apiVersion'] !== 'v1') {
    return JSON.stringify({ metadata: {}, code });
  }
  const { status, message, reason } = value;
  return JSON.stringify({ metadata: {}, status, message, reason, details: detailsOf(value['details']), code });
}

/** In Go's order, which a response in YAML does not have. */
function detailsOf(details: unknown): unknown {
  if (!isJsonObject(details)) return undefined;
  const { name, group, kind, uid, causes, retryAfterSeconds } = details;
  return { name, group, kind, uid, causes, retryAfterSeconds };
}

function sortedJson(entries: readonly (readonly [string, unknown])[]): string {
  return JSON.stringify(Object.fromEntries(entries.toSorted(([left], [right]) => (left < right ? -1 : 1))));
}

function shortened(userAgent: string): string {
  return userAgent.length > userAgentLengthMax ? `${userAgent.slice(0, userAgentLengthMax)}...TRUNCATED` : userAgent;
}

/** A `MicroTime`. The clock has milliseconds. */
function microTime(ms: number): string {
  return `"${new Date(ms).toISOString().slice(0, -1)}000Z"`;
}

/** A copy without the managed fields of an object, of the items of a list, or of the rows of a Table. */
function withoutManagedFields(object: object): object {
  const { metadata, items, rows } = object as Record<string, unknown>;
  const without = (value: unknown): unknown => (isJsonObject(value) ? withoutManagedFields(value) : value);
  return {
    ...object,
    ...(isJsonObject(metadata) && { metadata: omit(metadata, 'managedFields') }),
    ...(Array.isArray(items) && { items: items.map(without) }),
    ...(Array.isArray(rows) && {
      rows: rows.map((row: unknown) => (isJsonObject(row) ? { ...row, object: without(row['object']) } : row)),
    }),
  };
}

function omit(object: Readonly<Record<string, unknown>>, name: string): object {
  return Object.fromEntries(Object.entries(object).filter(([key]) => key !== name));
}
