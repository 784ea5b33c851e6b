import { type ApiStatus, apiVersionOf, StatusError } from '@evenkeel/core';
import { type JsonObject, trimRight } from '../apimachinery/index.ts';
import { emptyBuiltIn } from '../apply/managed-object.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { AuditRecord } from '../audit/audit-record.ts';
import type { Authorizer } from '../authorization/authorizer.ts';
import { forbiddenAccess, impersonate, impersonatedUser } from '../authorization/impersonation.ts';
import type { ApiObject } from '../kind/api-object.ts';
import type { KindDescription } from '../kind/kind-description.ts';
import type { ActionSubresource } from '../kind/subresource.ts';
import { type ApiRequest, type ApiResponse, textResponse } from '../request/api-request.ts';
import type { RequestContext } from '../request/request-context.ts';
import { type RequestInfo, requestInfoOf } from '../request/request-info.ts';
import { anonymous, type UserInfo } from '../request/user-info.ts';
import {
  badRequest,
  internalError,
  methodNotAllowed,
  notFound,
  notSupported,
  pathNotFound,
  refusal,
} from '../status/refusal.ts';
import { bearerProtocolOf } from '../websocket/bearer-protocol.ts';
import { isWebSocketRequest } from '../websocket/handshake.ts';
import { decodeAs, decodeBodyAs, schemaOfKind } from './body-type.ts';
import { connectToObject } from './connect-object.ts';
import { encodedResponse, statusResponse } from './encoding.ts';
import { isPretty, negotiate } from './negotiation.ts';
import { writeOptionsOf } from './query-options.ts';
import { getObject, listObjects } from './read-objects.ts';
import { parseBody } from './request-body.ts';
import { BodyTimeout, receiveBody, timeoutMsOf, timeoutResponse } from './request-timeout.ts';
import { getScale, writeScale } from './scale.ts';
import type { ResourceRequest, ServerResources } from './server-resources.ts';
import { WarningRecorder } from './warning-recorder.ts';
import { watchObjects } from './watch-objects.ts';
import {
  createObject,
  deleteCollection,
  deleteOne,
  patchObject,
  updateObject,
  writeRequestOf,
} from './write-objects.ts';

/** Returns the user of a request, or undefined if its credentials are invalid. May add warnings to the response. */
export type Authenticator = (request: ApiRequest, warn: (message: string) => void) => UserInfo | undefined;

/** Handles non-resource paths: discovery, OpenAPI, health. Returns undefined for a path that it does not serve. */
export type PathHandler = (context: RequestContext) => ApiResponse | Promise<ApiResponse> | undefined;

/**
 * The steps of every request, from a socket or in process: authenticate, impersonate, authorize, route, receive the body,
 * decode, admission, store, encode. It never rejects: errors are responses.
 */
export class RequestPipeline {
  readonly #server: ServerResources;
  readonly #authenticate: Authenticator;
  readonly #authorizer: Authorizer;
  readonly #paths: readonly PathHandler[];
  readonly #audit: AuditLog | undefined;

  constructor(
    server: ServerResources,
    options: {
      authenticate: Authenticator;
      authorizer: Authorizer;
      paths: readonly PathHandler[];
      /** Default: none. */
      audit?: AuditLog | undefined;
    },
  ) {
    this.#server = server;
    this.#authenticate = options.authenticate;
    this.#authorizer = options.authorizer;
    this.#paths = options.paths;
    this.#audit = options.audit;
  }

