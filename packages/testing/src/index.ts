/**
 * Tests of operators: environments, sweeps with faults, audits of permissions, and pods as processes.
 *
 * @module @evenkeel/testing
 */

export { convert } from './conversion/convert.ts';
export {
  type ConversionReport,
  type VerifyConversionOptions,
  verifyConversion,
} from './conversion/verify-conversion.ts';
export {
  Environment,
  type EnvironmentGuest,
  type EnvironmentOptions,
  type OperatorConnection,
  type Stoppable,
} from './environment.ts';
export { eventually } from './eventually.ts';
export { HurriedClock, type HurriedClockOptions } from './hurried-clock.ts';
export type { TestLogLevel } from './journal/test-log.ts';
export { type ExecResult, type PodKey, PodRunner, type PodRunnerOptions } from './pods/pod-runner.ts';
export type { ContainerPlace, ProcessPlan, ProcessPlanner, ProcessPlans } from './pods/process-plan.ts';
export { RbacAudit, type RbacAuditOptions } from './rbac/rbac-audit.ts';
export type { EnvironmentKind } from './server/test-server.ts';
export type { CallFault } from './sweeps/call-fault.ts';
export { crashSweep } from './sweeps/crash-sweep.ts';
export { type FaultSweepOptions, faultSweep } from './sweeps/fault-sweep.ts';
export { type ForeignObjectSweepReport, foreignObjectSweep } from './sweeps/foreign-object-sweep.ts';
export type { SweepReport } from './sweeps/sweep.ts';
export type { SweepConnection, SweepOptions, SweepRound } from './sweeps/sweep-options.ts';
export {
  type OperatorReport,
  type VerifyOperatorOptions,
  verifyOperator,
} from './verification/verify-operator.ts';
export type { EventuallyOptions } from './wait.ts';
export { type AdmitRequest, type AdmitResult, admit } from './webhook/admit.ts';
