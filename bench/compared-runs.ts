import { type Figure, median, medianFigure } from './benchmark.ts';
import { column, type Report } from './run-program.ts';

/** One of several programs that are measured in turn. */
export interface Turn {
  readonly name: string;
  run(): Promise<Report>;
}

/** A column of the reports. */
export interface MeasuredColumn {
  readonly name: string;
  readonly measure: string;
  readonly unit: Figure['unit'];
  /** The most that `evenkeel` may need, as a multiple of `controller-runtime`. */
  readonly bar?: number;
}

/** The reports of each turn, in the order of the rounds. */
export type ComparedRuns = ReadonlyMap<string, readonly Report[]>;

/** Runs each turn once in each round, in alternating order, so that other work of the machine affects all in the same way. */
export async function runInTurn(turns: readonly Turn[], rounds: number): Promise<ComparedRuns> {
  const reports = new Map<string, Report[]>(turns.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const { name, run } of round % 2 === 0 ? turns : turns.toReversed()) reports.get(name)?.push(await run());
  }
  return reports;
}

/** The figures of all turns, and how `evenkeel` compares with `controller-runtime` in each round. */
export function figuresOf(title: string, runs: ComparedRuns, columns: readonly MeasuredColumn[]): Figure[] {
  return columns.flatMap(({ name, measure, unit, bar }) => {
    const measured = [...runs].filter(([, reports]) => reports.every((entry) => name in entry));
    return [
      ...measured.map(([who, reports]) => medianFigure(`${title}, ${measure}: ${who}`, column(reports, name), unit)),
      ...ratios(`  evenkeel / controller-runtime`, runs.get('evenkeel'), runs.get('controller-runtime'), name, bar),
    ];
  });
}

/** One figure, or none if one of both was not measured. */
export function ratios(
  measure: string,
  above: readonly Report[] = [],
  below: readonly Report[] = [],
  name: string,
  bar?: number,
): Figure[] {
  const divisors = column(below, name);
  const quotients = column(above, name).map((value, round) => value / (divisors[round] ?? Number.NaN));
  return Number.isNaN(median(quotients)) ? [] : [medianFigure(measure, quotients, 'x', bar)];
}
