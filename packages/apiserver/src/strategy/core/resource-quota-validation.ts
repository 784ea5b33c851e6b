import type { ResourceQuota } from '@evenkeel/kinds';
import { type FieldError, GoStruct, invalid, invalidOperator, required } from '../../apimachinery/index.ts';
import type { ResourceList } from '../resource-list-defaults.ts';
import { isQuotaResource, validateQuotaResourceName, validateResourceAmount } from '../resource-rules.ts';

type Spec = NonNullable<ResourceQuota['spec']>;

/** The resources to which each scope may be applied: all resources with a standard name outside its list are rejected. */
const podResources = ['pods', 'cpu', 'memory', 'limits.cpu', 'limits.memory', 'requests.cpu', 'requests.memory'];
const claimResources = ['persistentvolumeclaims', 'requests.storage'];
const resourcesOfScopes = new Map<string, readonly string[]>([
  ['Terminating', podResources],
  ['NotTerminating', podResources],
  ['NotBestEffort', podResources],
  ['PriorityClass', podResources],
  ['CrossNamespacePodAffinity', podResources],
  ['BestEffort', ['pods']],
  ['VolumeAttributesClass', claimResources],
]);

const conflictingScopes = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
] as const;

/** Scopes that an object either has or not: they have no values. */
const scopesWithoutValues = [
  'BestEffort',
  'NotBestEffort',
  'Terminating',
  'NotTerminating',
  'CrossNamespacePodAffinity',
];

// Sources: `ValidateResourceQuota` and the functions below it, `pkg/apis/core/validation/validation.go`.

export function validateResourceQuota({ spec = {}, status }: ResourceQuota): FieldError[] {
  return [
    ...validateSpec(spec),
    ...validateList(status?.hard, 'status.hard'),
    ...validateList(status?.used, 'status.used'),
  ];
}

export function validateResourceQuotaUpdate({ spec = {} }: ResourceQuota, old: ResourceQuota): FieldError[] {
  const errors = validateSpec(spec);
  const [before, after] = [new Set<string>(old.spec?.scopes), new Set<string>(spec.scopes)];
  if (before.size !== after.size || [...before].some((scope) => !after.has(scope))) {
    errors.push(invalid('spec.scopes', spec.scopes ?? null, 'field is immutable'));
  }
  return errors;
}

export function validateQuotaStatusUpdate({ metadata, status }: ResourceQuota): FieldError[] {
  return [
    ...(metadata.resourceVersion ? [] : [required('resourceVersion')]),
    ...validateList(status?.hard, 'status.hard'),
    ...validateList(status?.used, 'status.used'),
  ];
}

function validateSpec(spec: Spec): FieldError[] {
  return [...validateList(spec.hard, 'spec.hard'), ...validateScopes(spec), ...validateSelector(spec)];
}

function validateList(list: ResourceList | undefined, path: string): FieldError[] {
  return Object.entries(list ?? {}).flatMap(([name, amount]) => [
    ...validateQuotaResourceName(name, `${path}[${name}]`),
    ...validateResourceAmount(name, amount, `${path}[${name}]`),
  ]);
}

function validateScopes({ scopes = [], hard }: Spec): FieldError[] {
  const path = 'spec.scopes';
  const errors = scopes.flatMap((scope) => [
    ...(resourcesOfScopes.has(scope) ? [] : [invalid(path, scopes, 'unsupported scope')]),
    ...resourcesOutside(scope, hard).map(() => invalid(path, scopes, unsupportedResource)),
  ]);
  return [...errors, ...conflicts(scopes, scopes, path)];
}

const unsupportedResource = 'unsupported scope applied to resource';

function resourcesOutside(scope: string, hard: ResourceList | undefined): string[] {
  const allowed = resourcesOfScopes.get(scope);
  if (allowed === undefined) return [];
  return Object.keys(hard ?? {}).filter((name) => isQuotaResource(name) && !allowed.includes(name));
}

function conflicts(scopes: readonly string[], shown: readonly string[] | undefined, path: string): FieldError[] {
  return conflictingScopes
    .filter((pair) => pair.every((scope) => scopes.includes(scope)))
    .map(() => invalid(path, shown ?? null, 'conflicting scopes'));
}

function validateSelector({ scopeSelector, scopes, hard }: Spec): FieldError[] {
  if (scopeSelector === undefined) return [];
  const path = 'spec.scopeSelector.matchExpressions';
  const requirements = scopeSelector.matchExpressions ?? [];
  const errors: FieldError[] = [];
  for (const { scopeName, operator, values = [] } of requirements) {
    if (!resourcesOfScopes.has(scopeName)) {
      errors.push(invalid(`${path}.scopeName`, scopeName, 'unsupported scope'));
    }
    for (const _ of resourcesOutside(scopeName, hard)) {
      errors.push(invalid(path, internalSelector(requirements), unsupportedResource));
    }
    if (scopesWithoutValues.includes(scopeName) && operator !== 'Exists') {
      errors.push(invalid(`${path}.operator`, operator, mustExist));
    }
    if (operator === 'In' || operator === 'NotIn') {
      if (values.length === 0) errors.push(required(`${path}.values`, valuesMissing));
    } else if (operator === 'Exists' || operator === 'DoesNotExist') {
      if (values.length > 0) errors.push(invalid(`${path}.values`, values, valuesUnexpected));
    } else errors.push(invalidOperator(`${path}.operator`, operator));
  }
  const names = requirements.map(({ scopeName }) => scopeName);
  return [...errors, ...conflicts(names, scopes, path)];
}

/** A selector as upstream quotes it: its internal type has the names of Go's fields. */
function internalSelector(requirements: NonNullable<NonNullable<Spec['scopeSelector']>['matchExpressions']>): GoStruct {
  return new GoStruct({
    MatchExpressions: requirements.map(
      ({ scopeName, operator, values }) =>
        new GoStruct({ ScopeName: scopeName, Operator: operator, Values: values ?? null }),
    ),
  });
}

const mustExist =
  "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";
const valuesMissing = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector";
const valuesUnexpected = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector";
