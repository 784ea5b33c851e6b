import {
  type Condition,
  KubernetesObject,
  ManualClock,
  ObjectKey,
  type ObjectValidator,
  SilentLogger,
} from '@evenkeel/core';
import { type EventNote, EventRecorder } from '../event/event-recorder.ts';
import { ChildApplier } from './apply-child.ts';
import { ChildClaimer } from './claim-children.ts';
import type { ObjectFinalizer } from './finalizers.ts';
import { NamespaceFence } from './namespace-fence.ts';
import { objectReconciler } from './object-reconciler.ts';
import { ChildPruner } from './prune-children.ts';
import type { ReconcileContext } from './reconcile-context.ts';
import { awaitChange, requeueAfter } from './reconcile-result.ts';
import type { ReconcileReport } from './reconciler.ts';
import { type Answer, refusal, type SentRequest, scriptedClient } from './scripted-client.fixture.ts';
import { Trigger } from './trigger.ts';
import { ValidityCheck } from './validity-check.ts';

const websites = { group: 'web.example.com', version: 'v1', kind: 'Website', plural: 'websites', namespaced: true };

class Website extends KubernetesObject {
  declare spec: { size: number; tags: string[] };
  declare status: { ready?: number; address?: string; conditions?: Condition[] };
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.values(value).forEach(deepFreeze);
    Object.freeze(value);
  }
  return value;
}

function cached(overrides: object = {}, metadata: object = {}): Website {
  return deepFreeze({
    apiVersion: 'web.example.com/v1',
    kind: 'Website',
    metadata: { name: 'blog', namespace: 'default', uid: 'u', resourceVersion: '7', generation: 2, ...metadata },
    spec: { size: 1, tags: ['a'] },
    ...overrides,
  }) as Website;
}

class Notes extends EventRecorder {
  readonly notes: string[] = [];

  override record(regarding: KubernetesObject, event: EventNote): void {
    this.notes.push(`${event.type} ${regarding.metadata.name} ${event.reason}: ${event.note}`);
  }
}

async function run(
  reconcile: (object: Website, context: ReconcileContext) => unknown,
  {
    object = cached(),
    answer = (_: SentRequest): Answer => ({ status: 200, body: object }),
    hasStatus = true,
    hasConditions = true as boolean | 'unsaid',
    acrossNamespaces = false,
    validator = undefined as ObjectValidator | undefined,
    finalizers = [] as ObjectFinalizer<Website>[],
    triggers = [] as Trigger[],
    runs = 1,
  } = {},
): Promise<{ report: ReconcileReport | undefined; error: unknown; sent: SentRequest[]; notes: string[] }> {
  const { client, sent } = scriptedClient(answer);
  const recorder = new Notes();
  const reconciler = objectReconciler({
    controller: 'website',
    member: 'WebsiteController.reconcile',
    kind: Website,
    resource: websites,
    hasStatus,
    hasConditions,
    validity: validator && new ValidityCheck({ validator, recorder }),
    get: () => (object as Website | null) ?? undefined,
    reconcile,
    finalizers,
    applier: new ChildApplier({ controller: 'website', ownerKind: Website, owner: websites, children: [], client }),
    pruner: new ChildPruner({ controller: 'website', children: [], client }),
    claimer: new ChildClaimer({ controller: 'website', ownerKind: Website, owner: websites, children: [], client }),
    client,
    acrossNamespaces,
    fence: new NamespaceFence({ current: undefined }, new SilentLogger()),
    recorder,
    clock: new ManualClock(),
  });
  let report: ReconcileReport | undefined;
  let error: unknown;
  try {
    const key = new ObjectKey('blog', 'default');
    for (let index = 0; index < runs; index++) {
      report = await reconciler({
        key,
        triggers,
        signal: new AbortController().signal,
        logger: new SilentLogger(),
      });
    }
  } catch (caught) {
    error = caught;
  }
  return { report, error, sent, notes: recorder.notes };
}

// Requests need a kind, so the class needs @CustomResource.
Object.defineProperty(Website, Symbol.for('evenkeel.apiResource'), { value: websites });

