import type { AnyClass } from '@evenkeel/core';
import { getMetadataStorage } from 'class-validator';
import { decoratorOfRule } from './constraint-table.ts';

/** One decorator of class-validator on a property. */
export interface ConstraintUse {
  /** The name of its rule: `isInt`, `nestedValidation`; undefined for a validator of the user's without a name. */
  readonly name: string | undefined;
  readonly parameters: readonly unknown[];
  /** `{ each: true }`: it is about the elements. */
  readonly each: boolean;
  /** It runs only where a function of the object says so, which no schema can know. */
  readonly isConditional: boolean;
  /** The name of the class that `@Validate(...)` names. */
  readonly validatorClass?: string;
  /** Asks the validator itself about a value; absent where there is none to ask, or it answers later. */
  accepts?(value: unknown): boolean;
}

/** class-validator's own options of the same names, which choose the decorators that validation applies. */
export interface ValidatorGroups {
  /** Decorators of these groups; default: of every group, and those of none. */
  readonly groups?: readonly string[];
  /** Whether decorators without groups apply as well when `groups` are given. Default: false. */
  readonly always?: boolean;
  /** Whether decorators with groups are left out when no `groups` are given. Default: false. */
  readonly strictGroups?: boolean;
}

/**
 * The decorators of a class by property, as class-validator itself resolves them when it validates: a class that
 * decorates a property again loses its base's constraints of the same metadata type for it.
 */
export function constraintsOf(
  target: AnyClass,
  { groups = [], always = false, strictGroups = false }: ValidatorGroups = {},
): ReadonlyMap<string, readonly ConstraintUse[]> {
  const byProperty = new Map<string, ConstraintUse[]>();
  const storage = getMetadataStorage();
  for (const metadata of storage.getTargetValidationMetadatas(target, '', always, strictGroups, [...groups])) {
    const uses = byProperty.get(metadata.propertyName) ?? [];
    uses.push({
      name: nameOf(metadata),
      parameters: metadata.constraints ?? [],
      each: metadata.each === true,
      isConditional: metadata.validateIf !== undefined,
      ...validatorOf(metadata),
    });
    byProperty.set(metadata.propertyName, uses);
  }
  return byProperty;
}

/** `ValidateIf` under the name that rules and messages know it by. */
export const conditional = 'validateIf';

function nameOf({ type, name }: { readonly type: string; readonly name?: string }): string | undefined {
  switch (type) {
    case 'conditionalValidation':
      return name ?? conditional;
    case 'nestedValidation':
    case 'promiseValidation':
      return type;
    case 'whitelistValidation':
      return 'allow';
    default:
      return name;
  }
}

type Metadata = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

function validatorOf(metadata: Metadata): Pick<ConstraintUse, 'validatorClass' | 'accepts'> {
  const { constraintCls, name } = metadata;
  if (typeof constraintCls !== 'function') return {};
  const [validator] = getMetadataStorage().getTargetValidatorConstraints(constraintCls);
  if (validator === undefined || validator.async) return {};
  return {
    ...(name === undefined ? { validatorClass: constraintCls.name } : {}),
    accepts: (value) =>
      validator.instance.validate(value, {
        value,
        constraints: metadata.constraints ?? [],
        targetName: '',
        object: {},
        property: metadata.propertyName,
      }) === true,
  };
}

/** `@IsInt`, as the user wrote it. */
export function decoratorName({ name, validatorClass }: Pick<ConstraintUse, 'name' | 'validatorClass'>): string {
  if (name === undefined) return validatorClass === undefined ? 'a custom validator' : `@Validate(${validatorClass})`;
  return `@${decoratorOfRule(name)}`;
}
