// Rules for operands that vote or keep data, and for operations that run once.

export { type BackupHooks, type BackupPlan, type BackupReport, backUp } from './back-up.ts';
export { checkUpgrade } from './check-upgrade.ts';
export { type NextChange, nextChange, type RollingChange } from './next-change.ts';
export { type NextRepair, nextRepair, type Repair, type RepairBudget } from './next-repair.ts';
export type { OperationLock } from './operation-lock.ts';
export { quorumOf } from './quorum.ts';
export { quorumBudget } from './quorum-budget.ts';
export {
  reportUpgradeable,
  type Upgradeable,
  type UpgradeablePlace,
  type UpgradeableReport,
} from './report-upgradeable.ts';
export {
  type Operation,
  type OperationPlan,
  type OperationProgress,
  type OperationSpec,
  type OperationStatus,
  type OperationSteps,
  runOperation,
} from './run-operation.ts';
export {
  type LowLoad,
  type MetricScaling,
  type Scaled,
  type ScaledOperand,
  scaleByMetric,
} from './scale-by-metric.ts';
