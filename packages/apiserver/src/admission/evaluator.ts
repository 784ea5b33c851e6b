/** The evaluator of CEL, which is loaded on first use, because most servers need none. */
export type Evaluator = typeof import('@evenkeel/schema/evaluate');

let loading: Promise<Evaluator> | undefined;

export function loadEvaluator(): Promise<Evaluator> {
  loading ??= import('@evenkeel/schema/evaluate');
  return loading;
}
