import type { Node } from '@evenkeel/kinds';
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  invalidBy,
  jsonEqual,
  labelKeyErrors,
  labelValueErrors,
} from '../../apimachinery/index.ts';
import { cidrErrors } from '../cidr-validation.ts';
import { validateChoice } from '../number-validation.ts';
import { validateResourceAmount } from '../resource-rules.ts';

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** Source: `ValidateNode`, `pkg/apis/core/validation/validation.go`. */
export function validateNode(node: Node): FieldError[] {
  const ranges = node.spec?.podCIDRs ?? [];
  const path = 'spec.podCIDRs';
  const errors = [
    ...validateTaints(node),
    ...validateResources(node),
    ...ranges.flatMap((range, index) => cidrErrors(range, `${path}[${index}]`)),
  ];
  const families = new Set(ranges.map((range) => range.includes(':')));
  if (ranges.length > 1 && (ranges.length > 2 || families.size < 2)) {
    errors.push(invalid(path, ranges, 'may specify no more than one CIDR for each IP family'));
  }
  return errors;
}

/** Source: `ValidateNodeUpdate`; upstream validates the node as a new one, too. */
export function validateNodeUpdate(node: Node, old: Node): readonly FieldError[] {
  const errors = validateNode(node);
  const addresses = node.status?.addresses ?? [];
  for (const [index, address] of addresses.entries()) {
    if (addresses.slice(0, index).some((other) => jsonEqual(other, address))) {
      // The value is printed like Go's internal type.
      const shown = { Type: address.type, Address: address.address };
      errors.push(duplicate(`status.addresses[${index}]`, shown));
    }
  }
  const before = old.spec?.podCIDRs ?? [];
  if (before.length > 0 && !jsonEqual(before, node.spec?.podCIDRs ?? [])) {
    errors.push(forbidden('spec.podCIDRs', 'node updates may not change podCIDR except from "" to valid'));
  }
  if (old.spec?.providerID && old.spec.providerID !== (node.spec?.providerID ?? '')) {
    errors.push(forbidden('spec.providerID', 'node updates may not change providerID except from "" to valid'));
  }
  return errors;
}

function validateResources({ status }: Node): FieldError[] {
  return (['capacity', 'allocatable'] as const).flatMap((list) =>
    Object.entries(status?.[list] ?? {}).flatMap(([name, amount]) =>
      validateResourceAmount(name, amount, `status.${list}.${name}`),
    ),
  );
}

/** The path is upstream's: taints were annotations once. */
function validateTaints({ spec }: Node): FieldError[] {
  const known = new Set<string>();
  return (spec?.taints ?? []).flatMap((taint, index) => {
    const { key = '', value = '', effect = '', timeAdded } = taint;
    const path = `metadata.taints[${index}]`;
    const errors = invalidBy(labelKeyErrors, `${path}.key`, key);
    const valueErrors = labelValueErrors(value);
    if (valueErrors.length > 0) errors.push(invalid(`${path}.value`, value, valueErrors.join(';')));
    errors.push(...validateChoice(effect, `${path}.effect`, effects));
    const pair = JSON.stringify([key, effect]);
    if (known.has(pair)) {
      const shown = { Key: key, Value: value, Effect: effect, TimeAdded: timeAdded ?? null };
      errors.push({ ...duplicate(path, shown), detail: 'taints must be unique by key and effect pair' });
    }
    known.add(pair);
    return errors;
  });
}
