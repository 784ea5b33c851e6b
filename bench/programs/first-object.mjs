// In the process, without TLS: a new server, a custom resource definition and its first object, measured from the
// import.
import { ApiServer } from '@evenkeel/apiserver';
import { createClient } from '@evenkeel/client';

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.bench.example.com' },
  spec: {
    group: 'bench.example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', properties: { size: { type: 'integer', minimum: 0, default: 1 } } } },
          },
        },
      },
    ],
  },
};
const resource = { group: 'bench.example.com', version: 'v1', kind: 'Widget', plural: 'widgets', namespaced: true };
const crds = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  namespaced: false,
};

const imported = performance.now();
const server = await ApiServer.create();
const client = createClient(server.transport());
await client.create(crds, definition);
const widget = await client.create(resource, { metadata: { name: 'first', namespace: 'default' }, spec: {} });
const done = performance.now();
if (widget.spec.size !== 1) throw new Error('the default is missing');
console.log(JSON.stringify({ firstObjectMs: done - imported, importMs: imported }));
await server.close();
