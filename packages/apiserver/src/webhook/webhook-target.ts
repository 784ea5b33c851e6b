import { WebhookCallError } from './webhook-call-error.ts';

/** Where a webhook is, as webhook configurations and definitions state it. */
export interface ClientConfig {
  readonly url?: string | undefined;
  readonly service?: ServiceReference | undefined;
  /** PEM in base64. Absent or empty: the certificates that Node trusts by default. */
  readonly caBundle?: string | undefined;
}

export interface ServiceReference {
  readonly namespace: string;
  readonly name: string;
  readonly path?: string | undefined;
  /** Default 443. */
  readonly port?: number | undefined;
}

const httpsPort = 443;

/** A webhook's address and how to connect to it. */
export class WebhookTarget {
  /** The URL without parameters: `https://NAME.NAMESPACE.svc:PORT/PATH` for a Service. */
  readonly address: string;
  readonly hostname: string;
  readonly port: number;
  /** Undefined if the webhook is called by URL. */
  readonly service: { readonly namespace: string; readonly name: string } | undefined;
  readonly caBundle: string;

  /** Throws WebhookCallError if there is neither a valid URL nor a Service. */
  static of({ url, service, caBundle = '' }: ClientConfig): WebhookTarget {
    if (service) {
      const port = service.port || httpsPort;
      const host = `${service.name}.${service.namespace}.svc`;
      return new WebhookTarget(
        `https://${host}:${port}${cleanPath(service.path ?? '')}`,
        host,
        port,
        service,
        caBundle,
      );
    }
    if (!url) throw new WebhookCallError('webhook configuration must have either service or URL');
    const parsed = URL.parse(url);
    if (parsed === null) throw new WebhookCallError(`Unparsable URL: parse ${JSON.stringify(url)}: invalid URL`);
    // Go keeps a written port and the case of the host.
    const authority = /^[a-z]+:\/\/([^/?#]*)/i.exec(url)?.[1] ?? parsed.host;
    const address = `${parsed.protocol}//${authority}${cleanPath(parsed.pathname)}`;
    const hostname = parsed.hostname.replace(/^\[|\]$/g, '');
    return new WebhookTarget(address, hostname, Number(parsed.port) || httpsPort, undefined, caBundle);
  }

  private constructor(
    address: string,
    hostname: string,
    port: number,
    service: { readonly namespace: string; readonly name: string } | undefined,
    caBundle: string,
  ) {
    this.address = address;
    this.hostname = hostname;
    this.port = port;
    this.service = service;
    this.caBundle = caBundle;
  }
}

/** Go's `path.Join("/", path)`, and the slash at the end that client-go removes. */
function cleanPath(path: string): string {
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return `/${segments.join('/')}`;
}
