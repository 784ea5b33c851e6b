import type {
  EndpointSlice,
  Endpoints,
  Ingress,
  IngressClass,
  IPAddress,
  NetworkPolicy,
  Service,
  ServiceCIDR,
} from '@evenkeel/kinds';
import { ageOf, firstOf, formatLabels, formatSelector } from './cell.ts';
import { ageColumn, column, definePrinter, nameColumn, wideColumn } from './define-printer.ts';

/* Kinds of the network. Source: `pkg/printers/internalversion/printers.go`. */

const mostShown = 3;

export const servicePrinter = definePrinter<Service>({
  columns: [
    nameColumn,
    column('Type'),
    column('Cluster-IP'),
    column('External-IP'),
    column('Port(s)'),
    ageColumn,
    wideColumn('Selector'),
  ],
  cells: (object, now) => [
    object.metadata.name,
    object.spec?.type ?? '',
    object.spec?.clusterIPs?.[0] ?? '<none>',
    externalAddress(object),
    servicePorts(object),
    ageOf(object, now),
    formatLabels(object.spec?.selector),
  ],
});

export const endpointsPrinter = definePrinter<Endpoints>({
  columns: [nameColumn, column('Endpoints'), ageColumn],
  cells: (object, now) => [object.metadata.name, formatSubsets(object), ageOf(object, now)],
});

export const endpointSlicePrinter = definePrinter<EndpointSlice>({
  columns: [nameColumn, column('AddressType'), column('Ports'), column('Endpoints'), ageColumn],
  cells(object, now) {
    const ports = (object.ports ?? []).map(({ name, port }) => String(port ?? name ?? '*'));
    const addresses = (object.endpoints ?? []).flatMap((endpoint) => endpoint.addresses ?? []);
    return [
      object.metadata.name,
      object.addressType,
      firstOf(ports, mostShown) || '<unset>',
      firstOf(addresses, mostShown) || '<unset>',
      ageOf(object, now),
    ];
  },
});

export const ingressPrinter = definePrinter<Ingress>({
  columns: [nameColumn, column('Class'), column('Hosts'), column('Address'), column('Ports'), ageColumn],
  cells: (object, now) => [
    object.metadata.name,
    object.spec?.ingressClassName ?? '<none>',
    ingressHosts(object),
    loadBalancerAddresses(object.status?.loadBalancer?.ingress),
    (object.spec?.tls ?? []).length > 0 ? '80, 443' : '80',
    ageOf(object, now),
  ],
});

export const ingressClassPrinter = definePrinter<IngressClass>({
  columns: [nameColumn, column('Controller'), column('Parameters'), ageColumn],
  cells(object, now) {
    const { metadata, spec } = object;
    const isDefault = metadata.annotations?.['ingressclass.kubernetes.io/is-default-class'] === 'true';
    const parameters = spec?.parameters;
    const group = parameters?.apiGroup === undefined ? '' : `.${parameters.apiGroup}`;
    return [
      isDefault ? `${metadata.name} (default)` : metadata.name,
      spec?.controller ?? '',
      parameters === undefined ? '<none>' : `${parameters.kind}${group}/${parameters.name}`,
      ageOf(object, now),
    ];
  },
});

export const networkPolicyPrinter = definePrinter<NetworkPolicy>({
  columns: [nameColumn, column('Pod-Selector'), ageColumn],
  cells: (object, now) => [object.metadata.name, formatSelector(object.spec?.podSelector), ageOf(object, now)],
});

export const serviceCidrPrinter = definePrinter<ServiceCIDR>({
  columns: [nameColumn, column('CIDRs'), ageColumn],
  cells: (object, now) => [object.metadata.name, (object.spec?.cidrs ?? []).join(','), ageOf(object, now)],
});

export const ipAddressPrinter = definePrinter<IPAddress>({
  columns: [nameColumn, column('ParentRef')],
  // As upstream, the age is a cell without a column.
  cells(object, now) {
    const parent = object.spec?.parentRef;
    const resource = parent?.group ? `${parent.resource}.${parent.group}` : (parent?.resource ?? '');
    const path = [resource.toLowerCase(), ...(parent?.namespace ? [parent.namespace] : []), parent?.name ?? ''];
    return [object.metadata.name, parent === undefined ? '<none>' : path.join('/'), ageOf(object, now)];
  },
});

function externalAddress({ spec, status }: Service): string {
  const external = spec?.externalIPs ?? [];
  switch (spec?.type) {
    case 'ClusterIP':
    case 'NodePort':
      return external.length > 0 ? external.join(',') : '<none>';
    case 'LoadBalancer': {
      const balanced = loadBalancerAddresses(status?.loadBalancer?.ingress);
      return [...(balanced === '' ? [] : [balanced]), ...external].join(',') || '<pending>';
    }
    case 'ExternalName':
      return spec.externalName ?? '';
    default:
      return '<unknown>';
  }
}

function loadBalancerAddresses(ingress: readonly { ip?: string; hostname?: string }[] | undefined): string {
  const addresses = new Set((ingress ?? []).map(({ ip, hostname }) => ip || hostname || ''));
  addresses.delete('');
  return [...addresses].sort().join(',');
}

function servicePorts({ spec }: Service): string {
  const ports = (spec?.ports ?? []).map(({ port, nodePort, protocol }) =>
    nodePort ? `${port}:${nodePort}/${protocol}` : `${port}/${protocol}`,
  );
  return ports.length > 0 ? ports.join(',') : '<none>';
}

function formatSubsets({ subsets }: Endpoints): string {
  if (subsets === undefined || subsets.length === 0) return '<none>';
  const list = subsets.flatMap(({ addresses = [], ports = [] }) =>
    ports.length === 0
      ? addresses.map(({ ip }) => ip)
      : ports.flatMap(({ port }) =>
          addresses.map(({ ip }) => (ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`)),
        ),
  );
  return firstOf(list, mostShown);
}

/** As upstream, stops at the third host. Rules without a host count as hosts that are not shown. */
function ingressHosts({ spec }: Ingress): string {
  const rules = spec?.rules ?? [];
  const hosts: string[] = [];
  let more = false;
  for (const { host } of rules) {
    if (hosts.length === mostShown) more = true;
    if (!more && host) hosts.push(host);
  }
  if (hosts.length === 0) return '*';
  return more ? `${hosts.join(',')} + ${rules.length - mostShown} more...` : hosts.join(',');
}
