import type { InstallModeType } from './install-modes.ts';

/** How users install an operator from a catalog. */
export interface CatalogInstallation {
  readonly packageName: string;
  readonly displayName: string;
  readonly publisher: string;
  /** The image of the catalog. */
  readonly catalogImage: string;
  readonly channel: string;
  /** The namespace of the operator's pods. */
  readonly namespace: string;
  readonly installModes: readonly InstallModeType[];
  /** The namespaces that the operator declares; undefined for all. */
  readonly namespaces: readonly string[] | undefined;
}

/** How often OLM looks for a new catalog under the same tag, in minutes. */
const pollMinutes = 10;

/** Returns the objects with which OLM v0 installs an operator and keeps it up to date, in the order in which they should be applied. */
export function installManifestsV0(installation: CatalogInstallation): readonly object[] {
  const { packageName, displayName, publisher, catalogImage, channel, namespace } = installation;
  const source = catalogName(packageName);
  return [
    namespaceObject(namespace),
    {
      apiVersion: 'operators.coreos.com/v1alpha1',
      kind: 'CatalogSource',
      metadata: { name: source, namespace },
      spec: {
        ...{ sourceType: 'grpc', image: catalogImage, displayName, publisher },
        // The namespace may enforce the restricted profile of pod security.
        grpcPodConfig: { securityContextConfig: 'restricted' },
        ...(isFixed(catalogImage) ? {} : { updateStrategy: { registryPoll: { interval: `${pollMinutes}m` } } }),
      },
    },
    {
      apiVersion: 'operators.coreos.com/v1',
      kind: 'OperatorGroup',
      metadata: { name: packageName, namespace },
      spec: targetsOf(installation),
    },
    {
      apiVersion: 'operators.coreos.com/v1alpha1',
      kind: 'Subscription',
      metadata: { name: packageName, namespace },
      spec: { name: packageName, channel, source, sourceNamespace: namespace, installPlanApproval: 'Automatic' },
    },
  ];
}

/**
 * Returns the objects with which OLM v1 installs an operator and keeps it up to date; none if the operator does not support all namespaces,
 * because OLM v1 then rejects it.
 */
export function installManifestsV1(installation: CatalogInstallation): readonly object[] {
  const { packageName, catalogImage, channel, namespace, installModes } = installation;
  if (!installModes.includes('AllNamespaces')) return [];
  const catalog = catalogName(packageName);
  return [
    namespaceObject(namespace),
    {
      apiVersion: 'olm.operatorframework.io/v1',
      kind: 'ClusterCatalog',
      metadata: { name: catalog },
      spec: {
        source: {
          type: 'Image',
          image: { ref: catalogImage, ...(isFixed(catalogImage) ? {} : { pollIntervalMinutes: pollMinutes }) },
        },
      },
    },
    {
      apiVersion: 'olm.operatorframework.io/v1',
      kind: 'ClusterExtension',
      metadata: { name: packageName },
      spec: {
        namespace,
        source: {
          sourceType: 'Catalog',
          catalog: {
            packageName,
            channels: [channel],
            // Another catalog may have a package with the same name.
            selector: { matchLabels: { 'olm.operatorframework.io/metadata.name': catalog } },
            upgradeConstraintPolicy: 'CatalogProvided',
          },
        },
      },
    },
  ];
}

function catalogName(packageName: string): string {
  return `${packageName}-catalog`;
}

function namespaceObject(name: string): object {
  const modes = ['enforce', 'audit', 'warn'].map((mode) => [`pod-security.kubernetes.io/${mode}`, 'restricted']);
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels: Object.fromEntries(modes) } };
}

/** The most that the operator supports. An OperatorGroup without targets is for all namespaces. */
function targetsOf({ installModes, namespaces, namespace }: CatalogInstallation): object {
  if (installModes.includes('AllNamespaces')) return {};
  return { targetNamespaces: namespaces ?? [namespace] };
}

function isFixed(image: string): boolean {
  return image.includes('@');
}
