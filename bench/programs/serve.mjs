// An embedded API server with the CRD of a file, for programs in other processes. It writes its process id beside the
// kubeconfig, as the real server's start does, and exits with its parent.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ApiServer } from '@evenkeel/apiserver';
import { createClient } from '@evenkeel/client';
import { parse } from 'yaml';

const [kubeconfig, definitionFile] = process.argv.slice(2);
const server = await ApiServer.create();
await server.listen();
const definition = parse(readFileSync(definitionFile, 'utf8'));
const crds = { ...definition, group: 'apiextensions.k8s.io', version: 'v1' };
await createClient(server.transport()).create(
  { group: crds.group, version: 'v1', kind: definition.kind, plural: 'customresourcedefinitions', namespaced: false },
  definition,
);
await server.writeKubeconfig(kubeconfig);
writeFileSync(join(dirname(kubeconfig), 'apiserver.pid'), String(process.pid));
console.log('ready');
process.stdin.resume().on('end', () => process.exit(0));
