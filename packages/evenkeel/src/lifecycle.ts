// Rules for operands that vote or keep data. It is separate because most operators do not need it.
export {
  type BackupHooks,
  type BackupPlan,
  type BackupReport,
  backUp,
  checkUpgrade,
  type NextChange,
  nextChange,
  quorumBudget,
  quorumOf,
  type RollingChange,
} from '@evenkeel/runtime/lifecycle';
