import { parseApiVersion } from '@evenkeel/core';
import type { ValidatingAdmissionPolicy } from '@evenkeel/kinds';
import { type CheckedType, expressionSchemaOf, policyWarnings } from '@evenkeel/schema/evaluate';
import { compareText } from '../apimachinery/index.ts';
import type { EmbeddedController } from './controller.ts';
import { splitKey } from './controller-reference.ts';
import { KeyedSync } from './keyed-sync.ts';
import type { KindSchema, ServerClient } from './server-client.ts';

type Spec = NonNullable<ValidatingAdmissionPolicy['spec']>;
type Rule = NonNullable<NonNullable<Spec['matchConstraints']>['resourceRules']>[number];

const policies = { group: 'admissionregistration.k8s.io', plural: 'validatingadmissionpolicies' };
const typesMax = 10;

/**
 * Checks the expressions of ValidatingAdmissionPolicies with the schemas of the kinds that they match, and writes the
 * warnings to their status. Source: `pkg/controller/validatingadmissionpolicystatus/controller.go`.
 */
export const policyStatusController: EmbeddedController = {
  name: 'validatingadmissionpolicy-status-controller',
  start(context) {
    const { client } = context;
    const sync = new KeyedSync(context, async (key) => {
      const { name } = splitKey(key);
      const policy = client.get<ValidatingAdmissionPolicy>(policies, undefined, name);
      const { generation = 0 } = policy?.metadata ?? {};
      if (policy === undefined || generation <= (policy.status?.observedGeneration ?? 0)) return;
      const warnings = await warningsOf(policy.spec ?? {}, client);
      // Upstream applies an empty object, which disappears with the warnings of an earlier generation.
      const none = policy.status?.typeChecking?.expressionWarnings === undefined ? {} : null;
      const typeChecking = warnings.length === 0 ? none : { expressionWarnings: warnings };
      const status = { observedGeneration: generation, typeChecking };
      const options = { subresource: 'status', fieldManager: 'validatingadmissionpolicy-status' };
      await client.patch(policies, undefined, name, { status }, options);
    });
    const stopWatch = client.watch<ValidatingAdmissionPolicy>(policies, ({ type, object }) => {
      if (type !== 'DELETED') sync.add(`/${object.metadata.name}`);
    });
    return () => {
      stopWatch();
      sync.stop();
    };
  },
};

async function warningsOf(spec: Spec, client: ServerClient) {
  const { paramKind, validations = [], variables = [] } = spec;
  const paramVersion = paramKind && parseApiVersion(paramKind.apiVersion ?? '');
  const paramType = paramVersion && (await client.schemaOf({ ...paramVersion, kind: paramKind?.kind ?? '' }));
  return policyWarnings({
    validations,
    variables,
    types: (await typesOf(spec.matchConstraints?.resourceRules ?? [], client)).map(checkedType),
    hasParams: paramKind !== undefined,
    ...(paramType !== undefined && { paramType: checkedType(paramType) }),
  });
}

/** The kinds that rules name without wildcards, at most ten for each rule. Source: `typesToCheck` of `typechecking.go`. */
async function typesOf(rules: readonly Rule[], client: ServerClient): Promise<readonly KindSchema[]> {
  const types = new Map<string, KindSchema>();
  const sorted = (): readonly KindSchema[] =>
    [...types.entries()].sort(([a], [b]) => compareText(a, b)).map(([, type]) => type);
  for (const { apiGroups = [], apiVersions = [], resources = [] } of rules) {
    if ([...apiGroups, ...apiVersions].some((text) => text.includes('*'))) continue;
    const plurals = resources.filter((resource) => !/[*/]/.test(resource)).sort(compareText);
    let count = 0;
    for (const group of [...apiGroups].sort(compareText)) {
      for (const version of [...apiVersions].sort(compareText)) {
        for (const plural of plurals) {
          for (const type of await client.schemasOf({ group, version, plural })) {
            types.set([type.group, type.version, type.kind].join('\0'), type);
            if (++count === typesMax) return sorted();
          }
        }
      }
    }
  }
  return sorted();
}

function checkedType({ schema, ...kind }: KindSchema): CheckedType {
  return { ...kind, schema: expressionSchemaOf(schema) };
}
