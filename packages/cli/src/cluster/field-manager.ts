import type { DeployedOperator } from '../generate/generation.ts';

/** The field manager of a project without an operator. */
const plainManager = 'evenkeel-deploy';

/** The field manager of an operator's objects. Two operators with one object have different managers, so their conflicts are found. */
export function managerOf(operator: Pick<DeployedOperator, 'name'> | undefined): string {
  return operator === undefined ? plainManager : `${plainManager}:${operator.name}`;
}

/** The field manager of `evenkeel dev`, not of its operator. It applies the CRDs of the project, as `install` does. */
export const sessionManager = 'evenkeel-dev';
