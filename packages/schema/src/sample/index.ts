export { RandomObjects, type RandomObjectsOptions } from './random-objects.ts';
export { type SampleObjects, sampleObjects } from './sample-objects.ts';
export { smallerObject } from './smaller-object.ts';
