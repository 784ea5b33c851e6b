import type { CustomResourceDefinition } from '@evenkeel/kinds';
import type { CustomResourceDefinition as DecodedDefinition } from '../evaluate/crd/custom-resource-definition.ts';
import { defaultCustomResourceDefinition } from '../evaluate/crd/default-crd.ts';
import { validateCustomResourceDefinition } from '../evaluate/crd/validate-crd.ts';
import { fieldErrorBody } from '../evaluate/field-error.ts';
import { copyJson } from '../evaluate/json-value.ts';
import type { Finding } from '../finding.ts';
import type { ApiClass, ApiProperty, PropertyType } from '../model/api-class.ts';

/**
 * Holds a CRD against the API server's own rules, before anything is written. What it breaks is told of the class and the property it
 * was made of. The cost of CEL rules is not among what is checked.
 */
export function checkOffline(definition: CustomResourceDefinition, root: ApiClass): Finding[] {
  const decoded = copyJson(definition) as unknown as DecodedDefinition;
  defaultCustomResourceDefinition(decoded);
  return validateCustomResourceDefinition(decoded).map((error) => {
    const property = propertyAt(error.field, root);
    const location = property === undefined ? root.location : property.location;
    const isDefault = property !== undefined && /\.default\b/.test(error.field);
    return {
      level: 'error',
      code: isDefault ? 'invalid-default' : 'refused-by-api-server',
      className: property?.className ?? root.name,
      ...(property === undefined ? {} : { property: property.name }),
      ...(location === undefined ? {} : { location }),
      message: `${isDefault ? 'its initialiser breaks its own schema' : 'the API server would refuse the CRD'}: ${fieldErrorBody(error)} (${error.field})`,
    };
  });
}

/** The property that a path into the schema leads to; undefined where it leads to none. */
export function propertyAt(path: string, root: ApiClass): ApiProperty | undefined {
  const start = path.indexOf('openAPIV3Schema');
  if (start < 0) return undefined;
  let type: PropertyType | undefined = { is: 'object', class: root };
  let found: ApiProperty | undefined;
  for (const [, name, step] of path.slice(start).matchAll(/\.(?:properties\[([^\]]*)\]|([A-Za-z-]+))/g)) {
    if (name !== undefined && type?.is === 'object') {
      const property: ApiProperty | undefined = type.class.properties.find((candidate) => candidate.name === name);
      if (property === undefined) return found;
      found = property;
      type = property.type;
    } else if (step === 'items' && type?.is === 'array') type = type.items;
    else if (step === 'additionalProperties' && type?.is === 'map') type = type.values;
    else return found;
  }
  return found;
}
