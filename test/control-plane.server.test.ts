import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { apiServerFlags, envtest, etcdFlags } from './control-plane.fixture.ts';
import { describeWithRealServer } from './real-server.fixture.ts';

/** Returns flags by name, with their values if these are the same in each run. */
function flagsOf(command: string): Record<string, string> {
  const flags = [...command.matchAll(/--([a-z-]+)(?:[= ](?!--)("[^"]*"|\S+))?/g)];
  return Object.fromEntries(
    flags.map(([, name = '', value = '']) => [name, /[$/]|\b\d{4,}\b/.test(value) ? '' : value.replaceAll('"', '')]),
  );
}

describeWithRealServer('the control plane that tests start', () => {
  it('has the flags of the one that the command up starts', () => {
    const up = readFileSync(join(envtest, 'up'), 'utf8').replace(/\\\n/g, ' ').split('\n');
    const shown = (program: string): string => up.find((line) => line.startsWith(`start ${program} `)) ?? '';
    expect(flagsOf(etcdFlags('/folder', 2379, 2380).join(' '))).toEqual(flagsOf(shown('etcd')));
    const extra = / \$\{EXTRA_APISERVER_FLAGS:-\}/;
    expect(flagsOf(apiServerFlags('/folder', 6443, 2379).join(' '))).toEqual(
      flagsOf(shown('apiserver').replace(extra, '')),
    );
  });
});
