import { Controller, EvenkeelError, type LogKeys, Reconcile, SilentLogger, type Transport } from '@evenkeel/core';
import { ConfigMap } from '@evenkeel/kinds';
import type { ManagerRunOptions } from '../options/manager-run-options.ts';
import { defineOperator, type OperatorDeclaration } from '../options/operator.ts';
import { FakeProcess } from '../process/fake-process.fixture.ts';
import { createManager, Manager } from './manager.ts';

// What a run may change of an operator's declaration, from which its roles are derived.

@Controller(ConfigMap, { name: 'maps', wholeCluster: true })
class MapController {
  @Reconcile() reconcile(): void {}
}

const refused = new EvenkeelError('cluster-unreachable', 'cannot reach https://10.0.0.1: ECONNREFUSED');
const away: Transport = { request: () => Promise.reject(refused), close: async () => {} };

class Errors extends SilentLogger {
  readonly errors: { readonly code: string; readonly message: string }[] = [];
  readonly infos: (string | undefined)[] = [];
  override error(message = '', { code }: LogKeys = {}): void {
    this.errors.push({ code: String(code), message });
  }
  override info(message?: string): void {
    this.infos.push(message);
  }
}

/** Runs an operator until it has started or failed; returns the error that it logged. */
async function runOnce(
  declaration: Partial<OperatorDeclaration>,
  flags: readonly string[],
  options: ManagerRunOptions = {},
): Promise<{ code: string; message: string } | undefined> {
  const process = new FakeProcess();
  const logger = new Errors();
  const operator = defineOperator({ name: 'sites', controllers: [MapController], ...declaration });
  const ended = Manager.run(operator, {
    ...{ process, logger, arguments: flags, environment: {}, transport: away },
    ...options,
  });
  while (!logger.infos.includes('manager started') && process.exits.length === 0) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (process.exits.length === 0) process.send('SIGTERM');
  await ended;
  if (process.exits[0] === 0) return undefined;
  expect(process.exits).toEqual([2]);
  expect(logger.errors).toHaveLength(1);
  return logger.errors[0];
}

const undeclared = (message: string) => ({ code: 'setting-not-declared', message: expect.stringContaining(message) });

describe('Manager.run() of a declared operator', () => {
  it('rejects leader election that is not declared, by any of its settings', async () => {
    const noElection = 'is set, but sites declares no leaderElection, so its roles do not allow it to use a Lease';
    expect(await runOnce({}, ['--leader-election-enabled'])).toEqual(
      undeclared(`leaderElection.enabled ${noElection}`),
    );
    expect(await runOnce({}, ['--leader-election-namespace=a'])).toEqual(
      undeclared(`leaderElection.namespace ${noElection}`),
    );
    expect(await runOnce({}, ['--leader-election-enabled=false'])).toBeUndefined();
  });

  it('rejects another namespace for the Lease than the declared one, and accepts any if none is declared', async () => {
    const flags = ['--leader-election-namespace=a'];
    expect(await runOnce({ leaderElection: { namespace: 'b' } }, flags)).toEqual(
      undeclared('leaderElection.namespace is "a", but sites declares "b", where its role is'),
    );
    expect(await runOnce({ leaderElection: { namespace: 'a' } }, flags)).toBeUndefined();
    expect(await runOnce({ leaderElection: true }, flags)).toBeUndefined();
  });

  it('cannot change the name of the Lease', async () => {
    expect(await runOnce({ leaderElection: true }, ['--leader-election-name=x'])).toMatchObject({
      code: 'unknown-option',
    });
  });

  it('can disable a declared leader election', async () => {
    // Without a namespace, the election would fail.
    expect(await runOnce({ leaderElection: true }, ['--leader-election-enabled=false'])).toBeUndefined();
    expect(await runOnce({ leaderElection: true }, [])).toMatchObject({ code: 'invalid-option' });
  });

  it('selects some of the declared namespaces, and no others', async () => {
    const declaration = { namespaces: ['blue', 'green'] };
    expect(await runOnce(declaration, ['--namespaces=green'])).toBeUndefined();
    expect(await runOnce({}, ['--namespaces=red'])).toBeUndefined();
    const problem = 'namespaces contains red, but sites declares only blue, green, so it has no Role there; change';
    expect(await runOnce(declaration, ['--namespaces=green,red'])).toEqual(undeclared(problem));
    expect(await runOnce(declaration, [], { namespaces: ['red'] })).toEqual(undeclared(problem));
  });

  it('authenticates clients of its metrics only if that is declared', async () => {
    const problem = 'metrics.address is ":0", where the API server authenticates clients, but sites does not declare';
    expect(await runOnce({}, ['--metrics-address=:0'])).toEqual(undeclared(problem));
    expect(await runOnce({}, [], { metrics: { address: ':0' } })).toEqual(undeclared(problem));
    expect(await runOnce({}, ['--metrics-address=0'])).toBeUndefined();
    expect(await runOnce({}, ['--metrics-address=127.0.0.1:0'])).toBeUndefined();
    expect(await runOnce({}, ['--metrics-address=127.0.0.1:0', '--metrics-secure'])).toMatchObject({
      code: 'setting-not-declared',
    });
    expect(await runOnce({}, ['--metrics-address=127.0.0.1:0', '--metrics-secure=false'])).toBeUndefined();
    expect(await runOnce({ metricsAuthentication: true }, ['--metrics-address=127.0.0.1:0'])).toBeUndefined();
  });

  it('reports all such settings, with the line of the declaration', async () => {
    const { message = '' } =
      (await runOnce({ namespaces: ['a'] }, ['--namespaces=b', '--leader-election-enabled', '--metrics-address=:0'])) ??
      {};
    const lines = message.split('\n');
    expect(lines).toHaveLength(3);
    for (const line of lines) {
      expect(line).toMatch(
        /; change defineOperator\(\) \(\S+run-declared\.test\.ts:\d+\), run "evenkeel generate" and apply config\/rbac, or remove the setting$/,
      );
    }
  });

  it('rejects an option of the declaration among those of the run', async () => {
    expect(await runOnce({}, [], { services: [] } as ManagerRunOptions)).toEqual({
      code: 'unknown-option',
      message:
        'Manager.run(): unknown option "services"; move it to defineOperator(), which "evenkeel generate" reads too',
    });
  });
});

describe('createManager()', () => {
  it('accepts a declaration that is spread into its options', async () => {
    const operator = defineOperator({ name: 'sites', controllers: [MapController], metricsAuthentication: true });
    const manager = await createManager({ ...operator, transport: away });
    expect(manager.health.controllers.map(({ name }) => name)).toEqual(['maps']);
    await manager.stop();
  });
});
