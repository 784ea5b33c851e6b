import { StatusError } from '@evenkeel/core';
import type { ObjectCodec } from '../kind/object-codec.ts';
import type { StoredObject } from '../store/stored-object.ts';
import { prepareStored } from './encoding.ts';

/** Delivers what a watch sends in order, each after a webhook has converted its objects. Without webhook it does not wait. */
export class PreparedDelivery {
  readonly #codec: ObjectCodec;
  #last: Promise<void> | undefined;

  constructor(codec: ObjectCodec) {
    this.#codec = codec;
    if (codec.prepare !== undefined) this.#last = Promise.resolve();
  }

  /** Calls `deliver` or, if the conversion fails, `fail`; after that, nothing more is delivered. */
  add(objects: readonly StoredObject[], deliver: () => void, fail: (error: StatusError) => void): void {
    if (this.#last === undefined) {
      deliver();
      return;
    }
    const prepared = this.#last.then(() => prepareStored(this.#codec, objects));
    this.#last = prepared.then(deliver, (error: unknown) => {
      if (!(error instanceof StatusError)) throw error;
      fail(error);
      return new Promise<void>(() => undefined);
    });
  }
}
