import type { AnyClass } from '@evenkeel/core';
import { getMetadataStorage } from 'class-validator';
import { decoratorOfRule } from './constraint-table.ts';

/** A class-validator decorator on a property. */
export interface ConstraintUse {
  /** The name of its rule: `isInt`, `nestedValidation`; undefined for a user's validator without a name. */
  readonly name: string | undefined;
  readonly parameters: readonly unknown[];
  /** `{ each: true }`: it applies to the elements. */
  readonly each: boolean;
  /** Whether it has `validateIf`, a function of the object that no schema can express. */
  readonly isConditional: boolean;
  /** The name of the class in `@Validate(...)`. */
  readonly validatorClass?: string;
  /** Runs the validator for a value; missing if there is no validator or it is asynchronous. */
  accepts?(value: unknown): boolean;
}

/** class-validator's options of the same names, which select the decorators that validation applies. */
export interface ValidatorGroups {
  /** Only decorators of these groups. Default: all groups, and decorators without groups. */
  readonly groups?: readonly string[];
  /** Whether decorators without groups also apply when `groups` are given. Default: false. */
  readonly always?: boolean;
  /** Whether decorators with groups are ignored when no `groups` are given. Default: false. */
  readonly strictGroups?: boolean;
}

/**
 * The decorators of a class by property, resolved as class-validator does when it validates: a class that decorates an
 * inherited property loses the base class's constraints of the same metadata type for it.
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

/** The name of `ValidateIf` in rules and messages. */
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
