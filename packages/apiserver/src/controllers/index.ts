import type { EmbeddedController } from './controller.ts';
import { deploymentController } from './deployment-controller.ts';
import { endpointSliceController } from './endpoint-slice-controller.ts';
import { endpointsController } from './endpoints-controller.ts';
import { garbageCollector } from './garbage-collector.ts';
import { jobController } from './job-controller.ts';
import { kubelet } from './kubelet.ts';
import { loadBalancerController } from './load-balancer-controller.ts';
import { namespaceController } from './namespace-controller.ts';
import { replicaSetController } from './replica-set-controller.ts';
import { rootCaPublisher } from './root-ca-publisher.ts';
import { scheduler } from './scheduler.ts';
import { serviceAccountController } from './service-account-controller.ts';
import { ttlAfterFinishedController } from './ttl-after-finished-controller.ts';

/** Every controller an embedded cluster has, as a real one with a scheduler, a node and a cloud would. */
export const embeddedControllers: readonly EmbeddedController[] = [
  namespaceController,
  serviceAccountController,
  rootCaPublisher,
  garbageCollector,
  deploymentController,
  replicaSetController,
  jobController,
  ttlAfterFinishedController,
  scheduler,
  kubelet,
  endpointSliceController,
  endpointsController,
  loadBalancerController,
];
