import type { KindCatalog } from '../catalog/kind-catalog.ts';
import { entityTag } from '../crypto/content-hash.ts';
import { encodedResponse } from '../handlers/encoding.ts';
import { isPretty, parseAccept } from '../handlers/negotiation.ts';
import type { PathHandler } from '../handlers/request-pipeline.ts';
import type { ApiResponse } from '../request/api-request.ts';
import type { RequestContext } from '../request/request-context.ts';
import { methodNotAllowed, pathNotFound } from '../status/refusal.ts';
import { aggregatedDiscoveryType, apiGroupDiscoveryList } from './aggregated-discovery.ts';
import { apiGroup, apiGroupList, apiResourceList, apiVersions } from './legacy-discovery.ts';

/** Serves `/api`, `/apis` and the paths down to the resources, in the legacy and in the aggregated form. */
export function discoveryHandler(catalog: KindCatalog): PathHandler {
  return (context) => {
    const [root, ...parts] = context.info.path.split('/').filter((part) => part !== '');
    if (root !== 'api' && root !== 'apis') return undefined;
    if (context.info.method !== 'GET') {
      if (root === 'api' ? parts.length < 2 : parts.length === 2) throw methodNotAllowed();
      return undefined;
    }
    const form = {
      format: wantsYaml(context.headers['accept'] ?? '') ? 'yaml' : 'json',
      pretty: isPretty(context.headers, context.query),
    } as const;
    if (parts.length === 0) return discoveryRoot(catalog, root, context, form);
    const [group = '', version] = root === 'api' ? ['', ...parts] : parts;
    if (parts.length > (root === 'api' ? 1 : 2)) return undefined;
    const found = catalog.apiGroups().find(({ name }) => name === group);
    if (version === undefined) return found && encodedResponse(200, JSON.stringify(apiGroup(found)), form);
    const served = found?.versions.find((candidate) => candidate.version === version);
    if (served !== undefined) return encodedResponse(200, JSON.stringify(apiResourceList(group, served)), form);
    if (found !== undefined) throw pathNotFound();
    return undefined;
  };
}

type Form = Parameters<typeof encodedResponse>[2];

async function discoveryRoot(
  catalog: KindCatalog,
  root: 'api' | 'apis',
  { headers, localAddress }: RequestContext,
  form: Form,
): Promise<ApiResponse> {
  const groups = catalog.apiGroups().filter(({ name }) => (root === 'api') === (name === ''));
  if (!wantsAggregated(headers['accept'] ?? '')) {
    const body = root === 'api' ? apiVersions(localAddress ?? '') : apiGroupList(groups);
    return encodedResponse(200, JSON.stringify(body), form);
  }
  const body = JSON.stringify(apiGroupDiscoveryList(groups, (group) => catalog.isCustomGroup(group)));
  const etag = entityTag(body);
  const common = { 'content-type': aggregatedDiscoveryType, etag, vary: 'Accept', 'cache-control': 'public' };
  if (headers['if-none-match'] === etag) return { status: 304, headers: common, body: new Uint8Array() };
  const response = await encodedResponse(200, body, form);
  return { ...response, headers: common };
}

/** Whether YAML is the first accepted type. */
function wantsYaml(accept: string): boolean {
  const [first] = parseAccept(accept).filter(({ type }) => /^(?:\*|application)\/(?:\*|json|yaml)$/.test(type));
  return first?.type === 'application/yaml';
}

/** Whether a client prefers the aggregated form. Accepted media types are checked in the client's order. */
function wantsAggregated(accept: string): boolean {
  for (const { type, parameters } of parseAccept(accept)) {
    if (type !== 'application/json' && type !== '*/*') continue;
    const asked = parameters.get('as');
    if (asked === undefined) return false;
    const isIt = asked === 'APIGroupDiscoveryList' && parameters.get('g') === 'apidiscovery.k8s.io';
    if (isIt && parameters.get('v') === 'v2') return true;
  }
  return false;
}
