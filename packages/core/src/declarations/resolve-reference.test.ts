import { isMetadataClass, Metadata } from '../kind/metadata.ts';
import { KubernetesObject } from '../object/kubernetes-object.ts';
import { resolveKind, resolveWatched } from './resolve-reference.ts';

class Website extends KubernetesObject {}

describe('a reference to a kind', () => {
  it('is the class itself, or a function that is called only when it is resolved', () => {
    let calls = 0;
    const thunk = (): typeof Website => {
      calls++;
      return Website;
    };
    expect(resolveKind(Website)).toBe(Website);
    expect(calls).toBe(0);
    expect(resolveKind(thunk)).toBe(Website);
    expect(calls).toBe(1);
  });

  it('refers to whole objects or to metadata, directly or through a function', () => {
    const whole = { kind: Website, metadataOnly: false };
    const partial = { kind: Website, metadataOnly: true };
    expect(resolveWatched(Website)).toEqual(whole);
    expect(resolveWatched(() => Website)).toEqual(whole);
    expect(resolveWatched(Metadata(Website))).toEqual(partial);
    expect(resolveWatched(() => Metadata(Website))).toEqual(partial);
  });
});

describe('isMetadataClass', () => {
  it('distinguishes the results of Metadata() from classes and all other values', () => {
    expect(isMetadataClass(Metadata(Website))).toBe(true);
    for (const other of [Website, undefined, null, 'metadataOf', {}]) expect(isMetadataClass(other)).toBe(false);
  });
});
