import type { Client } from '@evenkeel/client';
import { ConfigMap } from '@evenkeel/kinds';
import { differencesOf, type EndState, readEndState } from './end-state.ts';

async function stateWith(status: object): Promise<EndState> {
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', uid: 'u' }, status };
  const client = { list: async () => ({ items: [object] }) } as unknown as Client;
  return readEndState(client, 'default', [ConfigMap], () => {});
}

describe('the end state of a round', () => {
  const ready = { type: 'Ready', status: 'True' };
  const degraded = { type: 'Degraded', status: 'False' };

  it('ignores the order of conditions, and nothing else of them', async () => {
    const state = await stateWith({ conditions: [ready, degraded] });
    expect(differencesOf(await stateWith({ conditions: [degraded, ready] }), state)).toEqual([]);
    expect(differencesOf(await stateWith({ conditions: [degraded, { ...ready, status: 'False' }] }), state)).toEqual([
      'ConfigMap a: status.conditions[1].status is "False" and should be "True"',
    ]);
  });

  it('compares the order of other lists, and of conditions without types', async () => {
    const state = await stateWith({ steps: ['a', 'b'], conditions: ['x', 'y'] });
    expect(differencesOf(await stateWith({ steps: ['b', 'a'], conditions: ['y', 'x'] }), state)).toHaveLength(4);
  });
});
