const labels = { app: 'test' };
const pod = { containers: [{ name: 'main', image: 'test' }] };
const template = { metadata: { labels }, spec: pod };
const workload = { spec: { selector: { matchLabels: labels }, template } };
const job = { spec: { template: { spec: { ...pod, restartPolicy: 'Never' } } } };

/** The fields of a valid object besides its metadata, for the built-in kinds for which a test can be made. */
export const exampleObjects: Readonly<Record<string, object>> = {
  'apps/v1/DaemonSet': workload,
  'apps/v1/Deployment': workload,
  'apps/v1/ReplicaSet': workload,
  'apps/v1/StatefulSet': { spec: { serviceName: 'test', ...workload.spec } },
  'batch/v1/CronJob': { spec: { schedule: '0 0 * * *', jobTemplate: job } },
  'batch/v1/Job': job,
  'networking.k8s.io/v1/Ingress': { spec: { defaultBackend: { service: { name: 'test', port: { number: 80 } } } } },
  'networking.k8s.io/v1/NetworkPolicy': { spec: { podSelector: {} } },
  'v1/ConfigMap': {},
  'v1/Pod': { spec: pod },
  'v1/Service': { spec: { ports: [{ port: 80 }] } },
  'v1/ServiceAccount': {},
};
