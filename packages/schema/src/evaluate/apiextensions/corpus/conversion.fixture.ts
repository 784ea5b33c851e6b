import { accepts, type CorpusEntry, refuses, spec } from './corpus-entry.fixture.ts';

const webhook = (clientConfig: unknown, conversionReviewVersions: unknown = ['v1']) =>
  spec({ conversion: { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions } } });
const url = (text: string) => webhook({ url: text });
const service = (values: object) => webhook({ service: { name: 'a', namespace: 'b', ...values } });
const reviews = (...all: readonly string[]) => webhook({ url: 'https://a' }, all);

/** Conversion between versions, and unknown fields. */
export const conversionEntries: readonly CorpusEntry[] = [
  accepts('Versions may differ in nothing but the name.', spec({ conversion: { strategy: 'None' } })),
  refuses('A conversion has a strategy.', spec({ conversion: {} })),
  refuses('The strategy of a conversion is None or Webhook.', spec({ conversion: { strategy: 'Manual' } })),
  refuses('A conversion by webhook has one.', spec({ conversion: { strategy: 'Webhook' } })),
  refuses('A conversion by webhook has webhook settings.', spec({ conversion: { strategy: 'Webhook', webhook: {} } })),
  refuses('A conversion without webhook has no webhook settings.', {
    ...spec({ conversion: { strategy: 'None', webhook: { clientConfig: {}, conversionReviewVersions: ['v1'] } } }),
  }),
  accepts('A conversion without webhook may have an empty one.', {
    ...spec({ conversion: { strategy: 'None', webhook: { conversionReviewVersions: [] } } }),
  }),
  accepts('A webhook has a URL.', url('https://a.b/c')),
  accepts('The URL of a webhook may have a port.', url('https://127.0.0.1:8443')),
  refuses('A webhook has a URL or a service.', webhook({})),
  refuses('A webhook has a URL or a service, not both.', webhook({ url: 'https://a', service: { name: 'a' } })),
  refuses('The URL of a webhook is safe.', url('http://a.b/c')),
  refuses('The URL of a webhook has a scheme.', url('a.b/c')),
  refuses('The URL of a webhook has a host.', url('https:///x')),
  refuses('The URL of a webhook has no user.', url('https://u:p@a.b/c')),
  refuses('The URL of a webhook has no query.', url('https://a.b/c?d=e')),
  refuses('The URL of a webhook has no fragment.', url('https://a.b/c#f')),
  refuses('The URL of a webhook is not empty.', url('')),
  refuses('The URL of a webhook is valid.', url('https://a b')),
  refuses('The URL of a webhook has no broken escapes.', url('https://a/%zz')),
  refuses('The URL of a webhook has a number as its port.', url('https://a:b/c')),
  accepts('A webhook has a service.', service({})),
  accepts('The service of a webhook may have a path and a port.', service({ port: 8443, path: '/a/b' })),
  refuses('The service of a webhook has a name.', service({ name: '' })),
  refuses('The service of a webhook has a namespace.', service({ namespace: '' })),
  refuses('The service of a webhook has a port that can be.', service({ port: 70_000 })),
  refuses('The service of a webhook has a port above 0.', service({ port: 0 })),
  refuses('The path of a service begins with a slash.', service({ path: 'a' })),
  accepts('The path of a service may end in a slash.', service({ path: '/a/' })),
  accepts('The path of a service may be a slash.', service({ path: '/' })),
  refuses('The path of a service has no empty segment.', service({ path: '/a//b' })),
  refuses('The path of a service is more than two slashes.', service({ path: '//' })),
  refuses('The segments of a service are names.', service({ path: '/a_b' })),
  refuses('The path of a service has no query.', service({ path: '/a?b=c' })),
  accepts('A webhook may have certificates, which are not checked yet.', {
    ...webhook({ url: 'https://a', caBundle: 'bm9uZQ==' }),
  }),
  accepts(
    'The certificates of a webhook may be a list of bytes.',
    webhook({ url: 'https://a', caBundle: [...Buffer.from('none'), null] }),
  ),
  accepts('The certificates of a webhook may be an empty list.', webhook({ url: 'https://a', caBundle: [] })),
  refuses(
    'The certificates of a webhook are no list of larger numbers.',
    webhook({ url: 'https://a', caBundle: [256] }),
  ),
  refuses('The certificates of a webhook are in base64.', webhook({ url: 'https://a', caBundle: '!' })),
  refuses('A webhook lists the reviews that it accepts.', reviews()),
  refuses('A webhook accepts a known review version.', reviews('v2')),
  accepts('A webhook may also accept unknown review versions.', reviews('v2', 'v1beta1')),
  refuses('A webhook names each review once.', reviews('v1', 'v1')),
  refuses('Reviews have the names of versions.', reviews('v1', 'V3')),
  refuses('Unknown fields are not preserved everywhere.', spec({ preserveUnknownFields: true })),
  accepts('That unknown fields are not preserved may be said.', spec({ preserveUnknownFields: false })),
  refuses('Nothing that preserves all unknown fields is converted.', {
    ...spec({
      preserveUnknownFields: true,
      conversion: {
        strategy: 'Webhook',
        webhook: { clientConfig: { url: 'https://a' }, conversionReviewVersions: ['v1'] },
      },
    }),
  }),
  refuses('Nothing that preserves all unknown fields has defaults.', {
    ...spec({
      preserveUnknownFields: true,
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { a: { type: 'string', default: 'x' } } } },
        },
      ],
    }),
  }),
];
