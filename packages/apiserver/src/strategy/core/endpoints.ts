import type { EndpointSlice, Endpoints } from '@evenkeel/kinds';
import { jsonEqual } from '../../apimachinery/index.ts';
import { defineStrategy } from '../define-strategy.ts';
import { validateImmutable } from '../number-validation.ts';
import { validateEndpointSlice, validateEndpoints } from './endpoints-validation.ts';

/** Sources: `SetDefaults_Endpoints`, `pkg/registry/core/endpoint/strategy.go`. */
export const endpointsStrategy = defineStrategy<Endpoints>({
  default({ subsets }) {
    for (const { ports } of subsets ?? []) for (const port of ports ?? []) port.protocol ||= 'TCP';
  },
  validate: (object) => validateEndpoints(object),
  validateUpdate: validateEndpoints,
  generation: 'never',
  allowCreateOnUpdate: true,
});

/** Sources: `pkg/apis/discovery/v1/defaults.go`, `pkg/registry/discovery/endpointslice/strategy.go`. */
export const endpointSliceStrategy = defineStrategy<EndpointSlice>({
  default(slice) {
    for (const port of slice.ports ?? []) {
      port.name ??= '';
      port.protocol ??= 'TCP';
    }
  },
  canonicalize(slice) {
    // Go writes both lists even if they are empty, and the stored form does not distinguish empty from nil.
    for (const list of ['endpoints', 'ports'] as const) {
      if ((slice[list] ?? []).length === 0) Object.assign(slice, { [list]: null });
    }
  },
  prepareForCreate: dropTopology,
  prepareForUpdate: dropTopology,
  validate: (object) => validateEndpointSlice(object),
  validateUpdate: (object, old) => [
    ...validateEndpointSlice(object, old),
    ...validateImmutable(object.addressType ?? '', old.addressType ?? '', 'addressType'),
  ],
  warnings: ({ addressType }, old) =>
    addressType === 'FQDN' && old === undefined ? ['spec.addressType: FQDN endpoints are deprecated'] : [],
  generation: (object, old) =>
    !jsonEqual(contentOf(object), contentOf(old)) ||
    !jsonEqual(object.metadata.labels ?? {}, old.metadata.labels ?? {}),
});

/** What a slice consists of. An empty list is equal to a missing one. */
function contentOf({ addressType, endpoints, ports }: EndpointSlice): object {
  return { addressType, endpoints: endpoints ?? [], ports: ports ?? [] };
}

/** The topology of endpoints cannot be written in v1. */
function dropTopology({ endpoints }: EndpointSlice): void {
  for (const endpoint of endpoints ?? []) delete endpoint.deprecatedTopology;
}
