import type { ConstraintRules, Outcome } from '../rule/constraint.ts';
import { notExpressible } from '../rule/constraint.ts';

/** The outcome for a user's validator of any name. */
export const userValidator: Outcome = notExpressible(
  'its code cannot be translated; write what a schema can express with @Rule() or @Schema()',
);

/** The decorators that take a user's validator. */
export const customRules: ConstraintRules = {
  validate: userValidator,
  validateBy: userValidator,
};
