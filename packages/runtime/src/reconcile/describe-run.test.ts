import { ObjectKey } from '@evenkeel/core';
import { describeRun, duration, runLogKeys } from './describe-run.ts';
import type { ReconcileRun } from './reconcile-run.ts';
import { Trigger } from './trigger.ts';

const nginx = { group: 'web.example.com', version: 'v1', kind: 'Nginx', plural: 'nginxes', namespaced: true };
const deployment = { group: 'apps', version: 'v1', kind: 'Deployment', plural: 'deployments', namespaced: true };
const key = new ObjectKey('web', 'default');

const updated = (changed: object): Trigger =>
  new Trigger('updated', 'Deployment', key, { before: { status: {} }, after: { status: changed } });

function run(fields: Partial<ReconcileRun>): ReconcileRun {
  return {
    controller: 'nginx',
    kind: 'Nginx',
    key,
    triggers: [],
    writes: [],
    durationMs: 3.6,
    outcome: 'await-change',
    ...fields,
  };
}

const write = (fields: Partial<ReconcileRun['writes'][number]>): ReconcileRun['writes'][number] => ({
  verb: 'apply',
  resource: deployment,
  key,
  effect: 'created',
  changed: [],
  ...fields,
});

describe('describeRun', () => {
  it('describes the triggers and the changes', () => {
    const described = describeRun(
      run({
        triggers: [new Trigger('added', 'Nginx', key)],
        writes: [
          write({}),
          write({ effect: 'unchanged' }),
          write({
            verb: 'patch',
            resource: nginx,
            subresource: 'status',
            effect: 'changed',
            changed: ['status.address'],
          }),
        ],
      }),
    );
    expect(described.text).toBe('Nginx added -> created Deployment web, wrote status (address)');
    expect(described.aside).toBe('4 ms');
  });

  it('adds the line that threw to the message, unless the message names it', () => {
    const textOf = (message: string): string =>
      describeRun(run({ outcome: 'failed', error: new Error(message) }), 'src/site.ts:4').text;
    expect(textOf('no site')).toBe('failed: no site (src/site.ts:4)');
    const named = 'requeueAfter() in a reconcile of the controller "site" (/app/src/site.ts:4): 60 has no unit';
    expect(textOf(named)).toBe(`failed: ${named}`);
    expect(textOf('no site (src/site.ts:44)')).toBe('failed: no site (src/site.ts:44) (src/site.ts:4)');
  });

  it('names an object with several events once, and counts what it does not name', () => {
    const triggers = [updated({ replicas: 1 }), updated({ ready: 1, updated: 1 }), updated({ a: 1, b: 1 })];
    expect(describeRun(run({ triggers })).text).toBe(
      'Deployment web updated (status.replicas, status.ready, status.updated, 2 more) -> nothing to do',
    );
  });

  it('names one or two objects of a kind, and counts more', () => {
    const pods = (count: number) =>
      Array.from({ length: count }, (_, i) => {
        const change = { before: { status: { phase: 'Pending' } }, after: { status: { phase: 'Running' } } };
        return new Trigger(i === 0 ? 'added' : 'updated', 'Pod', new ObjectKey(`web-${i}`, 'default'), change);
      });
    const ofItself = new Trigger('updated', 'Nginx', key);
    const why = (...triggers: Trigger[]) => describeRun(run({ triggers })).text.split(' -> ')[0];
    expect(why(...pods(2))).toBe('Pod web-0 and web-1 added and updated (status.phase)');
    expect(why(...pods(12), ofItself)).toBe('Pod web-0 and 11 more added and updated (status.phase), Nginx updated');
    // The run's own object is not one of the others of its kind.
    expect(why(ofItself, new Trigger('added', 'Nginx', new ObjectKey('other', 'default')))).toBe(
      'Nginx updated, Nginx other added',
    );
    const kinds = ['A', 'B', 'C', 'D'].map((kind) => new Trigger('added', kind, key));
    expect(why(...kinds, new Trigger('deleted', 'D', key))).toBe('A web added, B web added, C web added and 1 more');
    const created = ['a', 'b', 'c'].map((name) => write({ key: new ObjectKey(name, 'default') }));
    expect(describeRun(run({ writes: [...created, write({ effect: 'deleted' })] })).result).toBe(
      'created Deployment a and 2 more, deleted Deployment web',
    );
  });

  it('shows the cause of an error that does not say it', () => {
    const error = new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') });
    expect(describeRun(run({ outcome: 'failed', error })).result).toBe('failed: fetch failed: connect ECONNREFUSED');
  });

  it('describes a change with two requests once', () => {
    const change = write({ effect: 'changed', changed: ['spec.ports'] });
    expect(describeRun(run({ writes: [change, change] })).text).toBe('changed Deployment web (spec.ports)');
    // Nothing is known about what the second one changed.
    const unseen = write({ effect: 'changed' });
    expect(describeRun(run({ writes: [change, unseen, write({}), unseen] })).text).toBe(
      'changed Deployment web (spec.ports), created Deployment web',
    );
  });

  it('names the namespace of an object in another namespace', () => {
    const triggers = [new Trigger('deleted', 'ConfigMap', new ObjectKey('page', 'other'))];
    expect(describeRun(run({ triggers })).text).toContain('ConfigMap other/page deleted');
  });

  it('reports an invalid object', () => {
    expect(describeRun(run({ outcome: 'invalid' })).text).toMatch(/it is invalid and waits for a change$/);
  });

  it('shows a failure and the time of the retry', () => {
    const described = describeRun(
      run({
        triggers: [new Trigger('retried', 'Nginx', key)],
        ...{ outcome: 'failed', error: new Error('no page'), againAfterMs: 5000 },
      }),
    );
    expect(described).toEqual({
      text: 'Nginx retried -> failed: no page',
      result: 'failed: no page',
      aside: '4 ms, again in 5.0 s',
      isFailed: true,
    });
  });
});

describe('runLogKeys', () => {
  it('has the triggers, the writes with an effect, the outcome and the times', () => {
    const described = runLogKeys(
      run({
        triggers: [updated({ replicas: 1 }), new Trigger('deleted', 'Node', new ObjectKey('n1'))],
        writes: [
          write({ effect: 'unchanged' }),
          write({ resource: nginx, subresource: 'status', effect: 'changed', changed: ['status.address'] }),
        ],
        againAfterMs: 5000,
      }),
    );
    expect(described).toEqual({
      triggers: [
        { verb: 'updated', kind: 'Deployment', namespace: 'default', name: 'web', changed: ['status.replicas'] },
        { verb: 'deleted', kind: 'Node', name: 'n1' },
      ],
      writes: [
        {
          ...{ effect: 'changed', kind: 'Nginx', namespace: 'default', name: 'web' },
          ...{ subresource: 'status', changed: ['status.address'] },
        },
      ],
      outcome: 'await-change',
      durationMs: 3.6,
      againAfterMs: 5000,
    });
  });

  it('counts the writes beyond 50', () => {
    const { writes, unlistedWrites } = runLogKeys(run({ writes: Array.from({ length: 53 }, () => write({})) }));
    expect([(writes as unknown[]).length, unlistedWrites]).toEqual([50, 3]);
  });
});

describe('duration', () => {
  it.each([
    [0.2, '1 ms'],
    [999, '999 ms'],
    [1500, '1.5 s'],
    [600_000, '10 min'],
  ])('%d ms is %s', (ms, text) => expect(duration(ms)).toBe(text));
});
