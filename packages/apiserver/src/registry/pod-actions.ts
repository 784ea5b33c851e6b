import type { Pod } from '@evenkeel/kinds';
import { copyJson } from '../apimachinery/index.ts';
import { type ApiObject } from '../kind/api-object.ts';
import type { KindDescription } from '../kind/kind-description.ts';
import { simulationPrefix } from '../kind/simulation-prefix.ts';
import type { DeleteOptions } from '../kind/strategy.ts';
import type { ActionSubresource } from '../kind/subresource.ts';
import type { RequestContext } from '../request/request-context.ts';
import { badRequest, refusal } from '../status/refusal.ts';
import type { ObjectRegistry } from './object-registry.ts';
import type { WriteRequest } from './write-request.ts';

type Action = ActionSubresource['handle'];
type ActionEntry = [string, Pick<ActionSubresource, 'handle' | 'default'>];

/** The author of what the server writes as a consequence of a request. */
const server = { name: 'system:apiserver', groups: ['system:masters', 'system:authenticated'] };

/** The action subresources of pods: eviction, binding and logs. `find` returns a kind once it is served. */
export function podActions(
  registry: ObjectRegistry,
  find: (group: string, version: string, plural: string) => KindDescription | undefined,
): ActionEntry[] {
  const podRequest = async (context: RequestContext, dryRun: boolean): Promise<WriteRequest> => {
    const kind = find('', 'v1', 'pods');
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
  const requestForBudget = async (evicting: WriteRequest, name: string): Promise<WriteRequest> => {
    const kind = find('policy', 'v1', 'poddisruptionbudgets');
    const rules = kind?.subresources.get('status');
    if (kind === undefined || rules === undefined) throw badRequest('poddisruptionbudgets are not served');
    const { namespace, dryRun, warn } = evicting;
    const subresource = { name: 'status', rules };
    return {
      kind,
      codec: await kind.codec(),
      user: server,
      namespace,
      name,
      subresource,
      manager: 'kube-apiserver',
      dryRun,
      warn,
    };
  };
  const success = (code: number): ApiObject =>
    ({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code }) as unknown as ApiObject;

  const evict: Action = async (context, pod, body) => {
    if (body?.metadata.name !== context.info.name) {
      throw badRequest('name in URL does not match name in Eviction object');
    }
    const found = pod() as unknown as Pod;
    const options = (body?.['deleteOptions'] ?? {}) as DeleteOptions;
    const dryRun = (options.dryRun ?? []).length > 0 || context.query.has('dryRun');
    const request = await podRequest(context, dryRun);
    const budgetRequest = (name: string): Promise<WriteRequest> => requestForBudget(request, name);
    const { evictPod } = await import('./pod-eviction.ts');
    await evictPod({ registry, pod: found, request, options, budgetRequest });
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
    ['pods/log', { handle: async ({ query }, pod) => simulatedLog(pod() as unknown as Pod, query) }],
  ];
}

/** Pods of an embedded cluster run no process. Their log is that of an annotation, or empty. */
function simulatedLog({ metadata, status }: Pod, query: URLSearchParams): string {
  const text = metadata.annotations?.[`${simulationPrefix}log`] ?? '';
  if (text === '') return '';
  const wanted = query.get('container');
  const container = status?.containerStatuses?.find(({ name }) => wanted === null || name === wanted);
  const waiting = container?.state?.waiting;
  if (waiting !== undefined && container?.restartCount === 0 && container.lastState?.terminated === undefined) {
    const where = `container ${JSON.stringify(container.name)} in pod ${JSON.stringify(metadata.name)}`;
    throw badRequest(`${where} is waiting to start: ${waiting.reason}`);
  }
  const lines = text.replace(/\n$/, '').split('\n');
  const tail = query.get('tailLines');
  const shown = tail === null ? lines : lines.slice(Math.max(0, lines.length - Number(tail)));
  return shown.map((line) => `${line}\n`).join('');
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
