// The kind of bench.crd.yaml.
import { apiResource, KubernetesObject } from '@evenkeel/core';

export class Bench extends KubernetesObject {
  static [apiResource] = {
    group: 'bench.example.com',
    version: 'v1',
    kind: 'Bench',
    plural: 'benches',
    namespaced: true,
  };
}
