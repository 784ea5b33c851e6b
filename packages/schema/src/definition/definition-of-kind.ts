import { declarationsOf } from '@evenkeel/core';
import type { CustomResourceDefinition } from '@evenkeel/kinds';
import { schemaOfClass } from '../class-schema/schema-of-class.ts';
import { webhookConversion } from './conversion-webhook.ts';
import type { ClassVersion, MergedKind } from './merge-versions.ts';

/** The CRD of a kind whose declarations have been checked. Inexact parts of a schema become findings of its version. */
export function customResourceDefinition({ names, versions, storage, hub }: MergedKind): CustomResourceDefinition {
  const { group, kind, plural, scope, singular, listKind, shortNames, categories, labels, annotations } = names;
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${plural}.${group}`,
      ...(labels === undefined ? {} : { labels: { ...labels } }),
      ...(annotations === undefined ? {} : { annotations: { ...annotations } }),
    },
    spec: {
      group,
      names: {
        kind,
        plural,
        singular: singular ?? kind.toLowerCase(),
        listKind: listKind ?? `${kind}List`,
        ...(shortNames === undefined ? {} : { shortNames: [...shortNames] }),
        ...(categories === undefined ? {} : { categories: [...categories] }),
      },
      scope,
      versions: versions.map((version) => versionOf(version, version === storage)),
      ...(hub === undefined ? {} : { conversion: webhookConversion() }),
    },
  };
  return definition as unknown as CustomResourceDefinition;
}

function versionOf({ root, declaration, findings }: ClassVersion, isStorage: boolean): object {
  const { version, served, deprecated, printerColumns, scale, selectableFields } = declaration;
  const { properties } = declarationsOf(root.type);
  const hasStatus = [...properties.values()].flat().some((property) => property.says === 'status');
  const subresources = {
    ...(hasStatus ? { status: {} } : {}),
    ...(scale === undefined ? {} : { scale: { ...scale } }),
  };
  return {
    name: version,
    served,
    storage: isStorage,
    ...(deprecated === false ? {} : { deprecated: true }),
    ...(typeof deprecated === 'string' ? { deprecationWarning: deprecated } : {}),
    schema: { openAPIV3Schema: schemaOfClass(root, findings) },
    ...(printerColumns.length === 0
      ? {}
      : { additionalPrinterColumns: printerColumns.map(({ column }) => ({ ...column })) }),
    ...(selectableFields.length === 0 ? {} : { selectableFields: selectableFields.map((jsonPath) => ({ jsonPath })) }),
    ...(Object.keys(subresources).length === 0 ? {} : { subresources }),
  };
}
