import { type SchemaNode, schemaOf } from '@evenkeel/kinds/schemas';
import { PathSet } from './path-set.ts';
import { widgetSchema } from './widget.fixture.ts';

export interface TestedVersion {
  readonly apiVersion: string;
  readonly path: string;
  readonly schema: SchemaNode;
}

/** A kind for the comparison with the server. */
export interface TestedKind {
  readonly kind: string;
  readonly versions: readonly TestedVersion[];
  readonly builtIn: boolean;
  readonly ignored: PathSet | undefined;
  readonly ignoredInStatus: PathSet | undefined;
  /** Fields of `spec` that the server sets itself after it has set ownership. */
  readonly allocated: readonly string[];
}

export async function testedKinds(): Promise<ReadonlyMap<string, TestedKind>> {
  const builtIn = async (definition: string, path: string, apiVersion: string) => ({
    kind: definition.slice(definition.lastIndexOf('.') + 1),
    versions: [{ apiVersion, path, schema: await schemaOf(definition) }],
    builtIn: true,
    ignored: PathSet.of(['status']),
    allocated: [],
  });
  const core = '/api/v1/namespaces/default';
  const kinds: TestedKind[] = [
    {
      ...(await builtIn('io.k8s.api.core.v1.ConfigMap', `${core}/configmaps`, 'v1')),
      ignored: undefined,
      ignoredInStatus: undefined,
    },
    {
      ...(await builtIn('io.k8s.api.core.v1.Service', `${core}/services`, 'v1')),
      ignoredInStatus: PathSet.of(['spec']),
      allocated: ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy'],
    },
    {
      ...(await builtIn('io.k8s.api.apps.v1.Deployment', '/apis/apps/v1/namespaces/default/deployments', 'apps/v1')),
      ignoredInStatus: PathSet.of(['spec'], ['metadata', 'labels']),
    },
    {
      kind: 'Widget',
      versions: await Promise.all(
        (['v1', 'v2'] as const).map(async (version) => ({
          apiVersion: `apply.example.com/${version}`,
          path: `/apis/apply.example.com/${version}/namespaces/default/widgets`,
          schema: await widgetSchema(version),
        })),
      ),
      builtIn: false,
      ignored: PathSet.of(['status']),
      ignoredInStatus: PathSet.of(['metadata'], ['spec']),
      allocated: [],
    },
  ];
  return new Map(kinds.map((kind) => [kind.kind, kind]));
}
