/** What one check of `evenkeel doctor` has found. */
export interface CheckResult {
  /** What was checked, such as `permissions`. */
  readonly check: string;
  /** `warning`: it works, but needs attention, or it could not be checked. */
  readonly status: 'ok' | 'warning' | 'failed';
  readonly message: string;
  /** More lines. */
  readonly details?: readonly string[];
  /** What to do, in the imperative. Set unless it is ok. */
  readonly fix?: string;
}

export function ok(check: string, message: string): CheckResult {
  return { check, status: 'ok', message };
}

export function failed(check: string, message: string, fix: string, details: readonly string[] = []): CheckResult {
  return { check, status: 'failed', message, fix, ...(details.length === 0 ? {} : { details }) };
}

export function warning(check: string, message: string, fix: string, details: readonly string[] = []): CheckResult {
  return { check, status: 'warning', message, fix, ...(details.length === 0 ? {} : { details }) };
}
