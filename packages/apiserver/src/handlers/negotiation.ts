import { refusal } from '../status/refusal.ts';

/** The form in which a response is written. */
export interface Representation {
  readonly format: 'json' | 'yaml';
  readonly pretty: boolean;
  /** `object`: unchanged. The others are kinds of `meta.k8s.io/v1`. */
  readonly as: 'object' | 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList';
  readonly metaVersion: string;
}

const objectTypes = 'application/json, application/yaml, application/vnd.kubernetes.protobuf';
const watchTypes = 'application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch';

interface Clause {
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
  readonly quality: number;
}

/**
 * Selects the form of the response from `Accept`, after apiserver's `NegotiateMediaTypeOptions`. Protobuf is skipped, so
 * that clients which also accept JSON get JSON. Throws 406 if no accepted type is supported.
 */
export function negotiate(
  headers: Readonly<Record<string, string>>,
  query: URLSearchParams,
  allowed: {
    readonly transforms: boolean;
    readonly formats?: readonly Representation['format'][];
    readonly watches?: boolean;
  },
): Representation {
  const accept = headers['accept'] ?? '';
  const pretty = isPretty(headers, query);
  const plain = { format: 'json', pretty, as: 'object', metaVersion: 'v1' } as const;
  if (accept === '') return plain;
  for (const { type, parameters } of parseAccept(accept)) {
    const format = formatOf(type);
    if (format === undefined || allowed.formats?.includes(format) === false) continue;
    const as = parameters.get('as');
    const streamed = parameters.get('stream') ?? '';
    if (streamed !== '' && streamed !== 'watch') continue;
    const asksPretty = pretty || parameters.get('pretty') === '1';
    const group = parameters.get('g') ?? '';
    const metaVersion = parameters.get('v') ?? '';
    if (as === undefined && group === '' && metaVersion === '') return { ...plain, format, pretty: asksPretty };
    if (!allowed.transforms || group !== 'meta.k8s.io' || (metaVersion !== 'v1' && metaVersion !== 'v1beta1')) continue;
    if (as === 'Table' || as === 'PartialObjectMetadata' || as === 'PartialObjectMetadataList') {
      return { format, pretty: asksPretty, as, metaVersion };
    }
  }
  const isKnown = parseAccept(accept).some(({ type }) => formatOf(type) !== undefined);
  if (!isKnown) throw notAcceptable(allowed.watches === true);
  const accepted = allowed.formats === undefined ? objectTypes : watchTypes;
  throw refusal(406, 'NotAcceptable', `only the following media types are accepted: ${accepted}`);
}

/** The error if no accepted type is supported. For lists, it also names the types of watches. */
export function notAcceptable(watches = false): Error {
  const available = watches ? `${objectTypes}, ${watchTypes}` : objectTypes;
  return refusal(406, 'NotAcceptable', `406: Not Acceptable\n\nAvailable representations: ${available}`, {});
}

/** The clauses of an Accept header, sorted by quality and then by their order in the header. */
export function parseAccept(header: string): readonly Clause[] {
  const clauses = header.split(',').map((part): Clause => {
    const [type = '', ...rest] = part.split(';').map((piece) => piece.trim());
    const parameters = new Map<string, string>();
    for (const piece of rest) {
      const equals = piece.indexOf('=');
      if (equals > 0) parameters.set(piece.slice(0, equals).trim(), piece.slice(equals + 1).trim());
    }
    const quality = Number(parameters.get('q') ?? '1');
    return { type: type.toLowerCase(), parameters, quality: Number.isNaN(quality) ? 1 : quality };
  });
  return clauses.sort((a, b) => b.quality - a.quality);
}

function formatOf(type: string): Representation['format'] | undefined {
  if (type === 'application/json' || type === '*/*' || type === 'application/*') return 'json';
  return type === 'application/yaml' ? 'yaml' : undefined;
}

/** Whether to indent: on request, and for curl, wget and browsers (apiserver's `isPrettyPrint`). */
export function isPretty(headers: Readonly<Record<string, string>>, query: URLSearchParams): boolean {
  const asked = query.get('pretty') ?? '';
  if (asked !== '') return /^(1|t|true)$/i.test(asked);
  return /^(curl|Wget|Mozilla\/5\.0)/.test(headers['user-agent'] ?? '');
}
