import type { LimitRange } from '@evenkeel/kinds';
import {
  canonicalQuantity,
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  labelKeyErrors,
  quantityNanos,
  required,
} from '../../apimachinery/index.ts';
import { comparedStep, milliStep, roundedUp, wholeStep } from '../resource-amounts.ts';
import type { ResourceList } from '../resource-list-defaults.ts';
import { mayOvercommit, validateContainerResourceName, validateResourceName } from '../resource-rules.ts';

type LimitRangeItem = NonNullable<LimitRange['spec']>['limits'][number];

const limitTypes = ['Pod', 'Container', 'PersistentVolumeClaim'];

/** Source: `ValidateLimitRange`, `pkg/apis/core/validation/validation.go`. */
export function validateLimitRange({ spec }: LimitRange): FieldError[] {
  const errors: FieldError[] = [];
  const types = new Set<string>();
  for (const [index, item] of (spec?.limits ?? []).entries()) {
    const path = `spec.limits[${index}]`;
    errors.push(...validateType(item.type, `${path}.type`));
    if (types.has(item.type)) errors.push(duplicate(`${path}.type`, item.type));
    types.add(item.type);
    errors.push(...validateItem(item, path));
  }
  return errors;
}

function validateType(type: string, path: string): FieldError[] {
  const errors = labelKeyErrors(type).map((detail) => invalid(path, type, detail));
  if (errors.length > 0 || type.includes('/') || limitTypes.includes(type)) return errors;
  return [invalid(path, type, 'must be a standard limit type or fully qualified')];
}

function validateItem(item: LimitRangeItem, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const ofContainers = item.type === 'Pod' || item.type === 'Container';
  const validateName = ofContainers ? validateContainerResourceName : validateResourceName;
  const names = new Set<string>();
  const read = (member: 'min' | 'max' | 'default' | 'defaultRequest' | 'maxLimitRequestRatio'): ResourceList => {
    const list = item[member] ?? {};
    for (const name of Object.keys(list)) {
      errors.push(...validateName(name, `${path}.${member}[${name}]`));
      names.add(name);
    }
    return list;
  };
  const max = read('max');
  const min = read('min');
  let defaults: ResourceList = {};
  let defaultRequests: ResourceList = {};
  if (item.type === 'Pod') {
    for (const member of ['default', 'defaultRequest'] as const) {
      if (Object.keys(item[member] ?? {}).length === 0) continue;
      errors.push(forbidden(`${path}.${member}`, "may not be specified when `type` is 'Pod'"));
    }
  } else {
    defaults = read('default');
    defaultRequests = read('defaultRequest');
  }
  if (item.type === 'PersistentVolumeClaim' && !Object.hasOwn(min, 'storage') && !Object.hasOwn(max, 'storage')) {
    const detail = 'either minimum or maximum storage value is required, but neither was provided';
    errors.push(required(`${path}.limits`, detail));
  }
  const ratios = read('maxLimitRequestRatio');
  for (const name of names) {
    errors.push(...validateAmounts(name, { min, max, defaults, defaultRequests, ratios }, path));
  }
  return errors;
}

interface ItemLists {
  readonly min: ResourceList;
  readonly max: ResourceList;
  readonly defaults: ResourceList;
  readonly defaultRequests: ResourceList;
  readonly ratios: ResourceList;
}

/** An amount of one resource. */
interface Amount {
  readonly nanos: bigint;
  readonly text: string;
}

function amountIn(list: ResourceList, name: string): Amount | undefined {
  const amount = Object.hasOwn(list, name) ? list[name] : undefined;
  return amount === undefined ? undefined : { nanos: quantityNanos(amount), text: canonicalQuantity(amount) };
}

function validateAmounts(name: string, lists: ItemLists, path: string): FieldError[] {
  const min = amountIn(lists.min, name);
  const max = amountIn(lists.max, name);
  const limit = amountIn(lists.defaults, name);
  const request = amountIn(lists.defaultRequests, name);
  const ratio = amountIn(lists.ratios, name);
  const errors: FieldError[] = [];
  const checkOrder = (
    [low, lowName]: [Amount | undefined, string],
    [high, highName]: [Amount | undefined, string],
    member: string,
    shown: Amount | undefined,
  ): void => {
    if (low === undefined || high === undefined || low.nanos <= high.nanos) return;
    const detail = `${lowName} value ${low.text} is greater than ${highName} value ${high.text}`;
    errors.push(invalid(`${path}.${member}[${name}]`, shown?.text ?? '', detail));
  };
  checkOrder([min, 'min'], [max, 'max'], 'min', min);
  checkOrder([min, 'min'], [request, 'default request'], 'defaultRequest', request);
  checkOrder([request, 'default request'], [max, 'max'], 'defaultRequest', request);
  checkOrder([request, 'default request'], [limit, 'default limit'], 'defaultRequest', request);
  checkOrder([min, 'min'], [limit, 'default'], 'default', min);
  checkOrder([limit, 'default'], [max, 'max'], 'default', max);
  if (ratio !== undefined) errors.push(...validateRatio(ratio, min, max, `${path}.maxLimitRequestRatio[${name}]`));
  if (limit !== undefined && request !== undefined && !mayOvercommit(name) && limit.nanos !== request.nanos) {
    const detail = `default value ${limit.text} must equal to defaultRequest value ${request.text} in ${name}`;
    errors.push(invalid(`${path}.defaultRequest[${name}]`, request.text, detail));
  }
  return errors;
}

function validateRatio(ratio: Amount, min: Amount | undefined, max: Amount | undefined, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (ratio.nanos < wholeStep) errors.push(invalid(path, ratio.text, `ratio ${ratio.text} is less than 1`));
  if (min === undefined || max === undefined) return errors;
  const step = comparedStep(ratio.nanos, min.nanos, max.nanos);
  const value = Number(roundedUp(ratio.nanos, step)) / (step === milliStep ? 1000 : 1);
  const limit = Number(roundedUp(max.nanos, step)) / Number(roundedUp(min.nanos, step));
  if (value > limit) {
    errors.push(invalid(path, ratio.text, `ratio ${ratio.text} is greater than max/min = ${limit.toFixed(6)}`));
  }
  return errors;
}
