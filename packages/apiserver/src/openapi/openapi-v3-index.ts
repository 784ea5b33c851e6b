import { contentHash } from '../crypto/content-hash.ts';
import type { ApiGroup } from '../kind/api-groups.ts';

/**
 * `GET /openapi/v3`: the URL of the document of each group and version. The hash in a URL makes the document cacheable
 * forever, so it must change with the document. `revisionOf` returns a string that identifies the state of the
 * document, which is cheaper than the document.
 */
export function openApiV3Index(
  groups: readonly ApiGroup[],
  revisionOf: (group: string, version: string) => string,
): object {
  const paths: Record<string, object> = {};
  for (const { name, versions } of groups) {
    for (const { version } of versions) {
      const path = openApiV3Path(name, version);
      paths[path] = {
        serverRelativeURL: `/openapi/v3/${path}?hash=${documentHash(path, revisionOf(name, version))}`,
      };
    }
  }
  return { paths };
}

/** Returns the last part of a document's URL, such as `api/v1` or `apis/apps/v1`. */
export function openApiV3Path(group: string, version: string): string {
  return group === '' ? `api/${version}` : `apis/${group}/${version}`;
}

export function documentHash(path: string, revision: string): string {
  return contentHash(`${path}\n${revision}`);
}
