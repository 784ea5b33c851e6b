import type { Document } from 'yaml';
import { variablesOf } from '../manifests/manager-files.ts';
import { yamlOptions } from '../manifests/manifest-file.ts';
import { type ChartValue, forms } from './chart-value.ts';
import type { OperatorChart } from './operator-chart.ts';

/** Returns the values of an operator's chart, in the order of `values.yaml`. */
export function chartValues(chart: OperatorChart): ChartValue[] {
  const { definitions, pods } = chart;
  const hasDefinitions = definitions.length > 0;
  return [
    ...(pods === undefined ? [] : valuesOfPods(chart, pods)),
    ...(hasDefinitions ? valuesOfDefinitions(chart) : []),
    value('custom', {}, 'Values for the templates in custom/.', forms.mapping),
  ];
}

/** Whether the operator may have any number of pods. */
export function scales({ isAlone }: NonNullable<OperatorChart['pods']>): boolean {
  return !isAlone;
}

function value(path: string, initial: unknown, about: string, schema: object): ChartValue {
  return { path: path.split('.') as [string], default: initial, about, schema };
}

function valuesOfPods(chart: OperatorChart, pods: NonNullable<OperatorChart['pods']>): ChartValue[] {
  const { namespaces, certificates, serviceMonitor, alerts, dashboard, networkPolicy } = chart;
  const { text, flag, list, mapping, strings } = forms;
  const image = imageParts(pods.image);
  const watched = { type: 'array', uniqueItems: true, items: { type: 'string', minLength: 1 } };
  const declared = { type: 'array', uniqueItems: true, minItems: 1, items: { enum: namespaces } };
  return [
    value('image.repository', image.repository, 'The image without its tag.', { type: 'string', minLength: 1 }),
    value('image.tag', image.tag, 'Its tag.', text),
    value('image.digest', image.digest, 'The digest of the image, instead of its tag: sha256:...', text),
    value('image.pullPolicy', 'IfNotPresent', 'When nodes pull the image.', {
      enum: ['Always', 'IfNotPresent', 'Never'],
    }),
    value('imagePullSecrets', [], 'References to the Secrets with which nodes pull the image: [{ name: ... }].', list),
    ...(scales(pods) ? [value('replicas', pods.replicas, 'The number of pods.', { type: 'integer', minimum: 0 })] : []),
    namespaces === undefined
      ? value(
          'namespaces',
          [],
          'The namespaces that the operator watches, for which it gets Roles; [] for all.',
          watched,
        )
      : value(
          'namespaces',
          namespaces,
          'The namespaces that the operator watches, of those that it declares.',
          declared,
        ),
    value('resources', pods.resources, 'The resource requests and limits of the container.', mapping),
    value('extraArgs', [], 'More arguments of the operator.', list),
    value('env', variablesOf(pods), 'Environment variables of the operator: [{ name: ..., value: ... }].', list),
    value('envFrom', [], 'ConfigMaps and Secrets with environment variables.', list),
    value('volumes', [], 'More volumes of the pods.', list),
    value('volumeMounts', [], "More mounts of the operator's container.", list),
    value('extraContainers', [], 'More containers of the pods.', list),
    value('podAnnotations', {}, 'Annotations of the pods.', strings),
    value('podLabels', {}, 'More labels of the pods.', strings),
    value('nodeSelector', {}, 'The labels of the nodes for the pods.', strings),
    value('tolerations', [], 'The taints that the pods tolerate.', list),
    value('affinity', {}, 'The affinity of the pods.', mapping),
    value('priorityClassName', '', 'The PriorityClass of the pods.', text),
    value('serviceAccount.create', true, 'Whether the chart creates the ServiceAccount.', flag),
    value('serviceAccount.name', pods.serviceAccount, 'Its name.', { type: 'string', minLength: 1 }),
    value('serviceAccount.annotations', {}, 'Its annotations.', strings),
    value('rbac.create', true, "Whether the chart creates the operator's roles and their bindings.", flag),
    ...(pods.servesMetrics
      ? [
          value('metrics.enabled', true, 'Whether the operator serves metrics.', flag),
          value('metrics.serviceMonitor', serviceMonitor, 'Whether to create a ServiceMonitor.', flag),
          value('metrics.alerts', alerts, 'Whether to create a PrometheusRule with alerts.', flag),
          value('metrics.dashboard', dashboard, 'Whether to create the ConfigMap of a Grafana dashboard.', flag),
        ]
      : []),
    value(
      'networkPolicy.enabled',
      networkPolicy,
      'Whether to create a NetworkPolicy, which limits who may connect to the pods.',
      flag,
    ),
    ...(scales(pods)
      ? [
          value(
            'podDisruptionBudget.enabled',
            true,
            'Whether to allow only one eviction at a time, if there are several pods.',
            flag,
          ),
        ]
      : []),
    ...(certificates === 'cert-manager'
      ? [
          value(
            'certificates.issuerRef',
            {},
            "cert-manager's issuer of the webhooks' certificate: { kind: ClusterIssuer, name: ... }; {} for a generated authority.",
            mapping,
          ),
        ]
      : []),
    ...(certificates === 'files' && pods.servingSecret !== undefined
      ? [
          value('certificates.secretName', pods.servingSecret, "The Secret with the webhooks' certificate.", {
            type: 'string',
            minLength: 1,
          }),
        ]
      : []),
  ];
}

