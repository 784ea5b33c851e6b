import type { Correlation } from './correlation.ts';
import type { ValidationResult } from './validation-result.ts';

/**
 * Checks a value and adds errors to the result. With a correlation, errors of values that are equal in the old object are
 * dropped.
 */
export type ValueCheck<T = unknown> = (
  value: T,
  path: string,
  result: ValidationResult,
  correlation: Correlation | undefined,
  depth: number,
) => void;
