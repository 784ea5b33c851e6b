import { Controller, type KubernetesObject, Owns, Reconcile, SeededRandom } from '@evenkeel/core';
import { Deployment, NetworkPolicy, Secret, Service } from '@evenkeel/kinds';
import type { ReconcileContext } from '../../packages/runtime/src/reconcile/reconcile-context.ts';
import type { ObjectWrite } from '../../packages/runtime/src/reconcile/reconcile-run.ts';
import { type ApiBackend, describeOnEveryServer } from '../api-backend.fixture.ts';
import { seed } from '../seed.fixture.ts';
import { TestOperator } from './operator.fixture.ts';

/** The children that each run applies, and the step of the test. */
let desired: Desired;
let step = 0;
/** The step of each started run, in order. */
let begun: number[];

type Desired = { readonly kind: new () => KubernetesObject; readonly name: string; readonly body: object };

@Controller(Secret, { name: 'applying' })
@Owns(Deployment)
@Owns(Service)
@Owns(NetworkPolicy)
class ApplyingController {
  @Reconcile()
  async reconcile({ metadata: { name } }: Secret, context: ReconcileContext): Promise<void> {
    if (name !== 'applying') return;
    begun.push(step);
    const { kind, body } = desired;
    await context.apply(Object.assign(new kind(), structuredClone(body)));
  }
}

/** A Deployment with parts of the pod, the spec and the metadata from the test. */
function deployment(name: string, pod: object = {}, spec: object = {}, metadata: object = {}): Desired {
  const labels = { app: name };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'main' }], ...pod } };
  const body = { metadata: { name, ...metadata }, spec: { selector: { matchLabels: labels }, template, ...spec } };
  return { kind: Deployment, name, body };
}

function service(name: string, spec: object): Desired {
  return { kind: Service, name, body: { metadata: { name }, spec: { ports: [{ port: 80 }], ...spec } } };
}

function networkPolicy(name: string, podSelector: object): Desired {
  return { kind: NetworkPolicy, name, body: { metadata: { name }, spec: { podSelector } } };
}

const initContainers = (...names: string[]) => ({ initContainers: names.map((name) => ({ name, image: name })) });
const env = (...names: string[]) => ({
  containers: [{ name: 'main', image: 'main', env: names.map((name) => ({ name, value: name })) }],
});
const ports = (...numbers: number[]) => ({ ports: numbers.map((port) => ({ name: `p${port}`, port })) });

const pod = (live: KubernetesObject) => (live as Deployment).spec?.template.spec;
const named = (list: readonly { name?: string }[] | undefined) => list?.map(({ name }) => name);

