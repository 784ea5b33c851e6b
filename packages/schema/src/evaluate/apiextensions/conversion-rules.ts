import {
  addErrors,
  childPath,
  dns1035LabelErrors,
  dns1123SubdomainErrors,
  type FieldError,
  forbidden,
  invalid,
  keyPath,
  notSupported,
  required,
} from '../apimachinery.ts';
import { parseReference } from '../format/url.ts';
import { caBundleProblem } from './ca-bundle.ts';
import type { ConversionSpec, WebhookClientConfig } from './custom-resource-definition.ts';

/** The versions of ConversionReview that the API server supports. */
const reviewVersions = ['v1', 'v1beta1'];

/** Whether a conversion lists a supported review version, or none. Otherwise its update does not need one either. */
export function hasKnownReviewVersion(conversion: ConversionSpec | undefined): boolean {
  const versions = conversion?.webhook?.conversionReviewVersions ?? [];
  return versions.length === 0 || versions.some((version) => reviewVersions.includes(version));
}

/** Whether invalid certificates are given. */
export function hasInvalidCaBundle(conversion: ConversionSpec | undefined): boolean {
  const bundle = conversion?.webhook?.clientConfig?.caBundle;
  return Boolean(bundle) && caBundleProblem(bundle ?? '') !== undefined;
}

/** Checks of a conversion that do not apply if the old one violated them. */
export interface ConversionLeniency {
  readonly allowsUnknownReviewVersions: boolean;
  /** Certificates are checked once a kind is served; invalid ones may be replaced by other invalid ones. */
  readonly allowsInvalidCaBundle: boolean;
}

/** The errors of `spec.conversion`. */
export function conversionErrors(conversion: ConversionSpec, path: string, leniency: ConversionLeniency): FieldError[] {
  const errors: FieldError[] = [];
  const { strategy, webhook } = conversion;
  const at = (name: string) => childPath(path, name);
  if (!strategy) errors.push(required(at('strategy')));
  else if (strategy !== 'None' && strategy !== 'Webhook') {
    errors.push(notSupported(at('strategy'), strategy, ['None', 'Webhook']));
  }
  const config = webhook?.clientConfig;
  const versions = webhook?.conversionReviewVersions ?? [];
  if (strategy === 'Webhook') {
    if (config === undefined)
      errors.push(required(at('webhookClientConfig'), 'required when strategy is set to Webhook'));
    else addErrors(errors, clientConfigErrors(config, at('webhookClientConfig'), leniency));
    addErrors(
      errors,
      reviewVersionErrors(versions, at('conversionReviewVersions'), !leniency.allowsUnknownReviewVersions),
    );
    return errors;
  }
  const detail = 'should not be set when strategy is not set to Webhook';
  if (config !== undefined) errors.push(forbidden(at('webhookClientConfig'), detail));
  if (versions.length > 0) errors.push(forbidden(at('conversionReviewVersions'), detail));
  return errors;
}

/** The errors in a list of versions of reviews, for conversion and admission. `detail` is for an empty list. */
export function reviewVersionErrors(
  versions: readonly string[],
  path: string,
  requiresKnown: boolean,
  detail = '',
): FieldError[] {
  if (versions.length === 0) return [required(path, detail)];
  const seen = new Set<string>();
  const errors = versions.flatMap((version, i) => {
    if (seen.size === seen.add(version).size) return [invalid(keyPath(path, i), version, 'duplicate version')];
    return dns1035LabelErrors(version).map((reason) => invalid(keyPath(path, i), version, reason));
  });
  if (requiresKnown && !versions.some((version) => reviewVersions.includes(version))) {
    errors.push(invalid(path, versions, `must include at least one of ${reviewVersions.join(', ')}`));
  }
  return errors;
}

function clientConfigErrors(config: WebhookClientConfig, path: string, leniency: ConversionLeniency): FieldError[] {
  const { caBundle } = config;
  const errors = webhookAddressErrors(config, path);
  const problem = caBundle && !leniency.allowsInvalidCaBundle ? caBundleProblem(caBundle) : undefined;
  if (problem !== undefined) errors.push(invalid(childPath(path, 'caBundle'), caBundle, problem));
  return errors;
}

/** The errors in the URL or Service of a webhook, for conversion and admission. */
export function webhookAddressErrors({ url, service }: WebhookClientConfig, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if ((url === undefined) === (service === undefined)) {
    errors.push(required(path, 'exactly one of url or service is required'));
  } else if (url !== undefined) {
    addErrors(errors, urlErrors(url, childPath(path, 'url')));
  } else if (service !== undefined) {
    addErrors(errors, serviceErrors(service, childPath(path, 'service')));
  }
  return errors;
}

function serviceErrors(service: NonNullable<WebhookClientConfig['service']>, path: string): FieldError[] {
  const at = (name: string) => childPath(path, name);
  const errors: FieldError[] = [];
  // Upstream passes the two in the wrong order, so a missing name is reported for the namespace.
  if (!service.namespace) errors.push(required(at('name')));
  if (!service.name) errors.push(required(at('namespace')));
  const port = service.port ?? 443;
  if (port < 1 || port > 65535) {
    errors.push(invalid(at('port'), port, 'port is not valid: must be between 1 and 65535, inclusive'));
  }
  return [...errors, ...pathErrors(service.path ?? '', at('path'))];
}

const urlForm = '; desired format: https://host[/path]';

function urlErrors(url: string, path: string): FieldError[] {
  const parsed = parseReference(url);
  if (typeof parsed === 'string') return [required(path, `url must be a valid URL: ${parsed}${urlForm}`)];
  const match = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/([^/?#]*))?[^?#]*(?:\?([^#]*))?(?:#(.*))?$/s.exec(url);
  const [, scheme = '', authority = '', query = '', fragment = ''] = match ?? [];
  const at = authority.lastIndexOf('@');
  const errors: FieldError[] = [];
  if (scheme.toLowerCase() !== 'https') {
    errors.push(invalid(path, scheme.toLowerCase(), `'https' is the only allowed URL scheme${urlForm}`));
  }
  if (authority.slice(at + 1) === '') errors.push(invalid(path, '', `host must be specified${urlForm}`));
  if (at >= 0) errors.push(invalid(path, authority.slice(0, at), 'user information is not permitted in the URL'));
  if (fragment !== '') errors.push(invalid(path, fragment, 'fragments are not permitted in the URL'));
  if (query !== '') errors.push(invalid(path, query, 'query parameters are not permitted in the URL'));
  return errors;
}

function pathErrors(urlPath: string, path: string): FieldError[] {
  if (urlPath === '' || urlPath === '/') return [];
  if (urlPath === '//') return [invalid(path, urlPath, 'segment[0] may not be empty')];
  const errors: FieldError[] = [];
  if (!urlPath.startsWith('/')) errors.push(invalid(path, urlPath, "must start with a '/'"));
  urlPath
    .slice(1)
    .replace(/\/$/, '')
    .split('/')
    .forEach((segment, i) => {
      const reasons =
        segment === '' ? [' may not be empty'] : dns1123SubdomainErrors(segment).map((reason) => `: ${reason}`);
      for (const reason of reasons) errors.push(invalid(path, urlPath, `segment[${i}]${reason}`));
    });
  return errors;
}
