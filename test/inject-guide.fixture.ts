import { IsString } from 'class-validator';
import {
  Controller,
  CustomResource,
  Inject,
  KubernetesObject,
  provider,
  Reconcile,
  Spec,
  Status,
  token,
} from 'evenkeel';
import { injectable } from 'inversify';

export class SiteSpec {
  @IsString() host!: string;
}

export class SiteStatus {
  @IsString() record?: string;
}

@CustomResource({ group: 'docs.example.com', version: 'v1' })
export class Site extends KubernetesObject {
  @Spec() spec!: SiteSpec;
  @Status() status!: SiteStatus;
}

/** A port: what the controller needs, without saying how. */
export abstract class Dns {
  /** Creates the record if it does not exist, and resolves to its name. */
  abstract add(host: string): Promise<string>;
}

export const dnsUrl = token<string>('dnsUrl');

@injectable()
export class HttpDns extends Dns {
  constructor(@Inject(dnsUrl) readonly url: string) {
    super();
  }

  async add(host: string): Promise<string> {
    const response = await fetch(`${this.url}/records/${host}`, { method: 'PUT' });
    if (!response.ok) throw new Error(`PUT ${host}: ${response.status}`);
    return host;
  }
}

@Controller(Site, { wholeCluster: true })
export class SiteController {
  constructor(readonly dns: Dns) {}

  @Reconcile()
  async reconcile({ spec, status }: Site): Promise<void> {
    status.record = await this.dns.add(spec.host);
  }
}

export const services = [
  provider({ provide: Dns, useClass: HttpDns }),
  provider({ provide: dnsUrl, useValue: 'https://dns.example.com' }),
];