  async handle(request: ApiRequest): Promise<ApiResponse> {
    const question = request.path.indexOf('?');
    const path = question < 0 ? request.path : request.path.slice(0, question);
    const query = queryOf(question < 0 ? '' : request.path.slice(question + 1));
    const info = requestInfoOf(request.method, path, query);
    const context = new PipelineContext(this.#server, request, info, query, this.#audit?.receive(request, info));
    let response: ApiResponse;
    try {
      response = await this.#answer(request, context, timeoutMsOf(info, query));
    } catch (error) {
      response = await errorResponse(error, context);
    }
    if (context.audit !== undefined) response = await context.audit.responded(response);
    const warning = context.warnings.headers();
    // The real server writes the headers of a WebSocket without them.
    if (warning.length === 0 || response.status === 101) return response;
    return { ...response, headers: { ...response.headers, warning } };
  }

  async #answer(request: ApiRequest, context: PipelineContext, timeoutMs: number): Promise<ApiResponse> {
    const user = this.#userOf(request, context);
    if (user === undefined) throw unauthenticated();
    const { info, audit } = context;
    audit?.authenticated(user);
    context.user = user;
    const asked = impersonatedUser(request.headers);
    if (asked !== undefined) {
      const { user: impersonated, constraint } = impersonate(asked, { user, ...info }, this.#authorizer);
      context.user = impersonated;
      audit?.impersonated(impersonated, constraint);
    }
    const attributes = { user: context.user, ...info };
    const { allowed, reason } = this.#authorizer.authorize(attributes);
    audit?.authorized(allowed, reason);
    if (!allowed) throw forbiddenAccess(attributes, reason);
    if (!info.isResource) return this.#answerPath(context);
    const kind = this.#server.catalog.find(info.group, info.version, info.resource);
    if (kind === undefined) {
      if (!this.#server.catalog.hasGroup(info.group)) return notFoundPage();
      throw pathNotFound();
    }
    const codec = kind.loadedCodec ?? (await kind.codec());
    const isServed = kind.custom || info.subresource === '' || kind.subresources.has(info.subresource);
    if (kind.deprecationWarning !== undefined && isServed) context.warn(kind.deprecationWarning);
    const response = await answerResource({
      server: this.#server,
      context,
      request: info.method === 'GET' ? request : await receiveBody(request, context, timeoutMs),
      kind,
      codec,
      authorizer: this.#authorizer,
    });
    if (info.method !== 'GET') await this.#server.consequences(kind);
    return response;
  }

  /** A token in the subprotocols of a WebSocket counts if no other credential is valid, and is then removed from them. */
  #userOf(request: ApiRequest, context: PipelineContext): UserInfo | undefined {
    const warn = (message: string): void => context.warn(message);
    const user = request.user ?? this.#authenticate(request, warn);
    if ((user !== undefined && user !== anonymous) || !isWebSocketRequest(request.headers)) return user;
    const bearer = bearerProtocolOf(request.headers['sec-websocket-protocol'] ?? '');
    if (bearer === undefined || bearer === 'invalid') return bearer === undefined ? user : undefined;
    const headers = {
      ...request.headers,
      authorization: `Bearer ${bearer.token}`,
      'sec-websocket-protocol': bearer.others,
    };
    context.headers = headers;
    return this.#authenticate({ ...request, headers }, warn);
  }

  async #answerPath(context: RequestContext): Promise<ApiResponse> {
    // Go's mux compares whole paths.
    if (context.info.path.startsWith('//')) return notFoundPage();
    for (const handler of this.#paths) {
      const response = handler(context);
      if (response !== undefined) return response;
    }
    return notFoundPage();
  }
}

class PipelineContext implements RequestContext {
  user: UserInfo = anonymous;
  readonly info: RequestInfo;
  readonly query: URLSearchParams;
  headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly localAddress: string | undefined;
  readonly clock: RequestContext['clock'];
  readonly random: RequestContext['random'];
  readonly audit: AuditRecord | undefined;
  readonly warnings = new WarningRecorder();

  constructor(
    server: ServerResources,
    request: ApiRequest,
    info: RequestInfo,
    query: URLSearchParams,
    audit: AuditRecord | undefined,
  ) {
    this.audit = audit;
    this.info = info;
    this.query = query;
    this.headers = request.headers;
    this.signal = request.signal;
    this.localAddress = request.localAddress;
    this.clock = server.clock;
    this.random = server.random;
  }

  warn(message: string): void {
    this.warnings.add(message);
  }
}

async function answerResource(resource: ResourceRequest): Promise<ApiResponse> {
  const { context, kind } = resource;
  const { info } = context;
  const { names } = kind;
  const needsNamespace = names.namespaced && info.namespace === '' && info.verb !== 'list' && info.verb !== 'watch';
  const isElsewhere = !names.namespaced && info.namespace !== '' && info.resource !== 'namespaces';
  // The handler of custom resources passes such a request on, and no other handler serves it.
  if (kind.custom && (needsNamespace || isElsewhere)) return notFoundPage();
  if (isElsewhere || (names.namespaced && info.namespace === '' && !names.verbs.includes('list'))) throw pathNotFound();
  if (needsNamespace) throw pathOrMethod(info);
  if (info.method === 'HEAD') throw methodNotAllowed();
  if (info.subresource !== '') return answerSubresource(resource);
  checkName(info);
  const named = info.name !== '' && pathNames(info);
  if (!names.verbs.includes(info.verb) && !(info.verb === 'get' && names.verbs.includes('list') && !named)) {
    throw methodNotAllowed();
  }
  switch (info.verb) {
    case 'get':
      return getObject(resource);
    case 'list':
      return listObjects(resource);
    case 'watch':
      return watchObjects(resource);
    case 'create':
      // The handler of custom resources uses the name in the body.
      if (named && !kind.custom) throw methodNotAllowed();
      return createObject(resource);
    case 'update':
      if (!named) throw nameMissing(kind);
      return updateObject(resource);
    case 'patch':
      if (!named) throw nameMissing(kind);
      return patchObject(resource);
    case 'delete':
      return deleteOne(resource);
    case 'deletecollection':
      return deleteCollection(resource);
    default:
      throw methodNotAllowed();
  }
}

/** Rejects a name that cannot be a part of a path (`path.IsValidPathSegmentName`). */
function checkName({ verb, name }: RequestInfo): void {
  if (verb === 'create' || verb === 'list' || verb === 'watch') return;
  const why = name === '.' || name === '..' ? `may not be '${name}'` : name.includes('%') ? "may not contain '%'" : '';
  if (why !== '') throw badRequest(`Name parameter invalid: ${JSON.stringify(name)}: ${why}`);
}

