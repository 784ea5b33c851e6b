import { globalOverload, type Library } from '../value/declaration.ts';
import { noSuchOverload } from '../value/fault.ts';
import { boolType, listType, typeParameter } from '../value/type.ts';
import { CelList, type CelValue } from '../value/value.ts';

const list = listType(typeParameter('T'));

/** cel-go's extension for lists as sets, in Kubernetes since 1.29. */
export const setLibrary: Library = {
  functions: [
    declare('contains', containsAll),
    declare('equivalent', (a, b) => containsAll(a, b) && containsAll(b, a)),
    declare('intersects', (a, b) => [...a].some((value) => b.contains(value))),
  ],
};

function declare(name: string, holds: (a: CelList, b: CelList) => boolean) {
  const invoke = (a?: CelValue, b?: CelValue): boolean => {
    if (!(a instanceof CelList) || !(b instanceof CelList)) throw noSuchOverload();
    return holds(a, b);
  };
  return {
    name: `sets.${name}`,
    overloads: [globalOverload(`list_sets_${name}_list`, [list, list], boolType, invoke)],
  };
}

function containsAll(all: CelList, some: CelList): boolean {
  return [...some].every((value) => all.contains(value));
}
