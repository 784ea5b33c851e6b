import { CustomResource, type CustomResourceOptions, KubernetesObject } from '@evenkeel/core';

/** A class for one version of a kind; the default kind is `things.example.com`. */
export function versionClass(name: string, options: Partial<CustomResourceOptions>): new () => KubernetesObject {
  const type = class extends KubernetesObject {};
  Object.defineProperty(type, 'name', { value: name });
  CustomResource({ group: 'example.com', version: 'v1', kind: 'Thing', ...options })(type);
  return type;
}
