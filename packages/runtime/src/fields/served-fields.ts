import {
  type ApiResource,
  apiVersionOf,
  type FieldTree,
  groupResourceOf,
  type KindFields,
  type Logger,
  readFieldTree,
} from '@evenkeel/core';
import { missingFields } from './missing-fields.ts';
import { type DocumentOptions, readDocument } from './served-document.ts';

export interface ServedFieldsOptions extends DocumentOptions {
  /** The fields with which the operator was built. */
  readonly fields: KindFields;
  readonly logger: Logger;
}

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

  async #ask(resource: ApiResource, groupVersion: GroupVersion, signal: AbortSignal): Promise<void> {
    const found = await readDocument(this.#options, openApiPathOf(resource), signal, groupVersion.etag);
    if (found === undefined) return;
    groupVersion.missing = new Map(
      [...groupVersion.kinds.values()].flatMap((known) => {
        const missing = missingFields(found.document, known.resource, known.tree);
        return missing === undefined ? [] : [[known.resource.kind, missing] as const];
      }),
    );
    groupVersion.etag = found.etag;
  }
}

/** The path of the OpenAPI document of a kind's group and version. */
export function openApiPathOf(resource: ApiResource): string {
  return `/openapi/v3/${resource.group === '' ? 'api' : 'apis'}/${apiVersionOf(resource)}`;
}
