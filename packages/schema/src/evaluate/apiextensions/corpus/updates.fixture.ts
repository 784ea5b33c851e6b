import type { CustomResourceDefinition, DefinitionSpec } from '../custom-resource-definition.ts';
import {
  type CorpusEntry,
  field,
  metadata,
  type OldDefinition,
  root,
  spec,
  version,
  versions,
} from './corpus-entry.fixture.ts';

const established = (crd: CustomResourceDefinition): OldDefinition => ({ crd, state: 'established' });
const conflicting = (crd: CustomResourceDefinition): OldDefinition => ({ crd, state: 'conflicting' });
const grandfathered = (crd: CustomResourceDefinition): OldDefinition => ({ crd, state: 'grandfathered' });
const accepts = (name: string, old: OldDefinition, crd: unknown): CorpusEntry => ({ name, isAccepted: true, crd, old });
const refuses = (name: string, old: OldDefinition, crd: unknown): CorpusEntry => ({
  name,
  isAccepted: false,
  crd,
  old,
});
/** A definition without a change. */
const unchanged = ({ crd }: OldDefinition) => crd;
const changed = ({ crd }: OldDefinition, values: object): CustomResourceDefinition => ({
  ...crd,
  spec: { ...crd.spec, ...values } as DefinitionSpec,
});

const text = { type: 'string' };
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const withSchema = (openAPIV3Schema: unknown) => [
  { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } },
];
const approved = (annotation?: string): CustomResourceDefinition => ({
  ...spec({ group: 'foo.k8s.io' }),
  metadata: {
    name: 'things.foo.k8s.io',
    ...(annotation === undefined ? {} : { annotations: { 'api-approved.kubernetes.io': annotation } }),
  },
});
const webhook = (caBundle: string | undefined, conversionReviewVersions = ['v1']) => ({
  conversion: {
    strategy: 'Webhook',
    webhook: {
      clientConfig: { url: 'https://a', ...(caBundle === undefined ? {} : { caBundle }) },
      conversionReviewVersions,
    },
  },
});
const base64 = (content: string) => Buffer.from(content).toString('base64');
const certificate = base64(`-----BEGIN CERTIFICATE-----
MIIBbzCCARWgAwIBAgIUXenDDzQS3thtNmUCISx5rfsjoo4wCgYIKoZIzj0EAwIw
DDEKMAgGA1UEAwwBYTAgFw0yNjExMjExNTAyMjZaGA8yMTI2MTAyODE1MDIyNlow
DDEKMAgGA1UEAwwBYTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABBiLtJ0Pe0TV
jpIN3mtiOioB//b+FsGQwzn0gRNJLv//Mn/9lr2ltB+habn8pN8bj8hhUd1ez8Wp
ETInZfrkiK2jUzBRMB0GA1UdDgQWBBQ40ed5f41Xf5KFBp3H6/6hBtbziDAfBgNV
HSMEGDAWgBQ40ed5f41Xf5KFBp3H6/6hBtbziDAPBgNVHRMBAf8EBTADAQH/MAoG
CCqGSM49BAMCA0gAMEUCIBtG0NN0uDMABV8MyVxMf/0bN7RuFUkNHocEx4lOLEGZ
AiEAyVq4x+GBkJOBCN+a0s5WXe6mDjCjQr/txJA2vmi42GY=
-----END CERTIFICATE-----
`);

const good = established(spec({}));
const unserved = conflicting(spec({}));
const two = established(versions({}, {}));
const colored = established(field({ type: 'string', format: 'color' }));
const hooked = established(spec(webhook(certificate)));
const unhooked = conflicting(spec(webhook(base64('none'))));
const url = 'https://github.com/kubernetes/kubernetes/pull/1';
const community = established(approved(url));

const preserving = grandfathered(spec({ preserveUnknownFields: true }));
const shapeless = grandfathered({
  ...spec({ preserveUnknownFields: true, versions: [{ name: 'v1', served: true, storage: true }] }),
});
const loose = grandfathered({ ...spec({ preserveUnknownFields: true, versions: withSchema(object({ a: {} })) }) });
const untyped = grandfathered(root(object({ spec: object({ a: { type: 'text' } }) })));
const objectSet = { type: 'array', items: { type: 'object' }, 'x-kubernetes-list-type': 'set' };
const setOfObjects = grandfathered(field(objectSet));
const nullableKey = {
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['k'],
  items: object({ k: { type: 'string', nullable: true } }),
};
const looseKeys = grandfathered(field(nullableKey));
const unpruned = grandfathered(field(object({ a: text }, { default: { b: 1 } })));
const letters = [...'abcdefghi'];
const selectable = (names: readonly string[]) =>
  root(object({ spec: object(Object.fromEntries([...letters, 'j'].map((name) => [name, text]))) }), {
    selectableFields: names.map((name) => ({ jsonPath: `.spec.${name}` })),
  });
