import { loadOnce } from '../kind/load-once.ts';

/** The evaluator of CEL, which is loaded on first use, because most servers need none. */
export type Evaluator = typeof import('@evenkeel/schema/evaluate');

export const loadEvaluator = loadOnce<Evaluator>(() => import('@evenkeel/schema/evaluate'));
