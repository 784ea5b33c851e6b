import { isJsonObject, type JsonObject, setKey } from '@evenkeel/apimachinery/json';
import { checkDepth } from '../evaluate/nesting.ts';
import type { ClassPlan, NestedPlan } from './class-plan.ts';

/**
 * A value as an instance of its class, so that a user's validator gets what the class declares. Constructors and
 * initialisers do not run. Objects of classes are copied; everything else is shared and may be frozen. Throws
 * NestingDepthError.
 */
export function instanceOf(value: JsonObject, { type, nested }: ClassPlan, depth = 0): object {
  checkDepth(depth);
  const prototype = type.prototype as object;
  const instance = Object.create(prototype) as JsonObject;
  for (const key of Object.keys(value)) {
    const below = nested.get(key);
    const child = below === undefined ? value[key] : nestedInstance(value[key], below, depth + 1);
    if (key in prototype) {
      // An accessor of the class must not be called, and may have no setter.
      Object.defineProperty(instance, key, { value: child, enumerable: true, writable: true, configurable: true });
    } else {
      instance[key] = child;
    }
  }
  return instance;
}

function nestedInstance(value: unknown, nested: NestedPlan, depth: number): unknown {
  checkDepth(depth);
  if (Array.isArray(value)) return value.map((item) => nestedInstance(item, nested, depth + 1));
  if (!isJsonObject(value)) return value;
  if (!nested.isMap) return instanceOf(value, nested.planOf(value), depth);
  const map: JsonObject = {};
  for (const key of Object.keys(value)) {
    const element = value[key];
    setKey(map, key, isJsonObject(element) ? instanceOf(element, nested.planOf(element), depth + 1) : element);
  }
  return map;
}
