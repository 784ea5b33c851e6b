import type { ApiResource } from '@evenkeel/core';
import type { CustomResourceDefinition } from '@evenkeel/kinds';

export const widgets: ApiResource = {
  group: 'testing.example.com',
  version: 'v1',
  kind: 'Widget',
  plural: 'widgets',
  namespaced: true,
};

export const widget = (namespace: string, name: string, spec: object = {}) => ({
  metadata: { name, namespace },
  spec,
});

/** A kind for tests; its objects have a size of 1 to 5. */
export function widgetDefinition(): CustomResourceDefinition {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.testing.example.com' },
    spec: {
      group: widgets.group,
      scope: 'Namespaced',
      names: { kind: 'Widget', listKind: 'WidgetList', plural: 'widgets', singular: 'widget' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: {
                spec: {
                  type: 'object',
                  default: {},
                  properties: { size: { type: 'integer', minimum: 1, maximum: 5, default: 3 } },
                },
              },
            },
          },
        },
      ],
    },
  } as CustomResourceDefinition;
}