const manySelectable = grandfathered(selectable(letters));
const oldReviews = grandfathered(spec(webhook(undefined, ['v7'])));
const badBundle = grandfathered(spec(webhook(base64('none'))));
const dear = (maxItems: number, rules: number) =>
  field({
    type: 'array',
    maxItems,
    items: { type: 'integer', 'x-kubernetes-validations': new Array(rules).fill({ rule: 'self > 0' }) },
  });
const costly = grandfathered(dear(6_000_000, 2));
const tooCostly = grandfathered(dear(6_000_000, 10));
const unapproved = grandfathered(approved());

/** Definitions that replace others. */
export const updateEntries: readonly CorpusEntry[] = [
  accepts('Nothing need change.', good, unchanged(good)),
  refuses('A scope stays.', good, changed(good, { scope: 'Cluster' })),
  refuses('A scope that cannot be does not stay.', good, changed(good, { scope: 'Global' })),
  refuses('A kind stays.', good, changed(good, { names: { plural: 'things', kind: 'Other' } })),
  accepts('A scope may change while the kind is not served.', unserved, changed(unserved, { scope: 'Cluster' })),
  accepts('A kind may change while it is not served.', unserved, {
    ...changed(unserved, { names: { plural: 'things', kind: 'Another' } }),
  }),
  refuses('A plural stays.', good, changed(good, { names: { plural: 'others', kind: 'Thing' } })),
  refuses('A plural stays while the kind is not served.', unserved, {
    ...changed(unserved, { names: { plural: 'others', kind: 'Thing' } }),
  }),
  refuses('A group stays.', good, changed(good, { group: 'other.example.com' })),
  accepts(
    'A singular may change.',
    good,
    changed(good, { names: { plural: 'things', kind: 'Thing', singular: 'it' } }),
  ),
  accepts(
    'Short names may come.',
    good,
    changed(good, { names: { plural: 'things', kind: 'Thing', shortNames: ['t'] } }),
  ),
  refuses('Short names are as good on change.', good, {
    ...changed(good, { names: { plural: 'things', kind: 'Thing', shortNames: ['T'] } }),
  }),
  accepts('Labels may come.', good, metadata({ labels: { a: 'b' } })),
  refuses('Labels are as good on change.', good, metadata({ labels: { 'a b': 'c' } })),
  refuses('Annotations are as few on change.', good, metadata({ annotations: { a: 'x'.repeat(262_144) } })),

  accepts('A version may come.', good, versions({}, {})),
  accepts('A version may come and be stored.', good, versions({ storage: false }, { storage: true })),
  refuses('A version in which objects are stored stays.', good, version({ name: 'v2' })),
  accepts('A version without stored objects may be removed.', two, versions({})),
  refuses('A version does not replace the stored version.', two, version({ name: 'v2' })),
  accepts('A version may cease to be served.', two, versions({}, { served: false })),
  accepts('A schema may change in any way.', good, field({ type: 'integer' })),
  refuses('A schema is as good on change.', good, field({})),
  refuses('A schema stays.', good, version({ schema: undefined })),
  refuses('Unknown fields do not begin to be preserved.', good, changed(good, { preserveUnknownFields: true })),
  accepts('A new unknown format gets a warning.', good, field({ type: 'string', format: 'color' })),
  accepts('An existing unknown format gets no warning.', colored, unchanged(colored)),
  accepts('Another format that is not known is warned of.', colored, {
    ...field(object({ a: { type: 'string', format: 'color' }, b: { type: 'string', format: 'smell' } })),
  }),
  refuses('An update does not change the status.', good, {
    ...changed(good, { scope: '' }),
    status: { storedVersions: [] },
  }),

  accepts('A webhook may come without certificates.', good, spec(webhook(undefined))),
  accepts('A webhook may come with certificates.', good, spec(webhook(certificate))),
  refuses('New certificates are valid.', good, spec(webhook(base64('none')))),
  refuses('Certificates that come are more than a key.', good, {
    ...spec(webhook(base64('-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n'))),
  }),
  refuses('Certificates that come can be read.', good, {
    ...spec(webhook(base64('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'))),
  }),
  accepts('Certificates may have other things around them.', good, {
    ...spec(webhook(base64(`by hand\n${Buffer.from(certificate, 'base64').toString()}and more`))),
  }),
  refuses('Valid certificates are not replaced by invalid ones.', hooked, spec(webhook(base64('none')))),
  accepts('Certificates are not checked while the kind is not served.', unhooked, unchanged(unhooked)),
  accepts('Invalid certificates may stay.', badBundle, unchanged(badBundle)),
  accepts('Invalid certificates may be replaced by other invalid ones.', badBundle, spec(webhook(base64('nor these')))),

  accepts('An approval may stay.', community, unchanged(community)),
  refuses('An approval does not go.', community, approved()),
  refuses('An approval does not become nonsense.', community, approved('bananas')),
  accepts('An approval may become its absence that is said.', community, approved('unapproved, after all')),
  accepts('An approval that is missing may go on missing.', unapproved, unchanged(unapproved)),
  refuses('An approval that is missing does not become nonsense.', unapproved, approved('bananas')),

  accepts('Unknown fields may go on being preserved.', preserving, unchanged(preserving)),
  accepts('Unknown fields may cease to be preserved.', preserving, spec({})),
  refuses('What preserves unknown fields gets no webhook.', preserving, changed(preserving, webhook(undefined))),
  refuses('What preserves unknown fields gets no defaults.', preserving, {
    ...changed(preserving, { versions: withSchema(object({ a: { type: 'string', default: 'x' } })) }),
  }),
  accepts('What preserves unknown fields may have no schema.', shapeless, unchanged(shapeless)),
  refuses('What ceases to preserve unknown fields has a schema.', shapeless, {
    ...changed(shapeless, { preserveUnknownFields: false }),
  }),
  accepts('What preserves unknown fields may have a schema that is not structural.', loose, unchanged(loose)),
  refuses('What ceases to preserve unknown fields has a structural schema.', loose, {
    ...changed(loose, { preserveUnknownFields: false }),
  }),
  refuses('What preserves unknown fields has a structural schema where that has extensions.', loose, {
    ...changed(loose, { versions: withSchema(object({ a: {}, b: { 'x-kubernetes-int-or-string': true } })) }),
  }),
  refuses('What preserves unknown fields has a schema that was structural.', preserving, {
    ...changed(preserving, { versions: withSchema(object({ a: {} })) }),
  }),
  accepts('An invalid type may stay.', untyped, unchanged(untyped)),
  accepts('An invalid type may be replaced by another invalid type.', untyped, field({ type: 'number', not: {} })),
  accepts('A set of objects may stay.', setOfObjects, unchanged(setOfObjects)),
  accepts(
    'Another set of objects may come where one was.',
    setOfObjects,
    field(object({ a: objectSet, b: objectSet })),
  ),
  refuses('A set of objects does not come.', good, field(objectSet)),
  accepts('Keys that may be null may stay.', looseKeys, unchanged(looseKeys)),
  refuses('Keys that may be null do not come.', good, field(nullableKey)),
  accepts('A default with unknown fields may stay.', unpruned, unchanged(unpruned)),
  refuses('A default with unknown fields does not come.', good, field(object({ a: text }, { default: { b: 1 } }))),
  accepts('Too many selectable fields may stay.', manySelectable, unchanged(manySelectable)),
  refuses('Too many selectable fields do not become others.', manySelectable, selectable([...letters.slice(1), 'j'])),
  accepts('Reviews that are not known may stay.', oldReviews, unchanged(oldReviews)),
  accepts('Reviews that are not known may become others.', oldReviews, spec(webhook(undefined, ['v8']))),
  refuses('Reviews that are not known do not come.', good, spec(webhook(undefined, ['v8']))),
  accepts('Rules may go on costing too much.', costly, unchanged(costly)),
  refuses('Rules do not go on costing too much where the schema changes.', costly, dear(6_000_001, 2)),
  refuses('Rules do not go on costing too much together.', tooCostly, unchanged(tooCostly)),
  accepts('A new version may have rules as expensive as those of the others.', costly, {
    ...versions({ schema: costly.crd.spec?.versions?.[0]?.schema }, { schema: costly.crd.spec?.versions?.[0]?.schema }),
  }),
];
