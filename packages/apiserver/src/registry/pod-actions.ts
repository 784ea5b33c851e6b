import { copyJson } from '../apimachinery/index.ts';
import { type ApiObject } from '../kind/api-object.ts';
import type { KindDescription } from '../kind/kind-description.ts';
import type { DeleteOptions } from '../kind/strategy.ts';
import type { ActionSubresource } from '../kind/subresource.ts';
import type { RequestContext } from '../request/request-context.ts';
import { badRequest, refusal } from '../status/refusal.ts';
import { deleteObject } from './delete-object.ts';
import type { ObjectRegistry } from './object-registry.ts';
import type { WriteRequest } from './write-request.ts';

type Action = ActionSubresource['handle'];
type ActionEntry = [string, Pick<ActionSubresource, 'handle' | 'default'>];

/** The action subresources of pods: eviction, binding and logs. `pods` returns the kind once it is served. */
export function podActions(registry: ObjectRegistry, pods: () => KindDescription | undefined): ActionEntry[] {
  const podRequest = async (context: RequestContext, dryRun: boolean): Promise<WriteRequest> => {
    const kind = pods();
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
    // Webhooks see the Eviction, not the deletion.
    await deleteObject(registry, await podRequest(context, dryRun), options, { asksWebhooks: false });
    return success(201);
  };

  const bind: Action = async (context, findPod, body) => {
    const pod = findPod();
    const target = body?.['target'] as { kind?: string; name?: string } | undefined;
    if (!target?.name) throw badRequest('a binding needs target.name');
    const request = await podRequest(context, context.query.has('dryRun'));
    await registry.update(
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
        return bound(current, target.name ?? '', new Date(registry.clock.now()));
      },
      { ownsManagedFields: true, trusted: true },
    );
    return success(201);
  };

  return [
    ['pods/eviction', { handle: evict }],
    ['pods/binding', { handle: bind }],
    // Pods of an embedded cluster run no process, so their logs are empty.
    [
      'pods/log',
      {
        handle: async (_, pod) => {
          pod();
          return '';
        },
      },
    ],
  ];
}

function bound(pod: ApiObject, nodeName: string, now: Date): ApiObject {
  const object = copyJson(pod);
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
