import { yamlBodies } from './yaml-bodies.fixture.ts';
import { readYaml, YamlTextError } from './yaml-text.ts';

describe('readYaml()', () => {
  it.each(yamlBodies)('reads or rejects %s quickly', async (_, body) => {
    const start = process.cpuUsage();
    await readYaml(body).catch((error: unknown) => expect(error).toBeInstanceOf(YamlTextError));
    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 1e6).toBeLessThan(5);
  });

  it('lets other work run while it reads a long text', async () => {
    let turns = 0;
    let isReading = true;
    const count = (): void => {
      turns++;
      if (isReading) setImmediate(count);
    };
    setImmediate(count);
    await readYaml(`a:\n${'- b\n'.repeat(200_000)}`);
    isReading = false;
    expect(turns).toBeGreaterThan(5);
  });

  it('reports repeated keys with their lines', async () => {
    const { duplicates } = await readYaml('# one\n\n  # three\na: b\nc: {d: 1, d: 2}\na: e\n1: f\n1: g\n');
    expect(duplicates).toEqual([
      'line 5: key "d" already set in map',
      'line 6: key "a" already set in map',
      'line 8: key 1 already set in map',
    ]);
  });

  it.each([
    ['a list in brackets', `a: [${'1,'.repeat(300_000)}]`],
    ['a list', `a:\n${'- b\n'.repeat(150_000)}`],
    ['keys', Array.from({ length: 50_000 }, (_, index) => `k${index}: v\n`).join('')],
  ])('reads %s of a megabyte in little time and memory', async (_, text) => {
    const [cpu, heap] = [process.cpuUsage(), process.memoryUsage().heapUsed];
    await readYaml(text);
    const { user, system } = process.cpuUsage(cpu);
    expect((user + system) / 1e6).toBeLessThan(3);
    expect((process.memoryUsage().heapUsed - heap) / 1e6).toBeLessThan(250);
  });

  it.each([
    ['a: |\n  x\n#\n', { a: 'x\n' }],
    ['a: b # c', { a: 'b' }],
    ['a: "#"\n#', { a: '#' }],
    ['', null],
    ['# only\n', null],
    ['--- # a\n- b\n', ['b']],
    ['[yes, y, Off, ~, 017, 0x1F, 0b11, 1_000, 0o17]', [true, true, false, null, 15, 31, 3, 1000, 15]],
    ['[1e400, 1:30, 2026-01-02, 08, "yes"]', ['1e400', '1:30', '2026-01-02', 8, 'yes']],
    ['[!!binary aGk=, !!int "5", !!float 1, !!str 5]', ['hi', 5, 1, '5']],
  ])('reads %j', async (text, value) => {
    expect((await readYaml(text)).value).toEqual(value);
  });

  it.each([
    ['a: .nan', 'json: unsupported value: NaN'],
    ['a: -.inf', 'json: unsupported value: -Inf'],
    ['a: !!int x', 'yaml: cannot decode !!str `x` as a !!int'],
    ['a: !!binary "?"', 'yaml: !!binary value contains invalid base64 data'],
  ])('rejects %j', async (text, message) => {
    await expect(readYaml(text)).rejects.toThrow(new YamlTextError(message));
  });
});
