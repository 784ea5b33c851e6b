import type { KubernetesObject } from '@evenkeel/core';
import type { Container, PodSpec } from '@evenkeel/kinds';
import { jsonEqual, quantityNanos } from '../../apimachinery/index.ts';
import { podNameWarning } from './pod-name-warning.ts';

/**
 * What the server warns of in pod specs that it takes. Not said: what it warns of in affinity, DNS addresses and
 * volumes of systems that are gone. Source: `warningsForPodSpecAndMeta`, `pkg/api/pod/warnings.go`; in its order.
 */
export function podSpecWarnings(spec: PodSpec | undefined, path: string): string[] {
  if (spec === undefined) return [];
  const containers = containersOf(spec, path);
  const warnings = containers.flatMap(([container, at]) => [
    ...fractionWarnings(container, at),
    ...environmentWarnings(container, at),
  ]);
  warnings.push(...portWarnings(containers), ...portNameWarnings(containers));
  if ((spec.terminationGracePeriodSeconds ?? 0) < 0) {
    const detail = 'must be >= 0; negative values are invalid and will be treated as 1';
    warnings.push(`${path}.terminationGracePeriodSeconds: ${detail}`);
  }
  return warnings;
}

/** The warnings of a kind that makes Pods of a template: on create, and where an update changes the template. */
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

function fractionWarnings({ resources }: Container, path: string): string[] {
  return ['memory', 'ephemeral-storage'].flatMap((name) =>
    (['limits', 'requests'] as const).flatMap((list) => {
      const amount = resources?.[list]?.[name];
      if (quantityNanos(amount) % 1_000_000_000n === 0n) return [];
      return [
        `${path}.resources.${list}[${name}]: fractional byte value ${JSON.stringify(amount)} is invalid, must be an integer`,
      ];
    }),
  );
}

/** The second of two variables of one name is meant only where it builds on the first. */
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
    (ports ?? []).flatMap(({ containerPort, protocol, hostIP = '', hostPort = 0 }, index) => {
      const path = `${at}.ports[${index}]`;
      const key = `${containerPort}/${protocol}`;
      const others = known.get(key) ?? [];
      known.set(key, [...others, { path, hostIP, hostPort }]);
      return others.flatMap((other) => {
        if (hostIP === other.hostIP && hostPort === other.hostPort) {
          return [`${path}: duplicate port definition with ${other.path}`];
        }
        if (hostPort === 0 || other.hostPort === 0) return [`${path}: overlapping port definition with ${other.path}`];
        const oneAnywhere = (hostIP === '') !== (other.hostIP === '');
        if (hostPort !== other.hostPort || !oneAnywhere) return [];
        return [`${path}: dangerously ambiguous port definition with ${other.path}`];
      });
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