describeOnEveryServer(
  'context.apply of a child that it has applied before',
  (start) => {
    let backend: ApiBackend;
    let operator: TestOperator;

    beforeAll(async () => {
      backend = await start();
      begun = [];
      desired = deployment('first');
      await begin();
      await operator.client.create(Secret, { metadata: { name: 'applying', namespace: 'default' } });
      await operator.until('the first run', () => operator.outcomes('applying').length > 0);
    });

    afterAll(async () => {
      await operator?.manager.stop();
      await backend?.stop();
    });

    async function begin(): Promise<void> {
      begun = [];
      operator = await TestOperator.start(backend, [ApplyingController]);
    }

    /** Starts another process of the operator, which does not know what the first one did. */
    async function restart(whileAway: () => Promise<unknown> = async () => undefined): Promise<void> {
      await operator.manager.stop();
      await whileAway();
      await begin();
      await operator.until('a run', () => operator.outcomes('applying').length > 0);
    }

    /** The writes of the runs of one step. */
    function writesOf(which: number): readonly ObjectWrite[] {
      return operator.runs
        .filter(({ key }) => key.name === 'applying')
        .flatMap((run, at) => (begun[at] === which ? run.writes : []));
    }

    /** Runs with the current desired state, and returns the number of applies that were sent, and their results. */
    async function run(wanted: Desired): Promise<string[]> {
      desired = wanted;
      const mine = ++step;
      await operator.client.patch(Secret, 'default/applying', {
        merge: { metadata: { annotations: { step: `${mine}` } } },
      });
      await operator.until('the run of the step', () =>
        begun.slice(0, operator.outcomes('applying').length).includes(mine),
      );
      expect(operator.outcomes('applying').at(-1)).toBe('await-change');
      return writesOf(mine).map(({ effect }) => effect);
    }

    /** Waits until a run after the first `before` runs was triggered by changed annotations. It saw all changes made with them. */
    async function seenSince(before: number): Promise<void> {
      const seen = () =>
        operator.runs.slice(before).flatMap(({ triggers }) => triggers.flatMap(({ changed }) => changed));
      await operator.until('a run that saw it', () => seen().some((path) => path.startsWith('metadata.annotations')));
    }

    const live = ({ kind, name }: Desired): Promise<KubernetesObject> => operator.client.get(kind, `default/${name}`);

    it.each<[string, (live: KubernetesObject) => unknown, Desired, Desired, unknown]>([
      [
        'the order of init containers',
        (object) => named(pod(object)?.initContainers),
        deployment('inits', initContainers('a', 'b', 'c')),
        deployment('inits', initContainers('b', 'a', 'c')),
        ['b', 'a', 'c'],
      ],
      [
        'the order of variables',
        (object) => named(pod(object)?.containers[0]?.env),
        deployment('variables', env('a', 'b')),
        deployment('variables', env('b', 'a')),
        ['b', 'a'],
      ],
      [
        'the order of ports',
        (object) => named((object as Service).spec?.ports),
        service('ports', ports(80, 81)),
        service('ports', ports(81, 80)),
        ['p81', 'p80'],
      ],
      [
        'the order in a set',
        ({ metadata }) => metadata.finalizers,
        deployment('set', {}, {}, { finalizers: ['example.com/a', 'example.com/b'] }),
        deployment('set', {}, {}, { finalizers: ['example.com/b', 'example.com/a'] }),
        ['example.com/b', 'example.com/a'],
      ],
      [
        'a node selector that is emptied',
        (object) => pod(object)?.nodeSelector ?? {},
        deployment('nodes', { nodeSelector: { disk: 'ssd' } }),
        deployment('nodes', { nodeSelector: {} }),
        {},
      ],
      [
        "a Service's selector that is emptied",
        (object) => (object as Service).spec?.selector ?? {},
        service('selecting', { selector: { a: 'b' } }),
        service('selecting', { selector: {} }),
        {},
      ],
      [
        'a pod selector that is emptied',
        (object) => (object as NetworkPolicy).spec?.podSelector ?? {},
        networkPolicy('policy', { matchLabels: { a: 'b' } }),
        networkPolicy('policy', {}),
        {},
      ],
      [
        'a pod selector whose labels are emptied',
        (object) => (object as NetworkPolicy).spec?.podSelector?.matchLabels ?? {},
        networkPolicy('labels', { matchLabels: { a: 'b' } }),
        networkPolicy('labels', { matchLabels: {} }),
        {},
      ],
      [
        'a granular map that is emptied',
        ({ metadata }) => metadata.annotations?.['a'],
        deployment('granular', {}, {}, { annotations: { a: 'b' } }),
        deployment('granular', {}, {}, { annotations: {} }),
        undefined,
      ],
      [
        'a structure that is emptied',
        (object) => pod(object)?.securityContext,
        deployment('structure', { securityContext: { runAsUser: 1 } }),
        deployment('structure', { securityContext: {} }),
        {},
      ],
      [
        'an atomic list that is emptied',
        (object) => pod(object)?.tolerations ?? [],
        deployment('atomic', { tolerations: [{ operator: 'Exists' }] }),
        deployment('atomic', { tolerations: [] }),
        [],
      ],
      [
        'a keyed list that is emptied',
        (object) => pod(object)?.initContainers ?? [],
        deployment('keyed', initContainers('a')),
        deployment('keyed', initContainers()),
        [],
      ],
      [
        'a map that becomes null',
        (object) => pod(object)?.nodeSelector ?? {},
        deployment('null', { nodeSelector: { disk: 'ssd' } }),
        deployment('null', { nodeSelector: null }),
        {},
      ],
      [
        'a number that becomes null',
        (object) => (object as Deployment).spec?.replicas,
        deployment('number', {}, { replicas: 0 }),
        deployment('number', {}, { replicas: null }),
        1,
      ],
    ])('sends the apply once if it changes %s', async (_, look, before, after, expected) => {
      expect(await run(before)).toEqual(['created']);
      expect(await run(before)).toEqual([]);
      expect(await run(after)).toEqual(['changed']);
      expect(look(await live(after))).toEqual(expected);
      expect(await run(after)).toEqual([]);
      expect(await run(after)).toEqual([]);
      expect(await run(before)).toEqual(['changed']);
      expect(await run(before)).toEqual([]);
    });

    it('sends nothing for an unchanged child, even if others insert entries in between', async () => {
      const { client } = operator;
      const random = new SeededRandom(seed);
      const shuffled = (names: string): string[] =>
        [...names]
          .map((name) => ({ name, at: random.next() }))
          .toSorted((left, right) => left.at - right.at)
          .map(({ name }) => name);
      let mine = deployment('between', initContainers('a', 'b', 'c', 'd'));
      await run(mine);
      for (let round = 0; round < 12; round++) {
        const theirs = shuffled('abcdxyz').slice(random.integer(7));
        const body = {
          metadata: { name: 'between', namespace: 'default', annotations: { round: `${round}` } },
          spec: { template: { spec: initContainers(...theirs) } },
        };
        const before = operator.runs.length;
        await client.apply(Deployment, body as never, { fieldManager: 'second', force: true });
        await seenSince(before);
        const order = shuffled('abcd').slice(random.integer(3));
        mine = deployment('between', initContainers(...order));
        await run(mine);
        const place = `seed ${seed}, round ${round}`;
        const inOrder = async () => {
          const names = named(pod(await live(mine))?.initContainers) ?? [];
          return names.filter((name) => order.includes(`${name}`)).join() === order.join();
        };
        await operator.until(`${place}: the order`, inOrder);
        expect([place, await run(mine)]).toEqual([place, []]);
        expect([place, await inOrder()]).toEqual([place, true]);
      }
    });

    it('sends nothing after it has restored an order that a user changed', async () => {
      const mine = deployment('by-hand', initContainers('a', 'b'));
      await run(mine);
      const reversed = { spec: { template: { spec: initContainers('b', 'a') } } };
      await operator.client.patch(Deployment, 'default/by-hand', { merge: reversed });
      await operator.until('the order', async () => named(pod(await live(mine))?.initContainers)?.join() === 'a,b');
      expect(await run(mine)).toEqual([]);
    });

    it('sends nothing if an empty field is granular and others fill it, but once after a restart', async () => {
      const mine = deployment('filled', { initContainers: [] }, { strategy: {} }, { annotations: {} });
      const fill = async (value: string): Promise<void> => {
        const before = operator.runs.length;
        const theirs = initContainers(value);
        await operator.client.apply(
          Deployment,
          {
            metadata: { name: 'filled', namespace: 'default', annotations: { [value]: value } },
            spec: { template: { spec: theirs }, strategy: { rollingUpdate: { maxSurge: value.length } } },
          } as never,
          { fieldManager: value, force: true },
        );
        await seenSince(before);
      };
      expect(await run(mine)).toEqual(['created']);
      expect(await run(mine)).toEqual([]);
      await fill('one');
      await run(mine);
      const before = operator.runs.length;
      await fill('two');
      await fill('three');
      expect(await run(mine)).toEqual([]);
      expect(operator.runs.slice(before).flatMap(({ writes }) => writes)).toEqual([]);
      const { metadata } = await live(mine);
      expect(Object.keys(metadata.annotations ?? {})).toEqual(expect.arrayContaining(['one', 'two', 'three']));
      // Another process must send the apply once, because it does not know what the first sent. The server changes nothing.
      await restart();
      expect(operator.runs.flatMap(({ writes }) => writes.map(({ effect }) => effect))).toEqual(['unchanged']);
      expect((await live(mine)).metadata.resourceVersion).toBe(metadata.resourceVersion);
      expect(await run(mine)).toEqual([]);
    });

    it('sends nothing if an empty field stays empty, even after a restart', async () => {
      const mine = deployment(
        'empty',
        { nodeSelector: {}, tolerations: [], initContainers: [], securityContext: {}, hostAliases: null },
        {},
        { annotations: {}, finalizers: [] },
      );
      expect(await run(mine)).toEqual(['created']);
      await restart();
      expect(await run(mine)).toEqual([]);
      expect(operator.runs.flatMap(({ writes }) => writes)).toEqual([]);
    });

    it('empties an atomic field again if others fill it, even while no process runs', async () => {
      const mine = deployment('taken', { nodeSelector: {}, tolerations: [] });
      const fill = { nodeSelector: { disk: 'ssd' }, tolerations: [{ operator: 'Exists' as const }] };
      const take = () =>
        operator.client.patch(Deployment, 'default/taken', { merge: { spec: { template: { spec: fill } } } });
      const isEmpty = async (): Promise<boolean> => {
        const { nodeSelector = {}, tolerations = [] } = pod(await live(mine)) ?? {};
        return Object.keys(nodeSelector).length + tolerations.length === 0;
      };
      expect(await run(mine)).toEqual(['created']);
      await take();
      await operator.until('it is empty', isEmpty);
      expect(await run(mine)).toEqual([]);
      await restart(take);
      await operator.until('it is empty again', isEmpty);
      expect(await run(mine)).toEqual([]);
    });
  },
  { embedded: 'in process' },
);
