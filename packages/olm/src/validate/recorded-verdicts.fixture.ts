import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { BundleCheck, FindingLevel, UpstreamValidator } from './bundle-check.ts';

const folder = join(import.meta.dirname, 'recorded');

/** The bundle that every mutation changes. The validators accept it. */
export const baseBundle = join(folder, 'base');

type Operation =
  | { readonly op: 'write'; readonly path: string; readonly content: string }
  | { readonly op: 'delete'; readonly path: string }
  | {
      readonly op: 'generate';
      readonly path: string;
      readonly prefix: string;
      readonly suffix: string;
      readonly seed: string;
      readonly blocks: number;
    };

export interface Mutation {
  readonly operations: readonly Operation[];
  readonly options?: { readonly k8sVersion?: string; readonly customCategories?: string };
}

/** An error or a warning of one of the validators of operator-framework/api. */
export interface Verdict {
  readonly validator: UpstreamValidator;
  readonly level: FindingLevel;
  readonly type: string;
  readonly field: string;
  readonly detail: string;
}

export const mutations = read<Record<string, Mutation>>('mutations.json');
export const verdicts = read<Record<string, readonly Verdict[]>>('verdicts.json');

function read<T>(name: string): T {
  return JSON.parse(readFileSync(join(folder, name), 'utf8')) as T;
}

/** Writes the base bundle with a mutation to a folder. */
export function writeMutated(target: string, { operations }: Mutation): void {
  cpSync(baseBundle, target, { recursive: true });
  for (const operation of operations) {
    const path = join(target, operation.path);
    mkdirSync(dirname(path), { recursive: true });
    if (operation.op === 'delete') rmSync(path);
    else if (operation.op === 'write') writeFileSync(path, operation.content);
    else {
      const { prefix, suffix, seed, blocks } = operation;
      const digests = Array.from({ length: blocks }, (_, index) =>
        createHash('sha256').update(`${seed}:${index}`).digest(),
      );
      writeFileSync(path, `${prefix}${Buffer.concat(digests).toString('base64')}${suffix}`);
    }
  }
}

/** The check that makes each verdict, by the meaning of its words. */
const meanings: readonly (readonly [RegExp, BundleCheck])[] = [
  [/unable to find a csv in bundle/, 'csv-missing'],
  [/contains multiple CSVs/, 'csv-duplicate'],
  [/has hidden file/, 'file-hidden'],
  [/contains directory/, 'folder-nested'],
  [/unable to decode object/, 'object-invalid'],
  [/unsupported CRD version/, 'definition-version-unsupported'],
  [/unable to parse CSV/, 'csv-field-type'],
  [/unable to parse CRD/, 'definition-field-type'],
  [/unable to load the annotations file/, 'annotations-file-invalid'],
  [/metadata\.name ".*" is invalid/, 'csv-name-invalid'],
  [/spec\.replaces ".*" is invalid/, 'csv-replaces-invalid'],
  [/\) annotations not found/, 'csv-annotations-missing'],
  [/example annotations not found/, 'examples-missing'],
  [/both `alm-examples` and `olm.examples`/, 'examples-twice'],
  [/^invalid example/, 'examples-not-json'],
  [/error decoding example/, 'examples-not-objects'],
  [/example must have a provided API/, 'example-kind-not-owned'],
  [/provided API should have an example/, 'example-of-kind-missing'],
  [/couldn't parse plural.group/, 'owned-name-invalid'],
  [/install modes not found/, 'install-modes-missing'],
  [/none of InstallModeTypes/, 'install-modes-none-supported'],
  [/only AllNamespaces InstallModeType/, 'conversion-install-mode'],
  [/minKubeVersion is not informed/, 'min-kube-version-missing'],
  [/MinKubeVersion has an invalid value/, 'min-kube-version-invalid'],
  [/unable to use csv\.Spec\.MinKubeVersion/, 'min-kube-version-unusable'],
  [/required field missing/, 'csv-field-missing'],
  [/uses wrong case/, 'annotation-case'],
  [/found olm\.properties annotation/, 'properties-annotation'],
  [/'apiVersion' is missing/, 'csv-api-version-missing'],
  [/^duplicate CRD/, 'definition-duplicate'],
  [/^owned CRD ".*" not found in bundle/, 'owned-definition-missing'],
  [/but not defined in CSV/, 'definition-not-owned'],
  [/invalid service account found/, 'service-account-duplicate'],
  [/maximum bundle compressed size/, 'bundle-too-large'],
  [/nearing maximum bundle/, 'bundle-nearly-too-large'],
  [/bundle name with release/, 'release-name-mismatch'],
  [/relatedImages\[\d+\] has an empty/, 'related-image-missing'],
  [/relatedImages\[\d+\] has an invalid/, 'related-image-invalid'],
  [/Provider\.Name not specified/, 'provider-missing'],
  [/Maintainers elements should/, 'maintainer-incomplete'],
  [/Maintainers email/, 'maintainer-email-invalid'],
  [/Links elements should/, 'link-incomplete'],
  [/Links url/, 'link-url-invalid'],
  [/Spec\.Version must be set/, 'version-missing'],
  [/Icon not specified/, 'icon-missing'],
  [/Icon should only have one|index out of range \[0\]/, 'icon-count'],
  [/Icon elements should/, 'icon-incomplete'],
  [/does not have a valid mediatype/, 'icon-media-type'],
  [/invalid value informed via the k8s key/, 'kubernetes-version-invalid'],
  [/StrategySpec\.\w+Permissions\[\d+\]\.Rules|podsecuritypolicies: \(/, 'rule-of-removed-api'],
  [/deprecated and removed in v/, 'api-removed'],
  [/is not a valid capabilities level/, 'capability-invalid'],
  [/is not in the set of (?:standard|custom) categories/, 'category-invalid'],
  [/unable to find a deployment/, 'deployment-missing'],
  [/unable to find the resource requests/, 'container-requests-missing'],
  [/has an empty description/, 'definition-description-missing'],
  [/^channel\(s\)/, 'channel-name'],
  [/permissions to create CRD/, 'definition-permission'],
  [/not following the versioning/, 'csv-name-version'],
  [/not following the recommended naming/, 'csv-name-form'],
  [/error unmarshaling (?:poddisruptionbudget|priorityclass|role|clusterrole)/, 'object-type'],
  [/maxUnavailable field/, 'pdb-max-unavailable'],
  [/minAvailable field/, 'pdb-min-available'],
  [/globalDefault field/, 'priority-class-global'],
  [/create\/update poddisruptionbudgets/, 'rule-for-budgets'],
  [/default securitycontextconstraints/, 'rule-for-default-constraints'],
];

/** The names of fields in Go, as far as verdicts have them. */
const jsonNames = new Map([
  ['ObjectMeta', 'metadata'],
  ['Spec', 'spec'],
  ['Spec.DisplayName', 'spec.displayName'],
  ['Spec.InstallStrategy', 'spec.install'],
  ['Spec.InstallStrategy.StrategyName', 'spec.install.strategy'],
  ['Spec.InstallStrategy.StrategySpec.DeploymentSpecs', 'spec.install.spec.deployments'],
]);

/** A verdict in our words: `clusterserviceversion error csv-field-missing spec.displayName`. Only some verdicts have a field. */
export function inOwnWords({ validator, level, field, detail }: Verdict): string {
  const check = validator === 'crd' ? 'definition-invalid' : meanings.find(([words]) => words.test(detail))?.[1];
  if (check === undefined) throw new Error(`no check for ${detail}`);
  const name = jsonNames.get(field) ?? field;
  return [validator, level, check, ...(name === '' ? [] : [name])].join(' ');
}