describe('objectReconciler()', () => {
  it('passes an instance of the class whose status always exists and may be changed', async () => {
    const object = cached();
    const { report, sent } = await run(
      (website) => {
        expect(website).toBeInstanceOf(Website);
        expect(website.status).toEqual({});
        expect(website.spec).toBe(object.spec);
      },
      { object },
    );
    expect([report, sent]).toEqual([{ outcome: 'await-change', generation: 2 }, []]);
  });

  it('writes the status once, as a patch of the changes, with the version that was read as a precondition', async () => {
    const { sent } = await run(
      (website, context) => {
        website.status.ready = 1;
        website.status.ready = 2;
        delete website.status.address;
        context.conditions.set('Available', true, 'Ready');
        return awaitChange();
      },
      { object: cached({ status: { ready: 0, address: 'x' } }) },
    );
    expect(sent).toEqual([
      {
        method: 'PATCH',
        path: '/apis/web.example.com/v1/namespaces/default/websites/blog/status?fieldManager=website',
        body: {
          metadata: { resourceVersion: '7', uid: 'u' },
          status: {
            ready: 2,
            address: null,
            conditions: [
              {
                type: 'Available',
                status: 'True',
                reason: 'Ready',
                message: '',
                observedGeneration: 2,
                lastTransitionTime: '2026-01-01T00:00:00Z',
              },
            ],
          },
        },
      },
    ]);
  });

  it('writes nothing if the status has not changed', async () => {
    const { sent } = await run(
      (website) => {
        website.status.ready = 5;
        website.status = { ready: 1 };
      },
      { object: cached({ status: { ready: 1 } }) },
    );
    expect(sent).toEqual([]);
  });

  it('writes the status also if the method throws, and then fails with that error', async () => {
    const boom = new Error('boom');
    const { error, sent } = await run((website) => {
      website.status.ready = 1;
      throw boom;
    });
    expect(error).toBe(boom);
    expect(sent.map(({ body }) => (body as { status: unknown }).status)).toEqual([{ ready: 1 }]);
  });

  it('fails with the error of the method, not with the conflict of the status', async () => {
    const { error } = await run(
      (website) => {
        website.status.ready = 1;
        throw new Error('boom');
      },
      { answer: () => refusal(409, 'Conflict', 'changed') },
    );
    expect(error).toEqual(new Error('boom'));
  });

  it.each([
    [409, 'Conflict', 'conflict'],
    [404, 'NotFound', 'gone'],
  ])('does not fail if the status write gets a %d', async (code, reason, outcome) => {
    const { report, error } = await run(
      (website) => {
        website.status.ready = 1;
      },
      { answer: () => refusal(code, reason, 'no') },
    );
    expect([report, error]).toEqual([{ outcome }, undefined]);
  });

  it('writes no status if the kind has none', async () => {
    const { sent } = await run((website) => Object.assign(website, { status: { ready: 1 } }), { hasStatus: false });
    expect(sent).toEqual([]);
  });

  it.each<[string, object | null, string]>([
    ['gone', null, 'gone'],
    ['being deleted', cached({}, { deletionTimestamp: '2026-01-01T00:00:00Z' }), 'deleting'],
  ])('does not reconcile an object that is %s', async (_, object, outcome) => {
    let calls = 0;
    const { report } = await run(() => calls++, { object: object as Website });
    expect([report, calls]).toEqual([{ outcome }, 0]);
  });

  it('returns the result of the method', async () => {
    expect((await run(() => requeueAfter('30s'))).report).toEqual({
      outcome: 'requeue-after',
      afterMs: 30_000,
      generation: 2,
    });
    expect((await run(async () => awaitChange())).report).toEqual({ outcome: 'await-change', generation: 2 });
  });

  it.each([
    [false, 0, 'outside-of-namespace'],
    [true, 1, undefined],
  ])('restricts context.client unless acrossNamespaces is set: %s', async (acrossNamespaces, requests, code) => {
    const { error, sent } = await run((_, { client }) => client.get(Website, 'other/blog').then(() => undefined), {
      acrossNamespaces,
    });
    expect([(error as { code?: string } | undefined)?.code, sent.length]).toEqual([code, requests]);
  });

  it('rejects an invalid outcome', async () => {
    const { error } = await run(() => ({ requeue: true }));
    expect(String(error)).toContain(
      `WebsiteController.reconcile returned an object with requeue; return awaitChange(), requeueAfter('30s') or nothing`,
    );
  });

  it('names a returned child in the message, without its contents', async () => {
    const secret: Record<string, unknown> = {
      kind: 'Secret',
      metadata: { name: 'db', namespace: 'default' },
      data: { password: 'aHVudGVyMg==' },
    };
    for (const returned of [secret, { ...secret, data: 'x'.repeat(100_000) }, { ...secret, self: secret }]) {
      const { error } = await run(() => returned);
      expect((error as Error).message).toBe(
        `WebsiteController.reconcile returned the Secret default/db; return awaitChange(), requeueAfter('30s') or nothing`,
      );
    }
    secret['self'] = secret;
    const { error } = await run(() => secret);
    expect(error).toMatchObject({ code: 'invalid-reconcile-result' });
  });

  it.each([
    [-5, '-5'],
    [Number.NaN, 'NaN'],
    [Number.POSITIVE_INFINITY, 'Infinity'],
    ['30s', 'a string of 3 characters'],
    [undefined, 'undefined'],
  ])('rejects an outcome with an afterMs of %p', async (afterMs, said) => {
    const { error, report } = await run(() => ({ outcome: 'requeue-after', afterMs }));
    expect(report).toBeUndefined();
    expect(error).toMatchObject({
      code: 'invalid-reconcile-result',
      message: `WebsiteController.reconcile returned "requeue-after" with the invalid afterMs ${said}; return awaitChange(), requeueAfter('30s') or nothing`,
    });
  });

  it.each([0, 5])('accepts an outcome with an afterMs of %p', async (afterMs) => {
    const { report } = await run(() => ({ outcome: 'requeue-after', afterMs }));
    expect(report).toEqual({ outcome: 'requeue-after', afterMs, generation: 2 });
  });

  it.each<[string, (website: Website) => unknown, string]>([
    [
      'a field of the spec',
      (website) => Object.assign(website.spec, { size: 2 }),
      'cannot change spec of Website default/blog ("size")',
    ],
    [
      'the spec itself',
      (website) => Object.assign(website, { spec: {} }),
      'cannot change spec of Website default/blog ("spec")',
    ],
    [
      'a label',
      (website) => Object.assign(website.metadata, { labels: {} }),
      'cannot change metadata of Website default/blog ("labels")',
    ],
    [
      'a list',
      (website) => website.spec.tags.push('b'),
      'cannot change spec or metadata of Website default/blog ("1")',
    ],
  ])('explains the fix if the method changes %s', async (_, change, message) => {
    const { error } = await run((website) => void change(website));
    expect(String(error)).toContain(
      `${message}: it is frozen because it is shared with the cache; change a copy, or use context.apply()`,
    );
  });

  it('does not replace other TypeErrors of the method', async () => {
    const { error } = await run((website) => (website as unknown as { nothing: { here: 1 } }).nothing.here);
    expect(error).toBeInstanceOf(TypeError);
  });

  it('records Events about the object', async () => {
    const { notes } = await run((_, { events }) => {
      events.normal('Created', 'made it');
      events.warning('Odd', 'hm');
    });
    expect(notes).toEqual(['Normal blog Created: made it', 'Warning blog Odd: hm']);
  });

  describe('with finalizers', () => {
    const held = ['example.com/one'];
    const deleting = { deletionTimestamp: '2026-01-01T00:00:00Z' };
    const calling = (finalize: (website: Website) => unknown = () => undefined): ObjectFinalizer<Website>[] => [
      { name: 'example.com/one', member: 'WebsiteController.one', finalize },
    ];

    it('adds them with the version that was read as a precondition, and reconciles the object of the response', async () => {
      const added = { ...cached(), metadata: { ...cached().metadata, resourceVersion: '8', finalizers: held } };
      const { sent } = await run(
        (website) => {
          expect(website.metadata).toMatchObject({ resourceVersion: '8', finalizers: held });
          expect(Object.isFrozen(website.metadata)).toBe(true);
          website.status.ready = 1;
        },
        { finalizers: calling(), answer: () => ({ status: 200, body: added }) },
      );
      expect(sent.map(({ body }) => body)).toEqual([
        { metadata: { uid: 'u', resourceVersion: '7', finalizers: held } },
        { metadata: { uid: 'u', resourceVersion: '8' }, status: { ready: 1 } },
      ]);
    });

    it.each([
      [409, 'Conflict', 'conflict'],
      [404, 'NotFound', 'gone'],
    ])('does not reconcile if a %d shows that the object has changed', async (code, reason, outcome) => {
      let calls = 0;
      const answer = (): Answer => refusal(code, reason, 'no');
      const { report } = await run(() => calls++, { finalizers: calling(), answer });
      expect([report, calls]).toEqual([{ outcome }, 0]);
    });

    it('does not replace a conflict that the method throws', async () => {
      const object = cached({}, { finalizers: held });
      const conflict = async (_: Website, { client }: ReconcileContext) => {
        await client.get(Website, 'default/other');
      };
      const answer = (): Answer => refusal(409, 'Conflict', 'changed');
      const { error } = await run(conflict, { object, finalizers: calling(), answer });
      expect(String(error)).toContain('changed');
    });

    it('adds none to an invalid object', async () => {
      const validator: ObjectValidator = { validate: () => [{ path: '', message: 'no' }] };
      const { report, sent } = await run(() => undefined, { finalizers: calling(), validator, hasConditions: false });
      expect([report, sent]).toEqual([{ outcome: 'invalid' }, []]);
    });

    it('calls one, writes the status, and removes it at its index', async () => {
      const object = cached({}, { ...deleting, finalizers: ['example.org/other', ...held] });
      const finalize = (website: Website): void => {
        website.status.ready = 0;
      };
      const { report, sent } = await run(() => undefined, { object, finalizers: calling(finalize) });
      expect(report).toEqual({ outcome: 'deleting' });
      expect(sent.map(({ path, body }) => [path.split('?')[0]?.split('/').at(-1), body])).toEqual([
        ['status', { metadata: { resourceVersion: '7', uid: 'u' }, status: { ready: 0 } }],
        [
          'blog',
          [
            { op: 'test', path: '/metadata/uid', value: 'u' },
            { op: 'test', path: '/metadata/finalizers/1', value: 'example.com/one' },
            { op: 'remove', path: '/metadata/finalizers/1' },
          ],
        ],
      ]);
    });

    it('keeps one that throws, and writes the status', async () => {
      const object = cached({}, { ...deleting, finalizers: held });
      const finalize = (website: Website): never => {
        website.status.ready = 0;
        throw new Error('boom');
      };
      const { error, sent } = await run(() => undefined, { object, finalizers: calling(finalize) });
      expect(error).toEqual(new Error('boom'));
      expect(sent.map(({ path }) => path.split('?')[0]?.split('/').at(-1))).toEqual(['status']);
    });

    it('removes one that has finished, even if the status write was rejected', async () => {
      const object = cached({}, { ...deleting, finalizers: held });
      const finalize = (website: Website): void => {
        website.status.ready = 0;
      };
      const answer = ({ path }: SentRequest): Answer =>
        path.includes('/status') ? refusal(409, 'Conflict', 'changed') : { status: 200, body: cached() };
      const { report, sent } = await run(() => undefined, { object, finalizers: calling(finalize), answer });
      expect([report, sent.length]).toEqual([{ outcome: 'deleting' }, 2]);
    });

    it('does not call a removed one again while the cache is stale', async () => {
      let calls = 0;
      const object = cached({}, { ...deleting, finalizers: held });
      const finalizers = calling(() => void calls++);
      const { report, sent } = await run(() => undefined, { object, finalizers, runs: 3 });
      expect([report, calls, sent.length]).toEqual([{ outcome: 'deleting' }, 1, 1]);
    });

    it('calls one again if the object was deleted and restored with it', async () => {
      let calls = 0;
      const object = cached({}, { ...deleting, finalizers: held });
      const finalizers = calling(() => void calls++);
      const triggers = [new Trigger('deleted', 'Website', new ObjectKey('blog', 'default'))];
      const { sent } = await run(() => undefined, { object, finalizers, triggers, runs: 2 });
      expect([calls, sent.length]).toEqual([2, 2]);
    });

    it('rejects an invalid outcome, and keeps the finalizer', async () => {
      const object = cached({}, { ...deleting, finalizers: held });
      const { error, sent } = await run(() => undefined, { object, finalizers: calling(() => true) });
      expect(String(error)).toContain('WebsiteController.one returned true; return awaitChange()');
      expect(sent).toEqual([]);
    });
  });

  describe('with a validator', () => {
    const sizes: ObjectValidator = {
      validate: (object) => ((object as Website).spec.size > 5 ? [{ path: 'spec.size', message: 'too large' }] : []),
    };
    const large = { spec: { size: 6, tags: [] } };
    const invalid = {
      type: 'Valid',
      status: 'False',
      reason: 'Invalid',
      message: 'spec.size: too large',
      observedGeneration: 2,
      lastTransitionTime: '2026-01-01T00:00:00Z',
    } as const;

    it('does not call the method for an invalid object, and writes only the condition', async () => {
      let calls = 0;
      const { report, sent, notes } = await run(() => calls++, { object: cached(large), validator: sizes });
      expect([report, calls]).toEqual([{ outcome: 'invalid' }, 0]);
      expect(sent.map(({ body }) => (body as { status: unknown }).status)).toEqual([{ conditions: [invalid] }]);
      expect(notes).toEqual(['Warning blog Invalid: Not reconciled: spec.size: too large']);
    });

    it('sends nothing if the condition is already up to date', async () => {
      const { report, sent, notes } = await run(() => undefined, {
        object: cached({ ...large, status: { conditions: [invalid] } }),
        validator: sizes,
      });
      expect([report, sent, notes]).toEqual([{ outcome: 'invalid' }, [], []]);
    });

    it('reports that the object is valid again in the status write of the run', async () => {
      const { report, sent } = await run(
        (website) => {
          website.status.ready = 1;
        },
        { object: cached({ status: { conditions: [invalid] } }), validator: sizes },
      );
      expect(report).toEqual({ outcome: 'await-change', generation: 2 });
      expect(sent.map(({ body }) => (body as { status: unknown }).status)).toEqual([
        { ready: 1, conditions: [{ ...invalid, status: 'True', reason: 'Passed', message: '' }] },
      ]);
    });

    it.each([
      [{ hasStatus: false }, cached(large)],
      [{ hasConditions: 'unsaid' as const }, cached({ ...large, status: {} })],
      [{ hasConditions: false }, cached({ ...large, status: { conditions: [] } })],
    ])('records only the Event if the kind has the options %j', async (kind, object) => {
      const { report, sent, notes } = await run(() => undefined, { object, validator: sizes, ...kind });
      expect([report, sent, notes.length]).toEqual([{ outcome: 'invalid' }, [], 1]);
    });

    it('writes the condition if the object has conditions, even if the class does not declare them', async () => {
      const object = cached({ ...large, status: { conditions: [] } });
      const { sent } = await run(() => undefined, { object, validator: sizes, hasConditions: 'unsaid' as const });
      expect(sent).toHaveLength(1);
    });

    it('reconciles again if another client changed the object in the meantime', async () => {
      const answer = (): Answer => refusal(409, 'Conflict', 'changed');
      const { report } = await run(() => undefined, { object: cached(large), validator: sizes, answer });
      expect(report).toEqual({ outcome: 'conflict' });
    });

    it('does not validate an object that is being deleted', async () => {
      const object = cached(large, { deletionTimestamp: '2026-01-01T00:00:00Z' });
      const { report, notes } = await run(() => undefined, { object, validator: sizes });
      expect([report, notes]).toEqual([{ outcome: 'deleting' }, []]);
    });

    it('fails the run if the validator throws, and does not call the method', async () => {
      let calls = 0;
      const validate = (): never => {
        throw new Error('boom');
      };
      const { error, sent } = await run(() => calls++, { validator: { validate } });
      expect([String(error), calls, sent]).toEqual([
        expect.stringContaining('cannot validate Website default/blog: the validator threw: boom'),
        0,
        [],
      ]);
    });
  });
});
