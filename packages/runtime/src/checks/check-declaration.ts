import type { EvenkeelError } from '@evenkeel/core';
import { checkNamespaces } from '../cache/scope.ts';
import { electionTiming } from '../election/election-timing.ts';
import type { ManagerOptions } from '../options/manager-options.ts';
import { attempt } from './attempt.ts';
import { checkClasses } from './check-classes.ts';
import type { OptionsCaller } from './check-options.ts';
import { checkServerVersion } from './check-server-version.ts';
import { checkValidator } from './check-validator.ts';

/** The options that `createManager` and, but for `overrides`, a declaration have. */
type Declared = Pick<
  ManagerOptions,
  | 'controllers'
  | 'webhooks'
  | 'minServerVersion'
  | 'conversions'
  | 'services'
  | 'overrides'
  | 'runnables'
  | 'namespaces'
  | 'leaderElection'
  | 'validator'
>;

export interface DeclarationMistakes {
  readonly errors: EvenkeelError[];
  /** Whether the lists contain only what they may contain. Checks that read classes need that. */
  readonly hasClasses: boolean;
}

/** Checks each option by itself, without the declarations of the classes. `caller` is the function that got them. */
export function declarationMistakes(declared: Declared, caller: OptionsCaller): DeclarationMistakes {
  const errors: EvenkeelError[] = [];
  for (const option of ['controllers', 'webhooks', 'conversions', 'services', 'runnables', 'overrides'] as const) {
    attempt(errors, () => checkClasses(option, declared[option], caller));
  }
  const hasClasses = errors.length === 0;
  const { namespaces, validator, leaderElection } = declared;
  attempt(errors, () => checkNamespaces(namespaces, 'namespaces'));
  attempt(errors, () => checkValidator(validator, caller));
  attempt(errors, () => checkServerVersion(declared.minServerVersion, caller));
  if (leaderElection !== undefined) attempt(errors, () => electionTiming(leaderElection));
  return { errors, hasClasses };
}
