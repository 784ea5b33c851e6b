import type { EndpointSlice, Endpoints } from '@evenkeel/kinds';
import { jsonEqual } from '../../apimachinery/index.ts';
import { defineStrategy } from '../define-strategy.ts';

/** Sources: `SetDefaults_Endpoints`, `pkg/registry/core/endpoint/strategy.go`. */
export const endpointsStrategy = defineStrategy<Endpoints>({
  default({ subsets }) {
    for (const { ports } of subsets ?? []) for (const port of ports ?? []) port.protocol ||= 'TCP';
  },
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
    // Go writes both lists also where they are empty, and what is stored forgets that they are not nil.
    for (const list of ['endpoints', 'ports'] as const) {
      if ((slice[list] ?? []).length === 0) Object.assign(slice, { [list]: null });
    }
  },
  generation: (object, old) =>
    !jsonEqual(withoutMetadata(object), withoutMetadata(old)) ||
    !jsonEqual(object.metadata.labels ?? {}, old.metadata.labels ?? {}),
});

function withoutMetadata({ metadata: _, ...rest }: EndpointSlice): object {
  return rest;
}
