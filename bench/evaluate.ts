import { type Benchmark, type Figure, median } from './benchmark.ts';
import { column, megabytes, type Report, report } from './run-program.ts';

/** Validation in the process: by the schema of a CRD with two CEL rules, and by class-validator's decorators. */
export const evaluate: Benchmark = {
  name: 'evaluate',
  goal: 'the cost of defaulting, pruning and validating an object of 1 kB in a server or operator that has warmed up',
  nonGoals: 'the first object of a schema except its compilation, large objects, rules that loop over long lists',
  run: async (size) => {
    const rounds = size === 'small' ? 200 : 20_000;
    const imports = size === 'small' ? 1 : 7;
    const { bytes: _bytes, ...times }: Report = report(['bench/programs/evaluate.mjs', String(rounds)]);
    const us = (measure: string, name: string, bar?: number): Figure => ({
      measure,
      value: times[name] ?? Number.NaN,
      unit: 'us',
      ...(bar === undefined || size === 'small' ? {} : { bar }),
    });
    return [
      us('valid object, schema and two CEL rules', 'validateUs', 15),
      us('  only the schema', 'schemaUs'),
      us('  update of it: compared with the old object', 'updateUs'),
      us('  update that leaves two errors as they were', 'ratchetUs'),
      us('  rejected with two errors', 'refusedUs'),
      us('copied, pruned, given its defaults, validated', 'decodeUs'),
      us('  only the copy', 'copyUs'),
      us('first object of a schema: compiled and validated', 'compileUs'),
      us('by class: classValidator() of @evenkeel/schema/validator', 'classUs'),
      us("  class-validator's own validateSync", 'validateSyncUs'),
      ...['@evenkeel/schema/evaluate', '@evenkeel/schema/validator', 'class-validator'].flatMap((it) =>
        importOf(it, imports),
      ),
    ];
  },
};

function importOf(specifier: string, times: number): Figure[] {
  const imports = Array.from({ length: times }, () => report(['bench/programs/import.mjs', specifier]));
  return [
    { measure: `import of ${specifier}`, value: median(column(imports, 'importMs')), unit: 'ms' },
    { measure: '  the memory it adds', value: median(megabytes(imports, 'addedBytes')), unit: 'MB' },
  ];
}