const invalidParameter = /;|%(?![0-9a-f]{2})/i;

/** As Go, without the parameters that have a semicolon or an invalid escape. */
function queryOf(text: string): URLSearchParams {
  if (!invalidParameter.test(text)) return new URLSearchParams(text);
  const valid = text.split('&').filter((parameter) => !invalidParameter.test(parameter));
  return new URLSearchParams(valid.join('&'));
}

/** Whether the path contains the name; a field selector may also have set it. */
function pathNames({ path, name }: RequestInfo): boolean {
  return trimRight(path, '/').endsWith(`/${name}`);
}

/** The error for a namespaced resource without a namespace: unknown path with a name, wrong method without. */
function pathOrMethod(info: RequestInfo): StatusError {
  return info.name !== '' ? pathNotFound() : methodNotAllowed();
}

/** The error for a change of an object without a name in the path. */
function nameMissing({ custom }: KindDescription): StatusError {
  return custom ? badRequest('name must be provided') : methodNotAllowed();
}

async function answerSubresource(resource: ResourceRequest): Promise<ApiResponse> {
  const { context, kind, server, request } = resource;
  const { info } = context;
  const rules = kind.subresources.get(info.subresource);
  // As in the handler of custom resources (apiextensions-apiserver, `customresource_handler.go`).
  if (rules === undefined) throw kind.custom ? notFound(kind.names, info.name) : pathNotFound();
  if (rules.type === 'connect') return connectToObject(resource, rules);
  if (!rules.verbs.includes(info.verb)) throw kind.custom ? notSupported(kind.names, info.verb) : methodNotAllowed();
  if (rules.type === 'scale') return info.verb === 'get' ? getScale(resource, rules) : writeScale(resource, rules);
  if (rules.type === 'part') {
    if (info.verb === 'get') return getObject(resource);
    return info.verb === 'patch' ? patchObject(resource) : updateObject(resource);
  }
  const parent = (): ApiObject => {
    const stored = server.store.get(kind.storageKey, kind.names.namespaced ? info.namespace : '', info.name);
    if (stored === undefined) throw notFound(kind.names, info.name);
    return stored.object;
  };
  const representation = negotiate(context.headers, context.query, { transforms: false });
  const body = request.method === 'POST' ? await actionBody(resource, rules) : undefined;
  const answer = await rules.handle(context, parent, body);
  if (typeof answer === 'string') return textResponse(200, 'text/plain', answer);
  return encodedResponse(info.verb === 'create' ? 201 : 200, JSON.stringify(answer), representation);
}

/** The body of an action, after admission. */
async function actionBody(resource: ResourceRequest, rules: ActionSubresource): Promise<ApiObject> {
  const { request, context, server } = resource;
  const { kind } = rules;
  const options = writeOptionsOf(context.query, 'CreateOptions');
  const { fieldValidation } = options;
  const strict = fieldValidation !== 'Ignore';
  const body = await parseBody(request.body, context.headers['content-type'], { strict, kind: kind.kind });
  const terms = { catalog: server.catalog, fieldValidation, warn: (message: string) => context.warn(message) };
  const schema = await schemaOfKind(kind);
  const object = decodeBodyAs(kind, schema, body, terms);
  rules.default?.(object);
  context.audit?.requestObject(object);
  const write = writeRequestOf(resource, options, context.info.name);
  const decode = (json: JsonObject): ApiObject => decodeAs(kind, schema, json, server.catalog).object;
  const empty = emptyBuiltIn(apiVersionOf(kind), kind.kind, schema) as unknown as ApiObject;
  server.registry.claimFields({ ...write, codec: { schema, empty } }, object);
  return server.registry.admitAction(write, object, decode);
}

/** The response of Go's mux for an unregistered path. */
function notFoundPage(): ApiResponse {
  const response = textResponse(404, 'text/plain; charset=utf-8', '404 page not found\n');
  return { ...response, headers: { ...response.headers, 'x-content-type-options': 'nosniff' } };
}

function unauthenticated(): StatusError {
  return refusal(401, 'Unauthorized', 'Unauthorized');
}

async function errorResponse(error: unknown, context: RequestContext): Promise<ApiResponse> {
  if (error instanceof BodyTimeout) return timeoutResponse();
  const status = statusOf(error);
  // An error is written even if the client accepts no supported media type.
  let representation: Parameters<typeof statusResponse>[1];
  try {
    representation = negotiate(context.headers, context.query, { transforms: true });
  } catch {
    representation = { format: 'json', pretty: isPretty(context.headers, context.query) || status.code === 406 };
  }
  const response = await statusResponse(status, representation);
  const seconds = status.details?.retryAfterSeconds;
  if (seconds === undefined || status.code === 504) return response;
  return { ...response, headers: { ...response.headers, 'retry-after': String(seconds) } };
}

function statusOf(error: unknown): ApiStatus {
  if (error instanceof StatusError) return error.status;
  return internalError(error instanceof Error ? error.message : String(error)).status;
}
