export { Environment, type EnvironmentOptions, type OperatorConnection, type Stoppable } from './environment.ts';
export { type EventuallyOptions, eventually } from './eventually.ts';
export { RbacAudit, type RbacAuditOptions } from './rbac/rbac-audit.ts';
export type { EnvironmentKind } from './server/test-server.ts';
export type { CallFault } from './sweeps/call-fault.ts';
export { crashSweep } from './sweeps/crash-sweep.ts';
export { type FaultSweepOptions, faultSweep } from './sweeps/fault-sweep.ts';
export { type ForeignObjectSweepReport, foreignObjectSweep } from './sweeps/foreign-object-sweep.ts';
export type { SweepConnection, SweepOptions, SweepReport, SweepRound } from './sweeps/sweep.ts';
