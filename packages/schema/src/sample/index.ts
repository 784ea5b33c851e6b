export { RandomObjects, type RandomObjectsOptions } from './random-objects.ts';
export { smallerObject } from './smaller-object.ts';
