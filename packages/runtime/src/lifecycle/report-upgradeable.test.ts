import { type Condition, ManualClock } from '@evenkeel/core';
import { refusal, type SentRequest, scriptedClient } from '../reconcile/scripted-client.fixture.ts';
import { reportUpgradeable } from './report-upgradeable.ts';

const path = '/apis/operators.coreos.com/v2/namespaces/sites-system/operatorconditions/sites.v1.2.0';
const environment = { OPERATOR_CONDITION_NAME: 'sites.v1.2.0' };
const busy = { isUpgradeable: false, reason: 'RestoreRunning', message: 'restores the Site blog' };
const other: Condition = {
  ...{ type: 'Other', status: 'True', reason: 'Fine', message: '' },
  lastTransitionTime: '2026-01-01T00:00:00Z',
};

/** An OperatorCondition on a server that accepts patches of its current version. */
function conditionsOf(initial: readonly Condition[]) {
  let conditions = initial;
  let version = 1;
  const respond = ({ method, path: requested, body }: SentRequest) => {
    if (requested !== path) return refusal(404, 'NotFound', 'not found');
    if (method === 'PATCH') {
      const patch = body as { metadata: { resourceVersion: string }; spec: { conditions: Condition[] } };
      if (patch.metadata.resourceVersion !== String(version)) return refusal(409, 'Conflict', 'changed meanwhile');
      conditions = patch.spec.conditions;
      version += 1;
    }
    const metadata = { name: 'sites.v1.2.0', namespace: 'sites-system', resourceVersion: String(version) };
    return { status: 200, body: { metadata, spec: { conditions } } };
  };
  const { client, sent } = scriptedClient(respond);
  return { client, sent, current: () => conditions };
}

describe('reportUpgradeable()', () => {
  const clock = new ManualClock();
  const place = { clock, namespace: 'sites-system', environment };

  it('sends nothing if OLM does not run the operator', async () => {
    const { client, sent } = conditionsOf([]);
    expect(await reportUpgradeable(client, busy, { ...place, environment: {} })).toBe('not-managed');
    expect(sent).toEqual([]);
  });

  it('writes the condition only if it changes, keeps other ones, and dates a change of its status', async () => {
    const { client, sent, current } = conditionsOf([other]);
    expect(await reportUpgradeable(client, busy, place)).toBe('reported');
    const since = new Date(clock.now()).toISOString().replace('.000Z', 'Z');
    const { isUpgradeable: _, ...shown } = busy;
    expect(current()).toEqual([other, { type: 'Upgradeable', status: 'False', ...shown, lastTransitionTime: since }]);

    await clock.advance(60_000);
    const writes = () => sent.filter(({ method }) => method !== 'GET').length;
    expect(await reportUpgradeable(client, busy, place)).toBe('unchanged');
    expect(writes()).toBe(1);
    expect(await reportUpgradeable(client, { ...busy, message: 'restores the Site shop' }, place)).toBe('reported');
    expect(current()[1]).toMatchObject({ message: 'restores the Site shop', lastTransitionTime: since });
    const ready = { isUpgradeable: true, reason: 'Idle', message: '' };
    expect(await reportUpgradeable(client, ready, place)).toBe('reported');
    expect(current()[1]).toMatchObject({ status: 'True', reason: 'Idle' });
    expect(current()[1]?.lastTransitionTime).not.toBe(since);
    expect(writes()).toBe(3);
  });

  it('rejects with the error of the API server', async () => {
    const { client } = scriptedClient(() => refusal(403, 'Forbidden', 'no permission'));
    await expect(reportUpgradeable(client, busy, place)).rejects.toMatchObject({ code: 403 });
  });
});
