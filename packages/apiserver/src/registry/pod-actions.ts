import type { TokenAuthenticator } from '../authentication/token-authenticator.ts';
import { type ApiObject, copyObject } from '../kind/api-object.ts';
import type { KindCatalog } from '../kind/kind-catalog.ts';
import type { DeleteOptions } from '../kind/strategy.ts';
import type { ActionSubresource } from '../kind/subresource.ts';
import { badRequest, refusal } from '../request/refusal.ts';
import type { RequestContext } from '../request/request-context.ts';
import { deleteObject } from './delete-object.ts';
import type { ObjectRegistry } from './object-registry.ts';
import type { WriteRequest } from './write-request.ts';

type Action = ActionSubresource['handle'];

/** The subresources that do something: evicting and binding pods, reading their logs, tokens of service accounts. */
export function subresourceActions(
  server: () => {
    registry: ObjectRegistry;
    catalog: KindCatalog;
    tokens: TokenAuthenticator;
  },
): ReadonlyMap<string, Action> {
  const podRequest = async (context: RequestContext, dryRun: boolean): Promise<WriteRequest> => {
    const kind = server().catalog.find('', 'v1', 'pods');
    if (kind === undefined) throw badRequest('pods are not served');
    return {
      kind,
      codec: await kind.codec(),
      user: context.user,
      namespace: context.info.namespace,
      name: context.info.name,
      manager: '',
      dryRun,
      warn: (message) => context.warn(message),
    };
  };
  const success = (code: number): ApiObject =>
    ({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code }) as unknown as ApiObject;

  const evict: Action = async (context, pod, body) => {
    if (body?.metadata.name !== context.info.name) {
      throw badRequest('name in URL does not match name in Eviction object');
    }
    pod();
    const options = (body?.['deleteOptions'] ?? {}) as DeleteOptions;
    const dryRun = (options.dryRun ?? []).length > 0 || context.query.has('dryRun');
    await deleteObject(server().registry, await podRequest(context, dryRun), options);
    return success(201);
  };

  const bind: Action = async (context, findPod, body) => {
    const pod = findPod();
    const target = body?.['target'] as { kind?: string; name?: string } | undefined;
    if (!target?.name) throw badRequest('a binding needs target.name');
    const request = await podRequest(context, context.query.has('dryRun'));
    await server().registry.update(
      request,
      (current) => {
        if (current === undefined) throw badRequest(`pod ${pod.metadata.name} is gone`);
        const spec = current['spec'] as { nodeName?: string };
        if (spec.nodeName) {
          const why = `pod ${current.metadata.name} is already assigned to node ${JSON.stringify(spec.nodeName)}`;
          throw refusal(
            409,
            'Conflict',
            `Operation cannot be fulfilled on pods/binding "${current.metadata.name}": ${why}`,
            {
              name: current.metadata.name,
              kind: 'pods/binding',
            },
          );
        }
        return bound(current, target.name ?? '', new Date(server().registry.clock.now()));
      },
      { ownsManagedFields: true, trusted: true },
    );
    return success(201);
  };

  const requestToken: Action = async ({ info, clock }, findAccount, body) => {
    const account = findAccount();
    const spec = (body?.['spec'] ?? {}) as { expirationSeconds?: number; audiences?: string[] | null };
    const { expirationSeconds = 3600 } = spec;
    const audiences = spec.audiences ?? ['https://localhost/'];
    const user = {
      name: `system:serviceaccount:${info.namespace}:${info.name}`,
      uid: account.metadata.uid ?? '',
      groups: ['system:serviceaccounts', `system:serviceaccounts:${info.namespace}`],
    };
    const expires = new Date(clock.now() + expirationSeconds * 1000);
    const { name, namespace, uid } = account.metadata;
    return {
      kind: 'TokenRequest',
      apiVersion: 'authentication.k8s.io/v1',
      metadata: { name, ...(namespace && { namespace }), ...(uid && { uid }) },
      spec: { audiences, expirationSeconds, boundObjectRef: null },
      status: {
        token: server().tokens.issue(user),
        expirationTimestamp: `${expires.toISOString().slice(0, 19)}Z`,
      },
    };
  };

  return new Map<string, Action>([
    ['pods/eviction', evict],
    ['pods/binding', bind],
    // Pods of an embedded cluster run no process, so there is nothing that could have been logged.
    [
      'pods/log',
      async (_, pod) => {
        pod();
        return '';
      },
    ],
    ['serviceaccounts/token', requestToken],
  ]);
}

function bound(pod: ApiObject, nodeName: string, now: Date): ApiObject {
  const object = copyObject(pod);
  const status = (object['status'] ?? {}) as { conditions?: { type: string }[] };
  const scheduled = {
    type: 'PodScheduled',
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: `${now.toISOString().slice(0, 19)}Z`,
  };
  const others = (status.conditions ?? []).filter(({ type }) => type !== 'PodScheduled');
  object['spec'] = { ...(object['spec'] as object), nodeName };
  object['status'] = { ...status, conditions: [...others, scheduled] };
  return object;
}
