import { compareVersions } from '@evenkeel/core';
import { nodeCrypto } from '../crypto/node-crypto.ts';
import type { KindDescription, ResourceNames } from '../kind/kind-description.ts';
import type { ObjectCodec } from '../kind/object-codec.ts';
import type { Strategy } from '../kind/strategy.ts';
import type { Subresource } from '../kind/subresource.ts';
import type { TablePrinter } from '../kind/table-columns.ts';
import { customCodec } from './custom-codec.ts';
import {
  type DefinitionSpec,
  isConditionTrue,
  type StoredDefinition,
  storageKeyOf,
  type VersionDefinition,
} from './custom-definition.ts';
import { customStrategy } from './custom-strategy.ts';
import { CustomVersions } from './custom-versions.ts';
import { customPrinter } from './printer-columns.ts';
import { type ConversionCalls, webhookConverterOf } from './webhook-converter.ts';

/**
 * Returns the kinds that a definition adds to the server, one for each served version, in the definition's order.
 * Returns none before the names have been accepted. The definition must be valid and stored.
 *
 * Descriptions are cheap: schemas and rules are compiled when an object of their version is first read or written.
 */
export function describeCustomKinds(definition: StoredDefinition, calls: ConversionCalls): KindDescription[] {
  if (!isConditionTrue(definition, 'Established')) return [];
  const { spec } = definition;
  const versions = new CustomVersions(spec, webhookConverterOf(spec, calls));
  return (spec.versions ?? [])
    .filter(({ served }) => served === true)
    .map((version) => new CustomKindDescription(definition, version, versions));
}

class CustomKindDescription implements KindDescription {
  readonly names: ResourceNames;
  readonly custom = true;
  readonly terminating: boolean;
  readonly returnsDeletedObject = false;
  readonly storageKey: string;
  readonly strategy: Strategy;
  readonly subresources: ReadonlyMap<string, Subresource>;
  readonly deprecationWarning?: string;
  readonly #version: VersionDefinition;
  readonly #load: () => Promise<ObjectCodec>;
  #codec: Promise<ObjectCodec> | undefined;
  #loadedCodec: ObjectCodec | undefined;
  #printer: TablePrinter | undefined;

  constructor(definition: StoredDefinition, version: VersionDefinition, versions: CustomVersions) {
    const { spec } = definition;
    this.#version = version;
    this.names = namesOf(definition, version);
    this.storageKey = storageKeyOf(spec);
    this.strategy = customStrategy(version);
    this.terminating = isConditionTrue(definition, 'Terminating');
    this.subresources = subresourcesOf(version);
    const warning = deprecationWarningOf(spec, version);
    if (warning !== undefined) this.deprecationWarning = warning;
    this.#load = () => customCodec(version, versions);
  }

  get loadedCodec(): ObjectCodec | undefined {
    return this.#loadedCodec;
  }

  codec(): Promise<ObjectCodec> {
    this.#codec ??= this.#load().then((codec) => {
      this.#loadedCodec = codec;
      return codec;
    });
    return this.#codec;
  }

  async printer(): Promise<TablePrinter> {
    this.#printer ??= customPrinter(this.#version);
    return this.#printer;
  }
}

/** The verbs in discovery's order. */
const verbs = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];
const partVerbs = ['get', 'patch', 'update'];

function namesOf(definition: StoredDefinition, version: VersionDefinition): ResourceNames {
  const { spec, status } = definition;
  const {
    plural = '',
    singular = '',
    kind = '',
    listKind = '',
    shortNames = [],
    categories = [],
  } = status?.acceptedNames ?? {};
  const storage = spec.versions?.find((candidate) => candidate.storage === true && candidate.served === true);
  return {
    group: spec.group ?? '',
    version: version.name ?? '',
    kind,
    listKind,
    plural,
    singular,
    namespaced: spec.scope === 'Namespaced',
    verbs,
    shortNames,
    categories,
    get storageVersionHash() {
      return storage && storageVersionHash(spec.group ?? '', storage.name ?? '', spec.names?.kind ?? '');
    },
  };
}

/** apiserver's `StorageVersionHash`: the first eight bytes of the SHA-256 of group, version and kind. */
function storageVersionHash(group: string, version: string, kind: string): string {
  const hash = nodeCrypto().createHash('sha256').update(`${group}/${version}/${kind}`);
  return hash.digest().subarray(0, 8).toString('base64');
}

function subresourcesOf({ subresources }: VersionDefinition): Map<string, Subresource> {
  const described = new Map<string, Subresource>();
  if (subresources?.status) described.set('status', { type: 'part', verbs: partVerbs, strategy: {} });
  const scale = subresources?.scale;
  if (scale) {
    described.set('scale', {
      type: 'scale',
      verbs: partVerbs,
      kind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
      specReplicasPath: scale.specReplicasPath ?? '',
      statusReplicasPath: scale.statusReplicasPath ?? '',
      ...(scale.labelSelectorPath && { labelSelectorPath: scale.labelSelectorPath }),
    });
  }
  return described;
}

/**
 * Returns the version's own warning or, by default, the server's, which names the best newer version that is not
 * deprecated.
 */
function deprecationWarningOf(spec: DefinitionSpec, version: VersionDefinition): string | undefined {
  if (version.deprecated !== true) return undefined;
  if (version.deprecationWarning !== undefined) return version.deprecationWarning;
  const { group = '', names, versions = [] } = spec;
  const name = version.name ?? '';
  const [newer] = versions
    .filter(({ served, deprecated }) => served === true && deprecated !== true)
    .map((candidate) => candidate.name ?? '')
    .filter((candidate) => compareVersions(candidate, name) < 0)
    .sort(compareVersions);
  const warning = `${group}/${name} ${names?.kind} is deprecated`;
  return newer === undefined ? warning : `${warning}; use ${group}/${newer} ${names?.kind}`;
}
