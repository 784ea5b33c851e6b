import type { Benchmark } from './benchmark.ts';
import { start } from './start.ts';

export const benchmarks: readonly Benchmark[] = [start];
