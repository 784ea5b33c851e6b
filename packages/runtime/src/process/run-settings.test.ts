import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../../../test/imports.fixture.ts';
import { readSettings, runSettings, settingsHelp } from './run-settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'evenkeel-settings-'));
let files = 0;

afterAll(() => rmSync(folder, { recursive: true }));

function fileOf(content: unknown): string {
  const file = join(folder, `${files++}.json`);
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

function read(given: string[], environment: Record<string, string> = {}, options: object = {}) {
  return Object.fromEntries(readSettings({ options, arguments: given, environment }).values);
}

function mistake(given: string[], environment: Record<string, string> = {}): { code: string; message: string } {
  try {
    read(given, environment);
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    return { code, message: message.replaceAll(folder, '.') };
  }
  throw new Error('no mistake was found');
}

describe('readSettings()', () => {
  it('prefers flags to variables, variables to the file, and the file to the program', () => {
    const options = { gracePeriod: '1s', logLevel: 'debug', namespaces: ['a'], health: { address: ':1' } };
    const file = fileOf({ gracePeriod: '2s', logLevel: 'warn', namespaces: ['b', 'c'] });
    const environment = { EVENKEEL_GRACE_PERIOD: '3s', EVENKEEL_LOG_LEVEL: 'error' };
    expect(read([], {}, options)).toEqual({
      gracePeriod: '1s',
      logLevel: 'debug',
      namespaces: ['a'],
      'health.address': ':1',
    });
    expect(read(['--grace-period', '4s', `--config=${file}`], environment, options)).toEqual({
      gracePeriod: '4s',
      logLevel: 'error',
      namespaces: ['b', 'c'],
      'health.address': ':1',
    });
  });

  it('reads the settings of the election from objects, variables and flags', () => {
    const file = fileOf({
      leaderElection: { enabled: true, leaseDuration: '30s', releaseOnStop: false },
    });
    const environment = { EVENKEEL_CONFIG: file, EVENKEEL_LEADER_ELECTION_RENEW_DEADLINE: '20s' };
    expect(read(['--leader-election-enabled=false', '--leader-election-retry-period', '3s'], environment)).toEqual({
      'leaderElection.enabled': false,
      'leaderElection.leaseDuration': '30s',
      'leaderElection.releaseOnStop': false,
      'leaderElection.renewDeadline': '20s',
      'leaderElection.retryPeriod': '3s',
    });
    expect(read(['--leader-election-enabled'])).toEqual({ 'leaderElection.enabled': true });
  });

  it('rejects a duration without a unit from any source, and accepts 0', () => {
    const message = (where: string) => `${where}: "30" has no unit; write 30s for seconds, or 30ms for milliseconds`;
    expect(mistake(['--grace-period', '30'])).toEqual({
      code: 'invalid-duration',
      message: message('--grace-period'),
    });
    expect(mistake([], { EVENKEEL_GRACE_PERIOD: '30' }).message).toBe(message('EVENKEEL_GRACE_PERIOD'));
    for (const gracePeriod of [30, '30']) {
      const file = fileOf({ gracePeriod });
      expect(mistake([`--config=${file}`]).message).toBe(message(`${file.replace(folder, '.')}: gracePeriod`));
    }
    expect(read(['--grace-period', '0'])).toEqual({ gracePeriod: '0' });
    expect(read(['--config', fileOf({ gracePeriod: 0 })])).toEqual({ gracePeriod: '0' });
    expect(read(['--grace-period', '1.5s'])).toEqual({ gracePeriod: '1.5s' });
  });

  it('ignores an empty variable, and accepts a list with spaces', () => {
    expect(read(['--namespaces', 'a, b'], { EVENKEEL_LOG_LEVEL: '' })).toEqual({ namespaces: ['a', 'b'] });
  });

  it.each([
    [['--grace-periode', '3s'], 'unknown-option', 'unknown flag "--grace-periode"; did you mean "--grace-period"?'],
    [['--frobnicate'], 'unknown-option', 'unknown flag "--frobnicate"; --help lists all flags'],
    [['start'], 'unknown-option', 'unknown flag "start"; --help lists all flags'],
    [['--grace-period'], 'invalid-option', '--grace-period has no value; add one after it'],
    [
      ['--metrics-secure', 'false'],
      'invalid-option',
      '--metrics-secure takes its value after an equals sign; write --metrics-secure=false',
    ],
    [['--help', 'false'], 'unknown-option', 'unknown flag "false"; --help lists all flags'],
    [['--log-level=info', '--log-level', 'warn'], 'invalid-option', '--log-level is set twice; remove one of them'],
    [
      ['--log-level', 'inof'],
      'invalid-option',
      '--log-level: "inof" is not one of debug, info, warn, error, silent; did you mean "info"?',
    ],
    [['--leader-election-enabled=yes'], 'invalid-option', '--leader-election-enabled: "yes" is neither true nor false'],
    [['--namespaces', 'a,,b'], 'invalid-option', '--namespaces: "a,,b" contains an empty name'],
    [
      ['--grace-period', 'soon'],
      'invalid-duration',
      '--grace-period: "soon" is not a duration; write a number and its unit, such as 250ms, 30s, 5m or 1h30m',
    ],
  ])('rejects %j', (given, code, message) => {
    expect(mistake(given)).toEqual({ code, message });
  });

  it('names the variable, or the file and the option in it, of an invalid value', () => {
    expect(mistake([], { EVENKEEL_LOG_LEVEL: 'loud' }).message).toMatch(/^EVENKEEL_LOG_LEVEL: "loud" is not one of/);
    const inFile = (content: unknown) => mistake([], { EVENKEEL_CONFIG: fileOf(content) });
    expect(inFile({ leaderElection: { leaseDurration: '3s' } })).toEqual({
      code: 'unknown-option',
      message: expect.stringMatching(
        /^\.\/\d+\.json: unknown option "leaderElection.leaseDurration"; did you mean "leaderElection.leaseDuration"\?$/,
      ),
    });
    expect(inFile({ leaderElection: { enabled: 'perhaps' } }).message).toMatch(/leaderElection.enabled: "perhaps" is/);
    expect(inFile({ leaderElection: [] }).message).toMatch(/leaderElection must be an object$/);
    expect(inFile({ gracePeriod: null }).message).toMatch(/gracePeriod: null is not a string, number, boolean or list/);
    expect(inFile([]).message).toMatch(/: the content must be an object$/);
    expect(inFile('{').code).toBe('invalid-config');
  });

  it('reports a missing file with the source of its path and the fix', () => {
    const code = 'invalid-config';
    const problem = 'the file ./absent.json does not exist; pass the path of a JSON file, or remove the setting';
    const file = join(folder, 'absent.json');
    expect(mistake(['--config', file])).toEqual({ code, message: `--config: ${problem}` });
    expect(mistake([], { EVENKEEL_CONFIG: file })).toEqual({ code, message: `EVENKEEL_CONFIG: ${problem}` });
    expect(mistake(['--config', folder]).message).toMatch(
      /^--config: the file \. cannot be read \(EISDIR: .*\); pass the path/,
    );
  });

  it('does not accept inherited properties as options', () => {
    expect(mistake([], { EVENKEEL_CONFIG: fileOf('{"__proto__": {}}') }).code).toBe('unknown-option');
    expect(mistake(['--constructor', 'x']).code).toBe('unknown-option');
  });

  it('warns about a variable that looks like a typo, but not about others', () => {
    const environment = { EVENKEEL_GRACE_PERIODE: '3s', EVENKEEL_REQUIRE_REAL_SERVER: '1', EVENKEEL_KUBECONFIG: 'x' };
    expect(readSettings({ options: {}, arguments: [], environment }).warnings).toEqual([
      'unknown environment variable EVENKEEL_GRACE_PERIODE; did you mean "EVENKEEL_GRACE_PERIOD"?',
    ]);
  });
});

describe('settingsHelp()', () => {
  it('lists every flag with its variable, its meaning and its default', () => {
    const help = settingsHelp();
    expect(help).toContain(`  --grace-period 30s, EVENKEEL_GRACE_PERIOD
      How long current reconciles may continue after a stop. Default: 30s
`);
    expect(help).toContain('  --leader-election-release-on-stop[=false], EVENKEEL_LEADER_ELECTION_RELEASE_ON_STOP\n');
    for (const { meaning } of runSettings) expect(help).toContain(meaning);
    expect(help).toContain('A duration is a number and its unit, such as 250ms, 30s, 5m or 1h30m.\n');
    expect(Math.max(...help.split('\n').map((line) => line.length))).toBeLessThan(125);
  });

  it('lists the same settings as docs/running.md', () => {
    const rows = readFileSync(join(root, 'docs/running.md'), 'utf8').matchAll(
      /^\| `([\w.]+)`[^|]*\| `(--\S+)[^|]*\| `(\w+)` \|/gm,
    );
    const documented = [...rows].map(([, name, flag, variable]) => [name, flag?.replace('`', ''), variable]);
    expect(documented.map(([name]) => name)).toEqual(runSettings.map(({ name }) => name));
    for (const [, flag, variable] of documented)
      expect(settingsHelp()).toMatch(new RegExp(`^  ${flag}\\S*.*, ${variable}$`, 'm'));
  });
});
