import type { KubernetesObject } from '@evenkeel/core';
import type { Container, PodAffinity, PodSpec } from '@evenkeel/kinds';
import { goQuote, jsonEqual, quantityNanos } from '../../apimachinery/index.ts';
import { deprecatedNodeLabel } from '../deprecated-node-label.ts';
import { ipWarnings } from '../ip-validation.ts';
import { nodeSelectorTermWarnings } from '../node-selector-validation.ts';
import type { ResourceList } from '../resource-list-defaults.ts';
import { podNameWarning } from './pod-name-warning.ts';
import { volumeWarnings } from './volume-warnings.ts';

/**
 * Returns the server's warnings about valid pod specs, except those about annotations. Source: `warningsForPodSpecAndMeta`, `pkg/api/pod/warnings.go`; in its order.
 */
export function podSpecWarnings(spec: PodSpec | undefined, path: string): string[] {
  if (spec === undefined) return [];
  const containers = containersOf(spec, path);
  const warnings = [
    ...labelWarnings(spec, path),
    ...volumeWarnings(spec, path),
    ...duplicateWarnings(spec, path),
    ...bytesOf(spec.overhead, `${path}.overhead`, 'memory', 'ephemeral-storage'),
    ...containers.flatMap(([container, at]) => [
      ...fractionWarnings(container, at),
      ...environmentWarnings(container, at),
    ]),
  ];
  warnings.push(...portWarnings(containers), ...portNameWarnings(containers));
  if ((spec.terminationGracePeriodSeconds ?? 0) < 0) {
    const detail = 'must be >= 0; negative values are invalid and will be treated as 1';
    warnings.push(`${path}.terminationGracePeriodSeconds: ${detail}`);
  }
  for (const kind of ['podAffinity', 'podAntiAffinity'] as const) {
    warnings.push(...selectorWarnings(spec.affinity?.[kind], `${path}.affinity.${kind}`));
  }
  return [
    ...warnings,
    ...(spec.dnsConfig?.nameservers ?? []).flatMap((address, index) =>
      ipWarnings(address, `${path}.dnsConfig.nameservers[${index}]`),
    ),
    ...(spec.hostAliases ?? []).flatMap(({ ip }, index) => ipWarnings(ip, `${path}.hostAliases[${index}].ip`)),
  ];
}

/** Returns the warnings of a kind with a Pod template: on create, and if an update changes the template. */
export function templateWarnings<T extends KubernetesObject>(
  templateSpecOf: (object: T) => PodSpec | undefined,
  path: string,
): (object: T, old: T | undefined) => readonly string[] {
  return (object, old) => {
    const spec = templateSpecOf(object);
    if (old !== undefined && jsonEqual(spec, templateSpecOf(old))) return [];
    return [...podNameWarning(object, old), ...podSpecWarnings(spec, path)];
  };
}

type Placed = readonly [container: Container, path: string];

function containersOf(spec: PodSpec, path: string): Placed[] {
  const lists = ['initContainers', 'containers', 'ephemeralContainers'] as const;
  return lists.flatMap((list) =>
    ((spec[list] ?? []) as Container[]).map((container, index): Placed => [container, `${path}.${list}[${index}]`]),
  );
}

const noPod = 'a null labelSelector results in matching no pod';

/** Warns about labels of nodes that have another name now, and about missing selectors of spread constraints. */
function labelWarnings({ nodeSelector, affinity, topologySpreadConstraints }: PodSpec, path: string): string[] {
  const {
    requiredDuringSchedulingIgnoredDuringExecution: needed,
    preferredDuringSchedulingIgnoredDuringExecution: wished,
  } = affinity?.nodeAffinity ?? {};
  const at = `${path}.affinity.nodeAffinity`;
  return [
    ...Object.keys(nodeSelector ?? {}).flatMap((key) => {
      const message = deprecatedNodeLabel(key);
      return message === undefined ? [] : [`${path}.nodeSelector[${key}]: ${message}`];
    }),
    ...(needed?.nodeSelectorTerms ?? []).flatMap((term, index) =>
      nodeSelectorTermWarnings(
        term,
        `${at}.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[${index}]`,
      ),
    ),
    ...(wished ?? []).flatMap(({ preference }, index) =>
      nodeSelectorTermWarnings(
        preference ?? {},
        `${at}.preferredDuringSchedulingIgnoredDuringExecution[${index}].preference`,
        'anyValues',
      ),
    ),
    ...(topologySpreadConstraints ?? []).flatMap(({ topologyKey, labelSelector }, index) => {
      const constraint = `${path}.topologySpreadConstraints[${index}]`;
      const message = deprecatedNodeLabel(topologyKey);
      return [
        ...(message === undefined ? [] : [`${constraint}.topologyKey: ${topologyKey} is ${message}`]),
        ...(labelSelector === undefined ? [`${constraint}.labelSelector: ${noPod}`] : []),
      ];
    }),
  ];
}

