// The code of programs that use client-node and Evenkeel.
import { type Connection, loadConnection } from '@evenkeel/client';
import { CoreV1Api, type KubeConfig } from '@kubernetes/client-node';
import { clientNodeConfig } from 'evenkeel/client-node';

const connection: Connection = await loadConnection({ kubeconfig: process.argv[2] ?? '' });
const config: KubeConfig = await clientNodeConfig(connection);
const api: CoreV1Api = config.makeApiClient(CoreV1Api);
console.log(JSON.stringify({ server: config.getCurrentCluster()?.server, lists: typeof api.listNamespacedPod }));
