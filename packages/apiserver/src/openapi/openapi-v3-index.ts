import { createHash } from 'node:crypto';
import type { ApiGroup } from '../kind/api-groups.ts';

/**
 * `GET /openapi/v3`: where the document of each group and version is. The hash in a URL makes it cacheable for ever, so
 * it must change when the document does: `revisionOf` gives whatever text stands for the document's state, which is
 * cheaper than making the document.
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

/** `api/v1`, `apis/apps/v1`: the last part of a document's URL. */
export function openApiV3Path(group: string, version: string): string {
  return group === '' ? `api/${version}` : `apis/${group}/${version}`;
}

/** Upper-case hexadecimal, as upstream writes its ETags. */
export function documentHash(path: string, revision: string): string {
  return createHash('sha512').update(`${path}\n${revision}`).digest('hex').toUpperCase();
}
