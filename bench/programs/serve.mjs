// An embedded API server with the example's CRD, for an operator in another process. It exits with its parent.
import { readFileSync } from 'node:fs';
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
console.log('ready');
process.stdin.resume().on('end', () => process.exit(0));
