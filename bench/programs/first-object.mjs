// In the process, without TLS: the import, a new server, a custom resource definition and its first object.
const started = performance.now();
const { ApiServer } = await import('@evenkeel/apiserver');
const { createClient } = await import('@evenkeel/client');
const imported = performance.now();

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

const server = await ApiServer.create();
const client = createClient(server.transport());
await client.create(crds, definition);
const widget = await client.create(resource, { metadata: { name: 'first', namespace: 'default' }, spec: {} });
const done = performance.now();
if (widget.spec.size !== 1) throw new Error('the default is missing');
console.log(JSON.stringify({ firstObjectMs: done - imported, importMs: imported - started }));
await server.close();
