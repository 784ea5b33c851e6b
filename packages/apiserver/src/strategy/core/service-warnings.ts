import type { Service } from '@evenkeel/kinds';

/** Source: `GetWarningsForService`, `pkg/api/service/warnings.go`; in its order, without its advice on how to write addresses. */
export function serviceWarnings({ spec }: Service): readonly string[] {
  if (spec === undefined) return [];
  const headless = spec.clusterIPs?.length === 1 && spec.clusterIPs[0] === 'None';
  const external = (spec.externalIPs ?? []).length > 0;
  const named = spec.type === 'ExternalName';
  const found: [boolean, string][] = [
    [headless && Boolean(spec.loadBalancerIP), 'spec.loadBalancerIP is ignored for headless services'],
    [headless && external, 'spec.externalIPs is ignored for headless services'],
    [headless && spec.sessionAffinity !== 'None', 'spec.SessionAffinity is ignored for headless services'],
    [
      external && !headless && !named,
      'spec.externalIPs is deprecated and may no longer be implemented in some clusters',
    ],
    [named && external, 'spec.externalIPs is ignored when spec.type is "ExternalName"'],
    [!named && Boolean(spec.externalName), 'spec.externalName is ignored when spec.type is not "ExternalName"'],
    [
      spec.trafficDistribution === 'PreferClose',
      'spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"',
    ],
  ];
  return found.filter(([applies]) => applies).map(([, warning]) => warning);
}
