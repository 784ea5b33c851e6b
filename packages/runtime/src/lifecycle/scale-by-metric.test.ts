import { type LowLoad, type ScaledOperand, scaleByMetric } from './scale-by-metric.ts';

const scaling = { target: 100, min: 2, max: 20 };
const at = (seconds: number): Date => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds));
const scaled = (operand: Partial<ScaledOperand>, now = at(0)) =>
  scaleByMetric({ replicas: 4, measured: 100, low: undefined, ...operand }, scaling, now);

describe('scaleByMetric', () => {
  it.each<[string, Partial<ScaledOperand>, number]>([
    ['keeps what is near the target', { measured: 109 }, 4],
    ['adds replicas at once', { measured: 150 }, 6],
    ['rounds up', { measured: 112 }, 5],
    ['at most doubles', { measured: 1000, replicas: 6 }, 12],
    ['adds up to four to a few', { measured: 1000, replicas: 2 }, 6],
    ['stays below the maximum', { measured: 300, replicas: 15 }, 20],
    ['reaches the minimum at once', { measured: 100, replicas: 0 }, 2],
    ['returns to the maximum at once', { measured: 100, replicas: 30 }, 20],
    ['changes nothing without a measurement', { measured: undefined }, 4],
    ['stays within the limits without a measurement', { measured: undefined, replicas: 1 }, 2],
  ])('%s', (_title, operand, replicas) => {
    expect(scaled(operand)).toEqual({ replicas, low: undefined });
  });

  it('removes replicas after five minutes, down to the largest number that was needed', () => {
    let low: LowLoad | undefined;
    const at4 = (measured: number, second: number) => {
      const result = scaled({ measured, low, replicas: 8 }, at(second));
      low = result.low;
      return result.replicas;
    };
    expect(at4(20, 0)).toBe(8);
    expect(low).toEqual({ since: at(0).toISOString(), replicas: 2 });
    expect(at4(60, 100)).toBe(8);
    expect(at4(20, 299)).toBe(8);
    expect(low).toEqual({ since: at(0).toISOString(), replicas: 5 });
    expect(at4(20, 300)).toBe(5);
    expect(low).toBeUndefined();
  });

  it('starts to wait again after a high load, or without a measurement', () => {
    const low = { since: at(0).toISOString(), replicas: 2 };
    expect(scaled({ measured: 100, low }, at(200))).toEqual({ replicas: 4, low: undefined });
    expect(scaled({ measured: undefined, low }, at(200))).toEqual({ replicas: 4, low: undefined });
  });

  it('writes nothing new while the load stays low', () => {
    const first = scaled({ measured: 20 }, at(0));
    expect(scaled({ measured: 20, low: first.low }, at(60))).toEqual(first);
  });
});
