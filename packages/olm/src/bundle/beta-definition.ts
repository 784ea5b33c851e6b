import { isJsonObject, type JsonObject, setKey } from '@evenkeel/apimachinery/json';
import type { BundleObject } from './bundle.ts';

/** The settings that v1beta1 has for all versions together. */
const shared = ['validation', 'subresources', 'additionalPrinterColumns'] as const;

/** A CRD of a bundle in apiextensions.k8s.io/v1. */
export function currentForm({ apiVersion, value }: Pick<BundleObject, 'apiVersion' | 'value'>): JsonObject {
  return apiVersion.endsWith('/v1beta1') ? definitionFromBeta(value) : value;
}

/**
 * Converts a CRD from apiextensions.k8s.io/v1beta1, which bundles may still have, to v1.
 *
 * Source: apiextensions-apiserver `pkg/apis/apiextensions/v1beta1/conversion.go` and `defaults.go`.
 */
function definitionFromBeta(definition: JsonObject): JsonObject {
  const given = isJsonObject(definition['spec']) ? definition['spec'] : {};
  const { version, versions, validation, subresources, additionalPrinterColumns, conversion, ...spec } = given;
  const listed = Array.isArray(versions) ? versions.filter(isJsonObject) : [];
  const all = listed.length > 0 || !version ? listed : [{ name: version, served: true, storage: true }];
  const common = { validation, subresources, additionalPrinterColumns };
  return {
    ...definition,
    apiVersion: 'apiextensions.k8s.io/v1',
    spec: {
      scope: 'Namespaced',
      preserveUnknownFields: true,
      ...spec,
      versions: all.map((each) => versionOf(each, common)),
      ...(isJsonObject(conversion) ? { conversion: conversionOf(conversion) } : {}),
    },
  };
}

function versionOf(version: JsonObject, common: Readonly<Record<(typeof shared)[number], unknown>>): JsonObject {
  const result: JsonObject = { ...version };
  const schema = version['schema'] ?? common.validation;
  if (schema !== undefined) setKey(result, 'schema', schema);
  const subresources = version['subresources'] ?? common.subresources;
  if (subresources !== undefined) setKey(result, 'subresources', subresources);
  const columns = version['additionalPrinterColumns'] ?? common.additionalPrinterColumns;
  if (columns !== undefined && !Array.isArray(columns)) setKey(result, 'additionalPrinterColumns', columns);
  else if (columns !== undefined) {
    const converted = columns.map((column: unknown) => {
      if (!isJsonObject(column)) return column;
      const { JSONPath, ...others } = column;
      return { ...others, jsonPath: JSONPath };
    });
    setKey(result, 'additionalPrinterColumns', converted);
  }
  return result;
}

function conversionOf({ webhookClientConfig, conversionReviewVersions, ...conversion }: JsonObject): JsonObject {
  if (webhookClientConfig === undefined) return conversion;
  return {
    ...conversion,
    webhook: { clientConfig: webhookClientConfig, conversionReviewVersions: conversionReviewVersions ?? ['v1beta1'] },
  };
}
