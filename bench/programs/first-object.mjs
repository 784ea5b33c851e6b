// In the process, without TLS: the import, a new server, a custom resource definition and its first object.
import { CustomResourceDefinition, Widget, widgetDefinition } from './bench-widget.mjs';

const started = performance.now();
const { ApiServer } = await import('@evenkeel/apiserver');
const { createClient } = await import('@evenkeel/client');
const imported = performance.now();

const server = await ApiServer.create();
const client = createClient(server.transport());
await client.create(CustomResourceDefinition, widgetDefinition);
const widget = await client.create(Widget, { metadata: { name: 'first', namespace: 'default' }, spec: {} });
const done = performance.now();
if (widget.spec.size !== 1) throw new Error('the default is missing');
console.log(JSON.stringify({ firstObjectMs: done - imported, importMs: imported - started }));
await server.close();
