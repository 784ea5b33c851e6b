import type { Predicate } from '@evenkeel/core';
import {
  type ApiResource,
  type ApiStatus,
  type KubernetesObject,
  type LogKeys,
  ManualClock,
  ObjectKey,
  SilentLogger,
  StatusError,
} from '@evenkeel/core';
import { ConfigMap } from '@evenkeel/kinds';
import type { Informer, InformerHandler, InformerHealth } from '../cache/index.ts';
import { enqueueObject } from '../handler/enqueue-object.ts';
import { generationChanged, resourceVersionChanged } from '../predicate/change-predicates.ts';
import { refusal } from '../reconcile/scripted-client.fixture.ts';
import { Gate } from './gate.ts';
import { KindSource, type KindSourceOptions } from './kind-source.ts';
import { Outage } from './outage.ts';

const maps: ApiResource = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };

/** An informer that the test controls. */
class ScriptedInformer {
  readonly resource = maps;
  health: InformerHealth = {
    synced: false,
    current: false,
    problem: undefined,
    lastSyncResourceVersion: undefined,
    lastActivityMs: undefined,
    watches: [],
  };
  handler: InformerHandler | undefined;
  #listener: ((health: InformerHealth) => void) | undefined;

  addHandler(handler: InformerHandler): () => void {
    this.handler = handler;
    return () => {
      this.handler = undefined;
    };
  }

  onHealth(listener: (health: InformerHealth) => void): () => void {
    this.#listener = listener;
    return () => {
      this.#listener = undefined;
    };
  }

  async waitForSync(): Promise<void> {}

  tell(problem: InformerHealth['problem']): void {
    this.health = { ...this.health, problem };
    this.#listener?.(this.health);
  }

  current(current: boolean): void {
    this.health = { ...this.health, current };
    this.#listener?.(this.health);
  }

  /** Sets the time at which its only watch last received data, and its restarts. */
  heard(lastHeardMs: number, restarts: number): void {
    const others = { namespace: undefined, problem: undefined, lastProgressMs: undefined, lastBookmarkMs: undefined };
    this.health = {
      ...this.health,
      watches: [{ ...others, synced: true, current: true, lists: 1, lastHeardMs, restarts, restartsUnheard: restarts }],
    };
  }
}

class Lines extends SilentLogger {
  readonly lines: string[] = [];

  override info(message?: string): void {
    this.lines.push(`info: ${message}`);
  }

  override warn(message?: string): void {
    this.lines.push(`warn: ${message}`);
  }

  override error(message?: string, keys?: LogKeys): void {
    this.lines.push(`error: ${message} ${keys?.['event']}`);
  }
}

type GivenOptions = Partial<Omit<KindSourceOptions, 'informer'>> & { readonly informer?: ScriptedInformer };

function source({ informer = new ScriptedInformer(), ...options }: GivenOptions = {}) {
  const logger = new Lines();
  const clock = new ManualClock();
  const gate = new Gate();
  const woken: string[] = [];
  const instance = new KindSource({
    informer: informer as unknown as Informer,
    predicates: [],
    handler: enqueueObject,
    declaration: '@Owns(ConfigMap)',
    definitionFile: undefined,
    outage: new Outage(),
    clock,
    logger,
    ...options,
  });
  instance.start((key, trigger, initial) => woken.push(`${key}: ${trigger}${initial ? ' initially' : ''}`), gate);
  return { informer, logger, woken, instance, clock, gate };
}

function map(name: string, data: Record<string, string> = {}, resourceVersion = '1'): KubernetesObject {
  const metadata = { name, namespace: 'default', resourceVersion };
  return Object.assign(new ConfigMap(), { apiVersion: 'v1', kind: 'ConfigMap', metadata, data });
}

