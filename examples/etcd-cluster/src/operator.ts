import { defineOperator, provider } from 'evenkeel';
import { Etcd } from './etcd.ts';
import { EtcdClusterController } from './etcd-cluster.controller.ts';
import { EtcdGateway } from './etcd-gateway.ts';

export const operator = defineOperator({
  name: 'example-etcd-cluster',
  controllers: [EtcdClusterController],
  services: [provider({ provide: Etcd, useFactory: () => new EtcdGateway() })],
});
