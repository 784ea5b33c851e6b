import type { CustomResourceDefinition } from '@evenkeel/kinds/apiextensions/v1';
import { isDefinition } from '../cluster/object-name.ts';
import type { ManifestObject } from '../manifests/generated-file.ts';

/** Returns the CRDs of a list of objects. */
export function definitionsIn(objects: readonly ManifestObject[]): (ManifestObject & CustomResourceDefinition)[] {
  return objects.filter((object): object is ManifestObject & CustomResourceDefinition => isDefinition(object));
}