function selectorWarnings(affinity: PodAffinity | undefined, path: string): string[] {
  const preferred = affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  return [
    ...(affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []).flatMap(({ labelSelector }, index) =>
      labelSelector === undefined
        ? [`${path}.requiredDuringSchedulingIgnoredDuringExecution[${index}].labelSelector: ${noPod}`]
        : [],
    ),
    ...preferred.flatMap(({ podAffinityTerm }, index) => {
      const at = `${path}.preferredDuringSchedulingIgnoredDuringExecution[${index}].podAffinityTerm`;
      return podAffinityTerm?.labelSelector === undefined ? [`${at}.labelSelector: ${noPod}`] : [];
    }),
  ];
}

function duplicateWarnings({ hostAliases = [], imagePullSecrets = [] }: PodSpec, path: string): string[] {
  const again = (values: readonly (string | undefined)[], at: (index: number) => string): string[] => {
    const known = new Set<string>();
    return values.flatMap((value = '', index) => {
      if (known.has(value)) return [`${at(index)} ${goQuote(value)}`];
      known.add(value);
      return [];
    });
  };
  return [
    ...again(
      hostAliases.map(({ ip }) => ip),
      (index) => `${path}.hostAliases[${index}].ip: duplicate ip`,
    ),
    ...again(
      imagePullSecrets.map(({ name }) => name),
      (index) => `${path}.imagePullSecrets[${index}].name: duplicate name`,
    ),
    ...imagePullSecrets.flatMap(({ name }, index) =>
      name ? [] : [`${path}.imagePullSecrets[${index}].name: invalid empty name ""`],
    ),
  ];
}

function fractionWarnings({ resources }: Container, path: string): string[] {
  return ['memory', 'ephemeral-storage'].flatMap((name) =>
    (['limits', 'requests'] as const).flatMap((list) => bytesOf(resources?.[list], `${path}.resources.${list}`, name)),
  );
}

/** Warns about amounts of bytes that are not whole. */
function bytesOf(amounts: ResourceList | undefined, path: string, ...names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const amount = amounts?.[name];
    if (quantityNanos(amount) % 1_000_000_000n === 0n) return [];
    return [`${path}[${name}]: fractional byte value ${JSON.stringify(amount)} is invalid, must be an integer`];
  });
}

/** Warns about a duplicate variable, unless its value refers to the first one. */
function environmentWarnings({ env }: Container, path: string): string[] {
  const names = new Set<string>();
  return (env ?? []).flatMap(({ name, value = '', valueFrom }, index) => {
    const known = names.has(name);
    names.add(name);
    const reference = `$(${name})`;
    if (!known || (valueFrom === undefined && value !== reference && value.includes(reference))) return [];
    const hidden = JSON.stringify(name);
    return [`${path}.env[${index}]: hides previous definition of ${hidden}, which may be dropped when using apply`];
  });
}

function portWarnings(containers: readonly Placed[]): string[] {
  const known = new Map<string, { path: string; hostIP: string; hostPort: number }[]>();
  return containers.flatMap(([{ ports }, at]) =>
    (ports ?? []).flatMap(({ name = '', containerPort, protocol, hostIP = '', hostPort = 0 }, index) => {
      const path = `${at}.ports[${index}]`;
      const shown = `{Name:${name} HostPort:0 ContainerPort:${containerPort} Protocol:${protocol} HostIP:${hostIP}}`;
      const unused = hostIP !== '' && hostPort === 0 ? [`${path}: hostIP set without hostPort: ${shown}`] : [];
      const key = `${containerPort}/${protocol}`;
      const others = known.get(key) ?? [];
      known.set(key, [...others, { path, hostIP, hostPort }]);
      const conflicts = others.flatMap((other) => {
        if (hostIP === other.hostIP && hostPort === other.hostPort) {
          return [`${path}: duplicate port definition with ${other.path}`];
        }
        if (hostPort === 0 || other.hostPort === 0) return [`${path}: overlapping port definition with ${other.path}`];
        const oneAnywhere = (hostIP === '') !== (other.hostIP === '');
        if (hostPort !== other.hostPort || !oneAnywhere) return [];
        return [`${path}: dangerously ambiguous port definition with ${other.path}`];
      });
      return [...unused, ...conflicts];
    }),
  );
}

function portNameWarnings(containers: readonly Placed[]): string[] {
  const known = new Map<string, string>();
  return containers.flatMap(([{ ports }, at]) =>
    (ports ?? []).flatMap(({ name }, index) => {
      if (!name) return [];
      const path = `${at}.ports[${index}]`;
      const other = known.get(name);
      if (other === undefined) {
        known.set(name, path);
        return [];
      }
      const use = `services and probes that select ports by name will use ${other}`;
      return [`${path}: duplicate port name ${JSON.stringify(name)} with ${other}, ${use}`];
    }),
  );
}