function valuesOfDefinitions({ aggregateRoles }: OperatorChart): ChartValue[] {
  const { flag } = forms;
  return [
    value('crds.install', true, 'Whether the chart installs and upgrades the CRDs.', flag),
    value('crds.keep', true, 'Whether the CRDs and all their objects survive "helm uninstall".', flag),
    value('userRoles.create', true, 'Whether the chart creates roles for the users of the kinds.', flag),
    value('userRoles.aggregate', aggregateRoles, 'Whether the roles admin, edit and view contain these roles.', flag),
  ];
}

/** `registry:5000/sites:1.2@sha256:0a` has all parts. */
function imageParts(image: string): { readonly repository: string; readonly tag: string; readonly digest: string } {
  const [named = '', digest = ''] = image.split('@');
  const colon = named.lastIndexOf(':');
  const hasTag = colon > named.lastIndexOf('/');
  return {
    repository: hasTag ? named.slice(0, colon) : named,
    tag: hasTag ? named.slice(colon + 1) : digest === '' ? 'latest' : '',
    digest,
  };
}

/**
 * Returns `values.yaml`.
 *
 * @param own the values of the user, which replace defaults.
 */
export function valuesYaml(
  document: typeof Document,
  values: readonly ChartValue[],
  own: Readonly<Record<string, unknown>>,
  header: string,
): string {
  const made = new document(
    nested(values, (entry) => entry.default),
    { aliasDuplicateObjects: false },
  );
  for (const { path, about } of values) comment(made, path, about);
  for (const path of leavesOf(own)) made.setIn(path.names, made.createNode(path.value));
  return `${header}\n\n${made.toString(yamlOptions)}`;
}

function comment(document: Document, path: readonly string[], about: string): void {
  const [last] = path.slice(-1);
  const parent: unknown = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  const { items = [] } = parent as { readonly items?: readonly { readonly key: unknown }[] };
  const key = items
    .map((item) => item.key as { value?: unknown; commentBefore?: string })
    .find(({ value: name }) => name === last);
  if (key !== undefined) key.commentBefore = ` ${about}`;
}

interface Leaf {
  readonly names: readonly string[];
  readonly value: unknown;
}

/** The values that are not mappings, or are empty mappings. */
function leavesOf(values: Readonly<Record<string, unknown>>, above: readonly string[] = []): Leaf[] {
  return Object.entries(values).flatMap(([name, entry]) => {
    const names = [...above, name];
    const isMapping = typeof entry === 'object' && entry !== null && !Array.isArray(entry);
    return isMapping && Object.keys(entry).length > 0
      ? leavesOf(entry as Readonly<Record<string, unknown>>, names)
      : [{ names, value: entry }];
  });
}

/**
 * Returns the JSON Schema of the values, with which Helm rejects misspelt and invalid ones.
 *
 * @param own the values of the user; the schema allows any for those that the chart does not know.
 */
export function valuesSchema(
  values: readonly ChartValue[],
  own: Readonly<Record<string, unknown>>,
  about: string,
): string {
  const described = nested(values, ({ about: description, schema }) => new Leafed({ description, ...schema }));
  const known = schemaOf(described) as { properties: Record<string, unknown> };
  // Charts that contain this one pass it `global`, and Helm itself the name of a condition.
  const others = ['global', ...Object.keys(own).filter((name) => !Object.hasOwn(described, name))];
  const properties = { ...known.properties, ...Object.fromEntries(others.map((name) => [name, {}])) };
  const schema = { $comment: about, $schema: 'http://json-schema.org/draft-07/schema#', ...known, properties };
  return `${JSON.stringify(schema, undefined, 2)}\n`;
}

/** Distinguishes a schema from a mapping of schemas. */
class Leafed {
  readonly schema: object;

  constructor(schema: object) {
    this.schema = schema;
  }
}

function schemaOf(node: unknown): object {
  if (node instanceof Leafed) return node.schema;
  const entries = Object.entries(node as object).map(([name, child]) => [name, schemaOf(child)] as const);
  return { type: 'object', additionalProperties: false, properties: Object.fromEntries(entries) };
}

function nested<T>(values: readonly ChartValue[], of: (value: ChartValue) => T): Record<string, unknown> {
  const root: Record<string, unknown> = {};
  for (const entry of values) {
    let at = root;
    for (const name of entry.path.slice(0, -1)) {
      at[name] ??= {};
      at = at[name] as Record<string, unknown>;
    }
    const [last = ''] = entry.path.slice(-1);
    at[last] = of(entry);
  }
  return root;
}
