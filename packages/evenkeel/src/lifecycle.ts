// Rules for operands that vote or keep data. It is separate because most operators do not need it.
export {
  checkUpgrade,
  type NextChange,
  nextChange,
  quorumBudget,
  quorumOf,
  type RollingChange,
} from '@evenkeel/runtime/lifecycle';
