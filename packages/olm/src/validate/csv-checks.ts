import { dns1123SubdomainErrors, labelValueErrors } from '@evenkeel/apimachinery/names';
import type { SchemaNode } from '@evenkeel/kinds/schemas';
import { clusterServiceVersionSchema } from '../bundle/cluster-service-version.ts';
import { isZeroValue } from '../bundle/json-types.ts';
import { parseVersion } from '../format/semantic-version.ts';
import type { CheckedBundle } from './checked-bundle.ts';

/** The annotations that OLM reads only in this form. Source: `annotations.go` of operator-framework/api. */
const caseSensitive = new Map(
  ['olm.operatorGroup', 'olm.operatorNamespace', 'olm.targetNamespaces', 'olm.providedAPIs', 'olm.skipRange'].map(
    (key) => [key.toLowerCase(), key],
  ),
);

/** The checks of a ClusterServiceVersion alone. */
export async function checkCsv(checked: CheckedBundle): Promise<void> {
  checkNames(checked);
  checkMinKubeVersion(checked);
  checkRequired(checked, await clusterServiceVersionSchema());
  checkAnnotationNames(checked);
  const { apiVersion } = checked.bundle.csv;
  if (!/^(?:[^/]+\/)?[^/]+$/.test(apiVersion ?? '')) {
    checked.add('csv-api-version-missing', ['apiVersion'], 'it is missing; add operators.coreos.com/v1alpha1');
  }
}

function checkNames(checked: CheckedBundle): void {
  const { name } = checked.bundle;
  const { replaces } = checked.spec;
  const problem = nameProblem(name);
  if (problem !== undefined) {
    checked.add('csv-name-invalid', ['metadata', 'name'], `${JSON.stringify(name)} is invalid: ${problem}`);
  }
  const ofReplaced = replaces ? nameProblem(replaces) : undefined;
  if (ofReplaced !== undefined) {
    const message = `${JSON.stringify(replaces)} is invalid: ${ofReplaced}`;
    checked.add('csv-replaces-invalid', ['spec', 'replaces'], message);
  }
}

/** OLM uses the name as the value of a label too. */
function nameProblem(name: string): string | undefined {
  const errors = [...dns1123SubdomainErrors(name), ...labelValueErrors(name)];
  return errors.length === 0 ? undefined : errors.join(', ');
}

function checkMinKubeVersion(checked: CheckedBundle): void {
  const { minKubeVersion } = checked.spec;
  const path = ['spec', 'minKubeVersion'];
  if (!minKubeVersion?.trim()) {
    const message = 'it is missing, so OLM installs the operator on every version of Kubernetes; set the lowest one';
    checked.add('min-kube-version-missing', path, message);
  } else if (parseVersion(minKubeVersion) === undefined) {
    const message = `${JSON.stringify(minKubeVersion)} is not a semantic version; write it as 1.30.0`;
    checked.add('min-kube-version-invalid', path, message);
  }
}

function checkRequired(checked: CheckedBundle, schema: SchemaNode): void {
  const required: readonly (readonly string[])[] = [
    ['metadata'],
    ['spec'],
    ['spec', 'install'],
    ['spec', 'install', 'strategy'],
    ['spec', 'install', 'spec', 'deployments'],
    ['spec', 'displayName'],
  ];
  const missing: string[] = [];
  for (const path of required) {
    // Only the topmost missing field is reported, and the strategy needs no spec.
    if (missing.some((field) => path.join('.').startsWith(`${field}.`))) continue;
    const { parent, value, node } = lookUp(checked.bundle.csv, schema, path);
    if (
      path.at(-1) === 'deployments'
        ? isZeroValue(parent.value, parent.node) || value != null
        : !isZeroValue(value, node)
    )
      continue;
    missing.push(path.join('.'));
    checked.add('csv-field-missing', path, 'it is missing; add it');
  }
}

interface LookedUp {
  readonly value: unknown;
  readonly node: SchemaNode | undefined;
}

function lookUp(value: unknown, schema: SchemaNode, path: readonly string[]): LookedUp & { readonly parent: LookedUp } {
  let parent: LookedUp = { value: undefined, node: undefined };
  let found: LookedUp = { value, node: schema };
  for (const name of path) {
    parent = found;
    found = {
      value: (parent.value as Record<string, unknown> | null | undefined)?.[name],
      node: parent.node?.properties?.[name],
    };
  }
  return { ...found, parent };
}

function checkAnnotationNames(checked: CheckedBundle): void {
  const { csvObject, objects } = checked.bundle;
  const groups = objects.filter(
    ({ apiVersion, kind }) => kind === 'OperatorGroup' && apiVersion.startsWith('operators.coreos.com/'),
  );
  for (const object of [csvObject, ...groups]) {
    const metadata = object.value['metadata'] as
      | { readonly annotations?: Readonly<Record<string, unknown>> }
      | undefined;
    for (const key of Object.keys(metadata?.annotations ?? {})) {
      const path = ['metadata', 'annotations', key];
      const right = caseSensitive.get(key.toLowerCase());
      if (right !== undefined && right !== key) {
        checked.report.add('annotation-case', `OLM does not read ${key}; write it as ${right}`, { ...object, path });
      }
      if (key === 'olm.properties') {
        const message = 'OLM does not read it in a bundle; move the properties to metadata/properties.yaml';
        checked.report.add('properties-annotation', message, { ...object, path });
      }
    }
  }
}
