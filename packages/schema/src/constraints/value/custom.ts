import type { ConstraintRules, Outcome } from '../rule/constraint.ts';
import { notExpressible } from '../rule/constraint.ts';

/** What is said of a validator of the user's own, under whatever name. */
export const userValidator: Outcome = notExpressible(
  'its code cannot be read; say in @Rule() or @Schema() what a schema can say of it',
);

/** The decorators that take one. */
export const customRules: ConstraintRules = {
  validate: userValidator,
  validateBy: userValidator,
};
