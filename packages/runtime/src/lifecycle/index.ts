// Rules for operands that vote or keep data: pure functions of what a reconcile observes.

export { type BackupHooks, type BackupPlan, type BackupReport, backUp } from './back-up.ts';
export { checkUpgrade } from './check-upgrade.ts';
export { type NextChange, nextChange, type RollingChange } from './next-change.ts';
export { quorumOf } from './quorum.ts';
export { quorumBudget } from './quorum-budget.ts';
