// Writes packages/apiserver/src/authorization/generated/bootstrap-policy.ts from the roles and bindings that a fresh
// Kubernetes control plane has. Usage: kubectl get clusterroles,clusterrolebindings,roles,rolebindings -A -o json |
// node scripts/bootstrap-policy/generate.mjs
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const { items } = JSON.parse(readFileSync(0, 'utf8'));

const policies = items
  .filter(({ metadata }) => metadata.labels?.['kubernetes.io/bootstrapping'] === 'rbac-defaults')
  .map(({ kind, metadata, rules, aggregationRule, roleRef, subjects }) => ({
    kind,
    ...(metadata.namespace && { namespace: metadata.namespace }),
    name: metadata.name,
    labels: Object.fromEntries(
      Object.entries(metadata.labels).filter(([label]) => label !== 'kubernetes.io/bootstrapping'),
    ),
    ...(rules && { rules }),
    ...(aggregationRule && { aggregationRule }),
    ...(roleRef && { roleRef }),
    ...(subjects && { subjects }),
  }))
  .map((policy) => (Object.keys(policy.labels).length === 0 ? { ...policy, labels: undefined } : policy));

const text = JSON.stringify(policies).replaceAll('\\', '\\\\').replaceAll("'", "\\'");
writeFileSync(
  join(root, 'packages/apiserver/src/authorization/generated/bootstrap-policy.ts'),
  `// Written by scripts/bootstrap-policy/generate.mjs from a Kubernetes 1.36.3 control plane. Do not edit.\n` +
    `export const bootstrapPolicyJson = '${text}';\n`,
);
console.log(`${policies.length} roles and bindings, ${text.length} bytes`);
