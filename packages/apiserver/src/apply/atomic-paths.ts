import { isJsonObject } from '../apimachinery/index.ts';
import type { FieldType } from './field-type.ts';

/**
 * The paths of a value's atomic lists and maps, which a merge would replace as a whole.
 *
 * Source: `findAtomics` of apiserver `pkg/admission/plugin/policy/mutating/patch/smd.go`.
 */
export function atomicPathsOf(value: unknown, type: FieldType, path = ''): string[] {
  const { map, list } = type.shape;
  const paths: string[] = [];
  if (isJsonObject(value) && map !== undefined) {
    if (map.atomic) paths.push(path);
    for (const [name, part] of Object.entries(value)) {
      const field = map.fields.get(name);
      if (field !== undefined) paths.push(...atomicPathsOf(part, field, `${path}.${name}`));
    }
  }
  if (Array.isArray(value) && list !== undefined) {
    if (!list.associative) paths.push(path);
    for (const [index, item] of value.entries()) paths.push(...atomicPathsOf(item, list.element, `${path}[${index}]`));
  }
  return paths;
}
