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
  const readings: (PromiseWithResolvers<void> & { signal: AbortSignal })[] = [];
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
      readAnew: (signal: AbortSignal) => {
        const reading = { ...Promise.withResolvers<void>(), signal };
        signal.addEventListener('abort', () => reading.reject(signal.reason));
        readings.push(reading);
        return reading.promise;
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
  const finishReading = async (): Promise<void> => {
    readings.at(-1)?.resolve();
    await clock.advance(0);
  };
  return { clock, logger, gate, served, instance, open, readings, finishReading };
}

describe('FieldsSource', () => {
  it('stops workers until the first response, and lets them start if no field is missing', async () => {
    const { gate, served, instance, open, logger, readings } = source([]);
    expect({ isOpen: gate.isOpen, looks: served.looks }).toEqual({ isOpen: false, looks: 1 });
    await open();
    expect({ isOpen: gate.isOpen, looks: served.looks }).toEqual({ isOpen: true, looks: 2 });
    expect(instance.state).toMatchObject({ problem: undefined, degraded: false });
    expect(logger.lines).toEqual([]);
    expect(readings).toEqual([]);
  });

  it('rereads the cache when missing fields are served, and stops workers until that is complete', async () => {
    const { clock, gate, served, instance, open, readings, finishReading } = source(['a']);
    await open();
    expect(readings).toEqual([]);
    served.missing = [];
    await clock.advance(2000);
    // Rereading opens a watch, which triggers a lookup without effect.
    await open();
    await clock.advance(10_000);
    expect({ isOpen: gate.isOpen, readings: readings.length }).toEqual({ isOpen: false, readings: 1 });
    expect(instance.state).toMatchObject({
      degraded: true,
      problem:
        'reads websites.example.com/v1 again for @Controller(Website), because the API server did not serve its fields until now',
    });
    await finishReading();
    expect(gate.isOpen).toBe(true);
    expect(instance.state).toMatchObject({ problem: undefined, degraded: false });
    await open();
    await clock.advance(10_000);
    expect(readings).toHaveLength(1);
  });

  it('restarts the rereading if fields go missing meanwhile', async () => {
    const { clock, gate, served, open, readings, finishReading } = source(['a']);
    await open();
    served.missing = [];
    await clock.advance(2000);
    served.missing = ['b'];
    await open();
    expect(readings.map(({ signal }) => signal.aborted)).toEqual([true]);
    expect(gate.isOpen).toBe(false);
    served.missing = [];
    await clock.advance(2000);
    expect(readings.map(({ signal }) => signal.aborted)).toEqual([true, false]);
    expect(gate.isOpen).toBe(false);
    await finishReading();
    expect(gate.isOpen).toBe(true);
  });

  it('waits at most 5 s for a response', async () => {
    const { gate, clock, open } = source(new Promise<never>(() => {}));
    await open();
    await clock.advance(4900);
    expect(gate.isOpen).toBe(false);
    await clock.advance(100);
    expect(gate.isOpen).toBe(true);
  });

  it('checks at its start and twice after a watch is opened, and not again without one', async () => {
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

  it('checks every 2 s while fields are missing, reports five of them, and repeats the report after a minute', async () => {
    const { clock, gate, served, instance, open, logger, finishReading } = source(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
    await open();
    const problem =
      'needs fields of websites.example.com/v1 for @Controller(Website) that the API server does not serve: a, b, c, d, e and 2 more; apply the CRD that belongs to this version of the operator; the controller then continues';
    expect(instance.state).toMatchObject({ problem, degraded: true });
    expect(gate.isOpen).toBe(false);
    await clock.advance(59_000);
    expect({ looks: served.looks, lines: logger.lines }).toEqual({ looks: 31, lines: [`warn: ${problem}`] });
    await clock.advance(1000);
    expect(logger.lines).toHaveLength(2);
    served.missing = [];
    await clock.advance(2000);
    await finishReading();
    expect(gate.isOpen).toBe(true);
    expect(instance.state).toMatchObject({ problem: undefined, degraded: false });
    expect(logger.lines.at(-1)).toBe('info: all fields are served websites.example.com/v1');
    await clock.advance(3_600_000);
    expect(logger.lines).toHaveLength(3);
  });

  it('uses the last response while there is none', async () => {
    const { clock, gate, served, instance, open, finishReading } = source(['a']);
    await open();
    served.missing = undefined;
    await clock.advance(4000);
    expect({ isOpen: gate.isOpen, degraded: instance.state.degraded }).toEqual({ isOpen: false, degraded: true });
    served.missing = [];
    await clock.advance(2000);
    await finishReading();
    expect(gate.isOpen).toBe(true);
  });

  it('has no pending timers after its stop', async () => {
    const { clock, served, instance, open } = source(['a']);
    await open();
    instance.stop();
    await open();
    await clock.advance(3_600_000);
    expect({ looks: served.looks, pending: clock.pending }).toEqual({ looks: 2, pending: 0 });
  });

  it('aborts the rereading at its stop', async () => {
    const { clock, gate, served, instance, open, readings } = source(['a']);
    await open();
    served.missing = [];
    await clock.advance(2000);
    instance.stop();
    await clock.advance(0);
    expect({ ended: readings.map(({ signal }) => signal.aborted), isOpen: gate.isOpen }).toEqual({
      ended: [true],
      isOpen: false,
    });
  });
});
