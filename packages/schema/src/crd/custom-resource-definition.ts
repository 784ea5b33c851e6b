import { type CustomResourceDeclaration, declarationsOf, pluralOf } from '@evenkeel/core';
import type { CustomResourceDefinition } from '@evenkeel/kinds';
import type { Finding } from '../finding.ts';
import type { ApiClass } from '../model/api-class.ts';
import { schemaOfClass } from './schema-of-class.ts';

/** The CRD of a class whose declarations have been checked. */
export function customResourceDefinition(
  root: ApiClass,
  declaration: CustomResourceDeclaration,
  findings: Finding[],
): CustomResourceDefinition {
  const { group, version, kind } = declaration;
  const { printerColumns, scale, properties } = declarationsOf(root.type);
  const plural = declaration.plural ?? pluralOf(kind);
  const hasStatus = [...properties.values()].flat().some((property) => property.says === 'status');
  const subresources = {
    ...(hasStatus ? { status: {} } : {}),
    ...(scale === undefined ? {} : { scale: { ...scale } }),
  };
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: {
        kind,
        plural,
        singular: declaration.singular ?? kind.toLowerCase(),
        listKind: declaration.listKind ?? `${kind}List`,
        ...(declaration.shortNames === undefined ? {} : { shortNames: [...declaration.shortNames] }),
        ...(declaration.categories === undefined ? {} : { categories: [...declaration.categories] }),
      },
      scope: declaration.scope ?? 'Namespaced',
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          schema: { openAPIV3Schema: schemaOfClass(root, findings) },
          ...(printerColumns.length === 0
            ? {}
            : { additionalPrinterColumns: printerColumns.map((column) => ({ ...column })) }),
          ...(Object.keys(subresources).length === 0 ? {} : { subresources }),
        },
      ],
    },
  };
  return definition as unknown as CustomResourceDefinition;
}