describe('KindSource', () => {
  it('enqueues keys with a trigger, and marks objects of the initial list', () => {
    const { informer, woken } = source();
    informer.handler?.added?.(map('a'), true);
    informer.handler?.added?.(map('b'), false);
    informer.handler?.updated?.(map('a', { x: '2' }, '2'), map('a', { x: '1' }), false);
    informer.handler?.deleted?.(map('b'), false);
    expect(woken).toEqual([
      'default/a: ConfigMap default/a added initially',
      'default/b: ConfigMap default/b added',
      'default/a: ConfigMap default/a updated (data.x)',
      'default/b: ConfigMap default/b deleted',
    ]);
  });

  it('drops events that a predicate does not let pass', () => {
    const notB: Predicate = ({ object }) => object.metadata.name !== 'b';
    const { informer, woken } = source({ predicates: [() => true, notB] });
    informer.handler?.added?.(map('a'), false);
    informer.handler?.added?.(map('b'), false);
    expect(woken).toHaveLength(1);
  });

  it('passes an object that differs in the same version to predicates as added, and enqueues it as an update', () => {
    const seen: string[] = [];
    const notB: Predicate = ({ verb, object }) => {
      seen.push(`${verb} ${object.metadata.name}`);
      return object.metadata.name !== 'b';
    };
    const { informer, woken } = source({ predicates: [resourceVersionChanged, generationChanged, notB] });
    for (const name of ['a', 'b']) informer.handler?.updated?.(map(name, { x: 'default' }), map(name), true);
    expect(seen).toEqual(['added a', 'added b']);
    expect(woken).toEqual(['default/a: ConfigMap default/a updated (data.x)']);
  });

  it('lets an event pass if a predicate throws, and logs the error', () => {
    const { informer, woken, logger } = source({
      predicates: [
        () => {
          throw new Error('odd');
        },
      ],
    });
    informer.handler?.added?.(map('a'), false);
    expect(woken).toHaveLength(1);
    expect(logger.lines).toEqual(['error: a predicate threw; the event passes ConfigMap default/a added']);
  });

  it('continues with other events if a handler throws', () => {
    const { informer, woken, logger } = source({
      handler: ({ object }) => {
        if (object.metadata.name === 'bad') throw new Error('odd');
        return [ObjectKey.of(object)];
      },
    });
    informer.handler?.added?.(map('bad'), false);
    informer.handler?.added?.(map('good'), false);
    expect(woken).toEqual(['default/good: ConfigMap default/good added']);
    expect(logger.lines).toEqual(['error: an event could not be mapped to keys ConfigMap default/bad added']);
  });

  it('logs once what a kind that cannot be watched needs, and when it is watched again', () => {
    const { informer, logger, instance } = source({ definitionFile: 'config/crd/example.com_configmaps.yaml' });
    const missing = { reason: 'missing', error: new Error('the server could not find it') } as const;
    informer.tell(missing);
    informer.tell({ ...missing });
    const problem =
      'cannot watch configmaps/v1 for @Owns(ConfigMap): the API server does not serve it; apply its CRD ("kubectl apply -f config/crd/example.com_configmaps.yaml"); the controller then continues';
    expect(instance.state).toMatchObject({ problem, degraded: true });
    informer.tell(undefined);
    informer.current(true);
    expect(instance.state).toMatchObject({ problem: undefined, degraded: false });
    expect(logger.lines).toEqual([`warn: ${problem}`, 'info: watching again']);
  });

  it('stops the workers while the cache is not current', () => {
    const { informer, gate } = source();
    expect(gate.isOpen).toBe(false);
    informer.current(true);
    expect(gate.isOpen).toBe(true);
    informer.tell({ reason: 'unreachable', error: new Error('connect ECONNREFUSED') });
    expect(gate.isOpen).toBe(true);
    informer.current(false);
    expect(gate.isOpen).toBe(false);
  });

  it('repeats the line after 1, 2, 4, ... minutes, and then every hour, while the problem lasts', async () => {
    const { informer, logger, clock, instance } = source();
    informer.tell({ reason: 'missing', error: new Error('the server could not find it') });
    const linesAfter = async (minutes: number): Promise<number> => {
      await clock.advance(minutes * 60_000);
      return logger.lines.length;
    };
    expect(await linesAfter(0.9)).toBe(1);
    expect(await linesAfter(0.1)).toBe(2);
    expect(await linesAfter(2)).toBe(3);
    expect(await linesAfter(4 + 8 + 16 + 32)).toBe(7);
    expect(await linesAfter(60)).toBe(8);
    expect(await linesAfter(60)).toBe(9);
    informer.tell(undefined);
    expect(await linesAfter(24 * 60)).toBe(10);
    expect(logger.lines.at(-1)).toBe('info: watching again');
    informer.tell({ reason: 'missing', error: new Error('the server could not find it') });
    instance.stop();
    expect(await linesAfter(24 * 60)).toBe(11);
    expect(clock.pending).toBe(0);
  });

  it('quotes a Forbidden error, and adds the missing rule and the commands that grant it', () => {
    const { informer, instance } = source();
    const status = refusal(403, 'Forbidden', 'configmaps is forbidden: User "x" cannot list').body as ApiStatus;
    const refused = { reason: 'forbidden', error: new StatusError(status) } as const;
    const rule = '{ apiGroups: [""], resources: ["configmaps"], verbs: ["list", "watch"] }';
    const fix =
      '"evenkeel generate" writes it, "kubectl apply -f config/rbac" grants it; the controller then continues';
    informer.tell(refused);
    expect(instance.state.problem).toBe(
      `cannot watch configmaps/v1 for @Owns(ConfigMap): configmaps is forbidden: User "x" cannot list; its service account lacks ${rule} in a ClusterRole; ${fix}`,
    );
    informer.tell({ ...refused, namespaces: ['a', 'b'] });
    expect(instance.state.problem).toBe(
      `cannot watch configmaps/v1 in a, b for @Owns(ConfigMap): configmaps is forbidden: User "x" cannot list; its service account lacks ${rule} in a Role of a, b; ${fix}`,
    );
  });

  it('cuts a long response in a line', () => {
    const { informer, instance } = source();
    informer.tell({ reason: 'unreachable', error: new Error('x'.repeat(100_000)) });
    expect(instance.state.problem?.length).toBeLessThan(700);
  });

  it('is degraded, with a problem, if nothing was received for longer than a watch and its restart take', async () => {
    const { informer, instance, clock } = source();
    informer.heard(clock.monotonic(), 0);
    await clock.advance(140_000);
    expect(instance.state).toMatchObject({ problem: undefined, degraded: false });
    informer.heard(0, 2);
    await clock.advance(1000);
    expect(instance.state).toMatchObject({
      problem: 'has received nothing about configmaps for 141 s; its watch was restarted 2 times',
      degraded: true,
    });
    informer.heard(0, 0);
    expect(instance.state).toMatchObject({ problem: undefined, degraded: false });
    informer.heard(clock.monotonic(), 2);
    expect(instance.state).toMatchObject({ problem: undefined, degraded: false });
  });

  it('logs once that a server is unreachable, for any number of retries', () => {
    const { informer, logger } = source();
    const error = new Error('connect ECONNREFUSED 127.0.0.1:6443');
    for (let attempt = 0; attempt < 3; attempt++) informer.tell({ reason: 'unreachable', error });
    expect(logger.lines).toEqual([
      'warn: cannot watch configmaps/v1 for @Owns(ConfigMap): no response from the API server (connect ECONNREFUSED 127.0.0.1:6443); retrying',
    ]);
  });

  it.each(['missing', 'forbidden'] as const)('logs a problem that exists at its start: %s', async (reason) => {
    const informer = new ScriptedInformer();
    informer.tell({ reason, error: new Error('refused') });
    const { logger, clock, instance, gate } = source({ informer });
    expect(gate.isOpen).toBe(false);
    expect(logger.lines).toEqual([`warn: ${instance.state.problem}`]);
    await clock.advance(60_000);
    expect(logger.lines).toHaveLength(2);
    informer.tell(undefined);
    expect(logger.lines.at(-1)).toBe('info: watching again');
  });

  it('logs that the server is unreachable if it was reachable before the start', () => {
    const informer = new ScriptedInformer();
    informer.health = { ...informer.health, synced: true, current: true };
    const { logger } = source({ informer, outage: new Outage(true) });
    informer.tell({ reason: 'unreachable', error: new Error('connect ECONNREFUSED') });
    expect(logger.lines).toHaveLength(1);
  });

  describe('if a server rejects a watch for another reason', () => {
    const status = refusal(429, 'TooManyRequests', 'storage is (re)initializing').body as ApiStatus;
    const refused = { reason: 'refused', error: new StatusError(status) } as const;
    const line = 'warn: cannot watch configmaps/v1 for @Owns(ConfigMap): storage is (re)initializing; retrying';

    it('logs it once after 10 s, and repeats it after the usual delays', async () => {
      const { informer, logger, clock, instance } = source();
      informer.tell(refused);
      expect(instance.state.problem).toContain('storage is (re)initializing');
      await clock.advance(9999);
      informer.tell({ ...refused });
      expect(logger.lines).toEqual([]);
      await clock.advance(1);
      expect(logger.lines).toEqual([line]);
      await clock.advance(60_000);
      expect(logger.lines).toEqual([line, line]);
      informer.tell(undefined);
      expect(logger.lines.slice(2)).toEqual(['info: watching again']);
    });

    it('logs nothing if it is over before', async () => {
      const { informer, logger, clock } = source();
      informer.tell(refused);
      await clock.advance(9000);
      informer.tell(undefined);
      await clock.advance(60_000);
      expect(logger.lines).toEqual([]);
      expect(clock.pending).toBe(0);
    });

    it('logs it for a watch that is repeatedly accepted for a moment', async () => {
      const { informer, logger, clock } = source();
      for (let at = 0; at < 11; at++) {
        informer.tell(undefined);
        informer.tell(refused);
        await clock.advance(1000);
      }
      expect(logger.lines[0]).toBe(line);
    });

    it('restarts the 10 s if the watch was open in between', async () => {
      const { informer, logger, clock } = source();
      informer.tell(refused);
      await clock.advance(1000);
      informer.tell(undefined);
      await clock.advance(8000);
      informer.tell(refused);
      await clock.advance(9999);
      expect(logger.lines).toEqual([]);
      await clock.advance(1);
      expect(logger.lines).toEqual([line]);
    });

    it('logs that a kind is watched again if it was missing before and initializing in between', async () => {
      const { informer, logger, clock, instance } = source();
      informer.tell({ reason: 'missing', error: new Error('the server could not find it') });
      informer.tell(refused);
      await clock.advance(2000);
      informer.tell(undefined);
      expect(logger.lines).toEqual([expect.stringContaining('does not serve it'), 'info: watching again']);
      informer.tell(refused);
      instance.stop();
      expect(clock.pending).toBe(0);
    });
  });

  it('logs once for all sources of a manager that the server is unreachable, and again for the next outage', () => {
    const outage = new Outage();
    const away = { reason: 'unreachable', error: new Error('connect ECONNREFUSED') } as const;
    const [first, second] = [source({ outage }), source({ outage })];
    for (const { informer } of [first, second]) informer.tell(away);
    expect([first.logger.lines.length, second.logger.lines.length]).toEqual([1, 0]);
    expect(second.instance.state.problem).toContain('no response from the API server');
    for (const { informer } of [first, second]) informer.tell(undefined);
    expect([first.logger.lines.at(-1), second.logger.lines]).toEqual(['info: watching again', []]);
    second.informer.tell(away);
    expect(second.logger.lines).toHaveLength(1);
  });

  it('does not log that the server is unreachable before its first response, which is reported elsewhere', () => {
    const away = { reason: 'unreachable', error: new Error('connect ECONNREFUSED') } as const;
    const { informer, logger } = source({ outage: new Outage(true) });
    informer.tell(away);
    expect(logger.lines).toEqual([]);
    informer.tell(undefined);
    informer.tell(away);
    expect(logger.lines).toHaveLength(1);
  });

  it('enqueues nothing after its stop', () => {
    const { informer, instance } = source();
    instance.stop();
    expect(informer.handler).toBeUndefined();
  });
});
