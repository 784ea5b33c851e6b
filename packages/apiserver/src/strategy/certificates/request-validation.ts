import { X509Certificate } from 'node:crypto';
import { parseCertificateRequest } from '@evenkeel/apimachinery/certificate-request';
import type { CertificateSigningRequest } from '@evenkeel/kinds';
import {
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  duplicate,
  type FieldError,
  forbidden,
  goQuote,
  invalid,
  jsonEqual,
  notSupported,
  required,
  tooLong,
} from '../../apimachinery/index.ts';
import { validateChoice } from '../number-validation.ts';

type Request = CertificateSigningRequest;

const usages: readonly string[] = [
  ...['any', 'cert sign', 'client auth', 'code signing', 'content commitment', 'crl sign', 'data encipherment'],
  ...['decipher only', 'digital signature', 'email protection', 'encipher only', 'ipsec end system', 'ipsec tunnel'],
  ...['ipsec user', 'key agreement', 'key encipherment', 'microsoft sgc', 'netscape sgc', 'ocsp signing', 's/mime'],
  ...['server auth', 'signing', 'timestamping'],
];

/** The validation of a new request: `validateCertificateSigningRequest` of upstream's `pkg/apis/certificates/validation`. */
export function validateRequest(object: Request): readonly FieldError[] {
  const { spec } = object;
  const errors: FieldError[] = [];
  const why = requestProblem(spec.request);
  if (why !== undefined) errors.push(invalid('spec.request', spec.request ?? null, why));
  const given: readonly string[] = spec.usages ?? [];
  if (given.length === 0) errors.push(required('spec.usages'));
  for (const [index, usage] of given.entries()) {
    if (!usages.includes(usage)) errors.push(notSupported(`spec.usages[${index}]`, usage, usages));
  }
  for (const [index, usage] of given.entries()) {
    if (given.indexOf(usage) < index) errors.push(duplicate(`spec.usages[${index}]`, usage));
  }
  errors.push(...validateSignerName(spec.signerName ?? ''));
  if (spec.expirationSeconds !== undefined && spec.expirationSeconds < 600) {
    const detail = 'may not specify a duration less than 600 seconds (10 minutes)';
    errors.push(invalid('spec.expirationSeconds', spec.expirationSeconds, detail));
  }
  return [...errors, ...validateConditions(object), ...validateCertificate(object)];
}

export function validateRequestUpdate(object: Request, old: Request): readonly FieldError[] {
  return [...validateRequest(object), ...changedConditions(object, old, ['Approved', 'Denied', 'Failed'], 'remove')];
}

/** Of the subresource `approval`. */
export const validateApproval = validateRequestUpdate;

/** Of the status, which a signer writes. It can neither approve nor deny. */
export function validateSigning(object: Request, old: Request): readonly FieldError[] {
  const errors = [
    ...validateRequestUpdate(object, old),
    ...changedConditions(object, old, ['Approved', 'Denied'], 'add'),
  ];
  for (const type of ['Approved', 'Denied']) {
    const [now, then] = [object, old].map((it) => (it.status?.conditions ?? []).filter((one) => one.type === type));
    if (now?.length === then?.length && !jsonEqual(now, then)) {
      errors.push(forbidden('status.conditions', `updates may not modify a condition of type ${goQuote(type)}`));
    }
  }
  const before = old.status?.certificate ?? '';
  if (before !== '' && before !== (object.status?.certificate ?? '')) {
    errors.push(forbidden('status.certificate', 'updates may not modify existing certificate content'));
  }
  return errors;
}

function requestProblem(base64: string | undefined): string | undefined {
  try {
    parseCertificateRequest(base64 ?? '');
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

function validateSignerName(name: string): readonly FieldError[] {
  const path = 'spec.signerName';
  if (name === '') return [required(path)];
  if (name === 'kubernetes.io/legacy-unknown') {
    return [invalid(path, name, 'the legacy signerName is not allowed via this API version')];
  }
  const [domain = '', rest, ...more] = name.split('/');
  if (rest === undefined || more.length > 0) {
    return [invalid(path, name, "must be a fully qualified domain and path of the form 'example.com/signer-name'")];
  }
  const labelErrors = (part: string, check: (label: string) => readonly string[]): readonly FieldError[] =>
    part
      .split('.')
      .flatMap((label) => check(label).map((why) => invalid(path, part, `validating label ${goQuote(label)}: ${why}`)));
  return [
    ...(domain.length > 253 ? [tooLong(path, 253)] : []),
    ...labelErrors(domain, dns1123LabelErrors),
    ...(domain.includes('.')
      ? []
      : [invalid(path, domain, 'should be a domain with at least two segments separated by dots')]),
    ...labelErrors(rest, dns1123SubdomainErrors),
  ];
}

const onlyTrue: readonly string[] = ['Approved', 'Denied', 'Failed'];

function validateConditions({ status }: Request): readonly FieldError[] {
  const path = 'status.conditions';
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, { type, status: value }] of (status?.conditions ?? []).entries()) {
    if (!type) errors.push(required(`${path}[${index}].type`));
    const allowed = onlyTrue.includes(type) ? ['True'] : ['False', 'True', 'Unknown'];
    errors.push(...validateChoice(value, `${path}[${index}].status`, allowed));
    const opposite = type === 'Approved' ? 'Denied' : 'Approved';
    if ((type === 'Approved' || type === 'Denied') && seen.has(opposite)) {
      errors.push(invalid(path, type, 'Approved and Denied conditions are mutually exclusive'));
    }
    if (seen.has(type)) errors.push(duplicate(`${path}[${index}].type`, type));
    seen.add(type);
  }
  return errors;
}

function changedConditions(
  object: Request,
  old: Request,
  types: readonly string[],
  change: 'add' | 'remove',
): readonly FieldError[] {
  const count = ({ status }: Request, type: string): number =>
    (status?.conditions ?? []).filter((condition) => condition.type === type).length;
  return types
    .filter((type) => (count(object, type) - count(old, type)) * (change === 'add' ? 1 : -1) > 0)
    .map((type) => forbidden('status.conditions', `updates may not ${change} a condition of type ${goQuote(type)}`));
}

const pemBlock = /-----BEGIN ([A-Z0-9 ]+)-----\r?\n([\s\S]*?)-----END \1-----/g;

function validateCertificate({ status }: Request): readonly FieldError[] {
  const given = status?.certificate ?? '';
  if (given === '') return [];
  const why = certificateProblem(Buffer.from(given, 'base64').toString('latin1'));
  return why === undefined ? [] : [invalid('status.certificate', '<certificate data>', why)];
}

function certificateProblem(text: string): string | undefined {
  let blocks = 0;
  for (const [block, type = '', body = ''] of text.matchAll(pemBlock)) {
    if (type !== 'CERTIFICATE') return `only CERTIFICATE PEM blocks are allowed, found ${goQuote(type)}`;
    if (body.includes(':')) return 'no PEM block headers are permitted';
    try {
      new X509Certificate(block);
    } catch {
      return 'x509: malformed certificate';
    }
    blocks++;
  }
  return blocks === 0 ? 'must contain at least one CERTIFICATE PEM block' : undefined;
}
