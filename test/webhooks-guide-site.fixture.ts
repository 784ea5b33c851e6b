import { CustomResource, KubernetesObject, Spec } from 'evenkeel';

export class SiteSpec {
  /** The host name. Default: the name of the site, below example.com. */
  host?: string;
  replicas: number = 1;
}

@CustomResource({ group: 'web.example.com', version: 'v1' })
export class Site extends KubernetesObject {
  @Spec() spec!: SiteSpec;
}
