import { type ApiResource, type LogKeys, ManualClock, SilentLogger } from '@evenkeel/core';
import type { Informer } from '../cache/index.ts';
import { FieldsSource } from './fields-source.ts';
import { Gate } from './gate.ts';

const websites: ApiResource = {
  group: 'example.com',
  version: 'v1',
  kind: 'Website',
  plural: 'websites',
  namespaced: true,
};

class Lines extends SilentLogger {
  readonly lines: string[] = [];

  override info(message?: string, keys?: LogKeys): void {
    this.lines.push(`info: ${message} ${keys?.['resource']}`);
  }

  override warn(message?: string): void {
    this.lines.push(`warn: ${message}`);
  }
}

function source(missing: readonly string[] | undefined | Promise<never>) {
  const clock = new ManualClock();
  const logger = new Lines();
  const gate = new Gate();
  const served = { missing, looks: 0 };
  let opened: (() => void) | undefined;
  const instance = new FieldsSource({
    informer: {
      resource: websites,
      onOpened: (listener: () => void) => {
        opened = listener;
        return () => {
          opened = undefined;
        };
      },
    } as unknown as Informer,
    lookup: {
      missing: async () => {
        served.looks++;
        return served.missing;
      },
    },
    declaration: '@Controller(Website)',
    definitionFile: undefined,
    clock,
    logger,
  });
  instance.start(() => {}, gate);
  const open = async (): Promise<void> => {
    opened?.();
    await clock.advance(0);
  };
  return { clock, logger, gate, served, instance, open };
}

describe('FieldsSource', () => {
  it('keeps workers from keys until the first answer, and lets them go where nothing is missing', async () => {
    const { gate, served, instance, open, logger } = source([]);
    expect({ isOpen: gate.isOpen, looks: served.looks }).toEqual({ isOpen: false, looks: 1 });
    await open();
    expect({ isOpen: gate.isOpen, looks: served.looks }).toEqual({ isOpen: true, looks: 2 });
    expect(instance.state).toMatchObject({ problem: undefined, degraded: false });
    expect(logger.lines).toEqual([]);
  });

  it('waits 5 s for an answer and no longer', async () => {
    const { gate, clock, open } = source(new Promise<never>(() => {}));
    await open();
    await clock.advance(4900);
    expect(gate.isOpen).toBe(false);
    await clock.advance(100);
    expect(gate.isOpen).toBe(true);
  });

  it('looks at its start, twice after a watch was opened, and not again without one', async () => {
    const { clock, served, open } = source(undefined);
    await open();
    await clock.advance(5000);
    expect(served.looks).toBe(3);
    await clock.advance(3_600_000);
    expect(served.looks).toBe(3);
    await open();
    expect(served.looks).toBe(4);
    expect(clock.pending).toBe(1);
  });

  it('looks every 2 s while fields are missing, names five of them, and reminds after a minute', async () => {
    const { clock, gate, served, instance, open, logger } = source(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
    await open();
    const problem =
      'needs fields of websites.example.com/v1 for @Controller(Website) that the API server does not serve: a, b, c, d, e and 2 more; apply the CRD that belongs to this version of the operator, the controller goes on by itself then';
    expect(instance.state).toMatchObject({ problem, degraded: true });
    expect(gate.isOpen).toBe(false);
    await clock.advance(59_000);
    expect({ looks: served.looks, lines: logger.lines }).toEqual({ looks: 31, lines: [`warn: ${problem}`] });
    await clock.advance(1000);
    expect(logger.lines).toHaveLength(2);
    served.missing = [];
    await clock.advance(2000);
    expect(gate.isOpen).toBe(true);
    expect(instance.state).toMatchObject({ problem: undefined, degraded: false });
    expect(logger.lines.at(-1)).toBe('info: all fields are served websites.example.com/v1');
    await clock.advance(3_600_000);
    expect(logger.lines).toHaveLength(3);
  });

  it('keeps to what the server told last while it does not tell', async () => {
    const { clock, gate, served, instance, open } = source(['a']);
    await open();
    served.missing = undefined;
    await clock.advance(4000);
    expect({ isOpen: gate.isOpen, degraded: instance.state.degraded }).toEqual({ isOpen: false, degraded: true });
    served.missing = [];
    await clock.advance(2000);
    expect(gate.isOpen).toBe(true);
  });

  it('leaves nothing running after its stop', async () => {
    const { clock, served, instance, open } = source(['a']);
    await open();
    instance.stop();
    await open();
    await clock.advance(3_600_000);
    expect({ looks: served.looks, pending: clock.pending }).toEqual({ looks: 2, pending: 0 });
  });
});
