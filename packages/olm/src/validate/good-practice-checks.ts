import { channelsOf } from '../bundle/bundle.ts';
import { parseVersion } from '../format/semantic-version.ts';
import type { CheckedBundle } from './checked-bundle.ts';

/** Of https://olm.operatorframework.io/docs/best-practices/channel-naming. */
const channelPrefixes = ['candidate', 'fast', 'stable'];
const definitionResources: ReadonlySet<string> = new Set(['customresourcedefinitions', '*', '[*]']);
const creatingVerbs: ReadonlySet<string> = new Set(['create', 'patch', '*', '[*]']);
/** A longer name is invalid anyway. */
const longestName = 1000;
const versionAtEnd = /[0-9]+\.[0-9]+\.[0-9]+(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?(?:\+[0-9A-Za-z-]+)?$/;

/** The checks of the good practices that OLM recommends. */
export function checkGoodPractices(checked: CheckedBundle): void {
  checkRequests(checked);
  checkDescriptions(checked);
  const odd = channelsOf(checked.bundle).filter(
    (channel) => !channelPrefixes.some((prefix) => channel.startsWith(prefix)),
  );
  if (odd.length > 0) {
    const message = `the channel ${odd.map((channel) => JSON.stringify(channel)).join(', ')} does not start with candidate, fast or stable; rename it`;
    checked.report.add('channel-name', message);
  }
  checkDefinitionPermission(checked);
  checkName(checked);
}

function checkRequests(checked: CheckedBundle): void {
  const deployments = checked.spec.install?.spec?.deployments;
  if (deployments === undefined || deployments === null) {
    const message = 'the operator has no Deployment, so OLM installs nothing; add it';
    checked.add('deployment-missing', ['spec', 'install', 'spec', 'deployments'], message);
    return;
  }
  for (const [index, { spec }] of deployments.entries()) {
    for (const [at, { name, resources }] of (spec?.template?.spec?.containers ?? []).entries()) {
      if (resources?.requests !== undefined && resources.requests !== null) continue;
      const path = ['spec', 'install', 'spec', 'deployments', index, 'spec', 'template', 'spec', 'containers', at];
      const message = `the container ${name ?? ''} requests no CPU and memory, and a quota may reject its pods; add resources.requests`;
      checked.add('container-requests-missing', path, message);
    }
  }
}

function checkDescriptions(checked: CheckedBundle): void {
  const { owned, required } = checked.spec.customresourcedefinitions ?? {};
  for (const [field, definitions] of Object.entries({ owned, required })) {
    for (const [index, { name, description }] of (definitions ?? []).entries()) {
      if (description) continue;
      const path = ['spec', 'customresourcedefinitions', field, index, 'description'];
      checked.add(
        'definition-description-missing',
        path,
        `${name ?? ''} has no description; add one for users of the kind`,
      );
    }
  }
}

function checkDefinitionPermission(checked: CheckedBundle): void {
  const { permissions, clusterPermissions } = checked.spec.install?.spec ?? {};
  for (const [field, granted] of Object.entries({ permissions, clusterPermissions })) {
    for (const [index, { rules }] of (granted ?? []).entries()) {
      for (const [at, { apiGroups, resources, verbs }] of (rules ?? []).entries()) {
        const isMatch =
          apiGroups?.includes('apiextensions.k8s.io') &&
          resources?.some((resource) => definitionResources.has(resource)) &&
          verbs?.some((verb) => creatingVerbs.has(verb));
        if (!isMatch) continue;
        const message =
          'the operator may create CRDs, which OLM then cannot upgrade; put the CRDs into the bundle, or depend on the operator that owns them';
        checked.add('definition-permission', ['spec', 'install', 'spec', field, index, 'rules', at], message);
        return;
      }
    }
  }
}

function checkName(checked: CheckedBundle): void {
  const { name } = checked.bundle;
  const path = ['metadata', 'name'];
  const version = name.length > longestName ? undefined : versionAtEnd.exec(name)?.[0];
  if (version === undefined || parseVersion(version) === undefined) {
    const message = `${JSON.stringify(name)} does not end with a semantic version; name it NAME.v1.2.3`;
    checked.add('csv-name-version', path, message);
  }
  if (name.split('.v').length !== 2) {
    const message = `${JSON.stringify(name)} does not consist of a name and a version; name it NAME.v1.2.3`;
    checked.add('csv-name-form', path, message);
  }
}
