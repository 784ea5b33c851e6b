// Runs the benchmarks in the command line, or all, and prints their figures.
import { parseArgs } from 'node:util';
import type { Benchmark, Figure } from './benchmark.ts';
import { benchmarks } from './benchmarks.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { small: { type: 'boolean', default: false }, help: { type: 'boolean', short: 'h', default: false } },
});

if (values.help) {
  console.log(`usage: npm run bench -- [--small] [NAME ...]\n\n${benchmarks.map(describe).join('\n')}`);
  process.exit(0);
}

const chosen = benchmarks.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
const unknown = positionals.filter((name) => !benchmarks.some((benchmark) => benchmark.name === name));
if (unknown.length > 0) {
  console.error(`unknown benchmark ${unknown.join(', ')}; use one of ${benchmarks.map(({ name }) => name).join(', ')}`);
  process.exit(1);
}

for (const benchmark of chosen) {
  console.log(`\n${describe(benchmark)}`);
  const figures = await benchmark.run(values.small ? 'small' : 'full');
  const width = Math.max(...figures.map(({ measure }) => measure.length));
  for (const { measure, value, unit, bar, spread } of figures) {
    const shown = `${digits(value, unit)} ${unit}`.padStart(14);
    const between = spread === undefined ? '' : `   ${spread.map((end) => digits(end, unit)).join(' to ')}`.padEnd(20);
    console.log(
      `  ${measure.padEnd(width)} ${shown}${between}${bar === undefined ? '' : `   bar ${digits(bar, unit)} ${unit}`}`,
    );
  }
}

function digits(value: number, unit: Figure['unit']): string {
  if (unit === 'x') return value.toFixed(2);
  return value.toFixed(value < 100 ? 1 : 0);
}

function describe({ name, goal, nonGoals }: Benchmark): string {
  return `${name}: ${goal}\n  Not measured: ${nonGoals}`;
}
