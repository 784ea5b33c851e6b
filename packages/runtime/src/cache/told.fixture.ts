import type { CachedObject } from './cached-object.ts';
import type { Informer } from './informer.ts';
import { compareResourceVersions } from './resource-version.ts';

/** What an informer's handler was told: the state it amounts to, by key, and whether it kept to the contract. */
export class Told {
  readonly state = new Map<string, CachedObject>();
  /** `there`, `added`, `updated`, `deleted` or `gone` (unseen), and the name. */
  readonly log: string[] = [];
  readonly mistakes: string[] = [];

  constructor(informer: Informer) {
    informer.addHandler({
      added: (object, isInInitialList) => {
        if (this.state.has(keyOf(object))) this.mistakes.push(`${keyOf(object)} was added twice`);
        this.state.set(keyOf(object), object);
        this.log.push(`${isInInitialList ? 'there' : 'added'} ${object.metadata.name}`);
      },
      updated: (object, previous) => {
        const known = this.state.get(keyOf(object));
        if (known !== previous) this.mistakes.push(`${keyOf(object)} was updated from what nobody was told`);
        if (known?.metadata.uid !== object.metadata.uid) this.mistakes.push(`${keyOf(object)} has become another`);
        const [before = '', after = ''] = [known?.metadata.resourceVersion, object.metadata.resourceVersion];
        if (compareResourceVersions(after, before) <= 0) this.mistakes.push(`${keyOf(object)} went back to ${after}`);
        this.state.set(keyOf(object), object);
        this.log.push(`updated ${object.metadata.name}`);
      },
      deleted: (object, isFinalStateUnknown) => {
        if (!this.state.delete(keyOf(object))) this.mistakes.push(`${keyOf(object)} was deleted twice`);
        this.log.push(`${isFinalStateUnknown ? 'gone' : 'deleted'} ${object.metadata.name}`);
      },
    });
  }
}

export function keyOf({ metadata }: CachedObject): string {
  return `${metadata.namespace}/${metadata.name}`;
}

/** In the order of their keys. */
export function sorted(objects: Iterable<CachedObject>): CachedObject[] {
  return [...objects].sort((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1));
}
