import {
  type ApiResource,
  apiVersionOf,
  type Clock,
  type FieldTree,
  groupResourceOf,
  type KindFields,
  type Logger,
  readBounded,
  readFieldTree,
  type Transport,
  type TransportResponse,
} from '@evenkeel/core';
import { missingFields } from './missing-fields.ts';

export interface ServedFieldsOptions {
  /** The fields with which the operator was built. */
  readonly fields: KindFields;
  readonly transport: Transport;
  readonly userAgent: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Larger documents are not read. The document of a group with a dozen kinds that embed pods has about 2 MiB. */
const largestDocument = 32 * 1024 * 1024;
/** The timeout of the request for one document. */
const patienceMs = 10_000;

interface GroupVersion {
  readonly kinds: Map<string, { readonly resource: ApiResource; readonly tree: FieldTree }>;
  /** Missing fields by kind; empty before the first document. */
  missing: ReadonlyMap<string, readonly string[]>;
  etag: string | undefined;
  asking: Promise<void> | undefined;
}

/**
 * Finds the fields with which an operator was built and which the API server does not serve. It reads the OpenAPI document of a
 * kind's group and version. Every authenticated user may read it (`system:discovery`), so no permission for CRDs is needed. Later
 * requests use its ETag. Only the missing fields are kept, not the document.
 */
export class ServedFields {
  readonly #options: ServedFieldsOptions;
  readonly #groupVersions = new Map<string, GroupVersion>();

  constructor(options: ServedFieldsOptions) {
    this.#options = options;
  }

  /** Reports whether the operator was built with fields of a kind. After that call, {@link missing} checks the kind. */
  knows(resource: ApiResource): boolean {
    const apiVersion = apiVersionOf(resource);
    const name = `${groupResourceOf(resource)}/${resource.version}`;
    const { fields } = this.#options;
    const lines = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (lines === undefined) return false;
    const known = this.#groupVersions.get(apiVersion) ?? {
      kinds: new Map(),
      missing: new Map(),
      etag: undefined,
      asking: undefined,
    };
    this.#groupVersions.set(apiVersion, known);
    if (!known.kinds.has(resource.kind)) known.kinds.set(resource.kind, { resource, tree: readFieldTree(lines) });
    return true;
  }

  /** Returns the paths of a kind's missing fields; undefined if they cannot be determined. Never rejects. */
  async missing(resource: ApiResource, signal: AbortSignal): Promise<readonly string[] | undefined> {
    const groupVersion = this.#groupVersions.get(apiVersionOf(resource));
    if (groupVersion === undefined) return undefined;
    groupVersion.asking ??= this.#ask(resource, groupVersion, signal).finally(() => {
      groupVersion.asking = undefined;
    });
    try {
      await groupVersion.asking;
    } catch (error) {
      this.#options.logger.debug('cannot look up the fields that are served', {
        resource: groupResourceOf(resource),
        error,
      });
      return undefined;
    }
    return groupVersion.missing.get(resource.kind);
  }

  async #ask(resource: ApiResource, groupVersion: GroupVersion, outer: AbortSignal): Promise<void> {
    const { transport, userAgent, clock } = this.#options;
    const ended = new AbortController();
    const timer = clock.schedule(patienceMs, () => ended.abort(new Error(`no response within ${patienceMs} ms`)));
    const { etag } = groupVersion;
    try {
      const response = await transport.request({
        method: 'GET',
        path: `/openapi/v3/${resource.group === '' ? 'api' : 'apis'}/${apiVersionOf(resource)}`,
        headers: {
          accept: 'application/json',
          'user-agent': userAgent,
          ...(etag === undefined ? {} : { 'if-none-match': etag }),
        },
        signal: AbortSignal.any([outer, ended.signal]),
      });
      const text = await textOf(response);
      if (response.status !== 304) {
        if (response.status !== 200) throw new Error(`the server responded with ${response.status}`);
        const document: unknown = JSON.parse(text);
        groupVersion.missing = new Map(
          [...groupVersion.kinds.values()].flatMap((known) => {
            const missing = missingFields(document, known.resource, known.tree);
            return missing === undefined ? [] : [[known.resource.kind, missing] as const];
          }),
        );
        groupVersion.etag = response.headers['etag'];
      }
    } finally {
      timer.cancel();
      ended.abort(new Error('the request has ended'));
    }
  }
}

async function textOf(response: TransportResponse): Promise<string> {
  const bytes = await readBounded(response.body, largestDocument);
  if (bytes === undefined) throw new Error(`the document has more than ${largestDocument} bytes`);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}
