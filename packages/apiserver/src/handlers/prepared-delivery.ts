import { StatusError } from '@evenkeel/core';
import type { ObjectCodec } from '../kind/object-codec.ts';
import type { StoredObject } from '../store/stored-object.ts';
import { prepareStored } from './encoding.ts';

/** Delivers what a watch sends in order, each after a webhook has converted its objects. Without webhook it does not wait. */
export class PreparedDelivery {
  readonly #codec: ObjectCodec;
  #last: Promise<void> | undefined;
  #failed = false;

  constructor(codec: ObjectCodec) {
    this.#codec = codec;
    if (codec.prepare !== undefined) this.#last = Promise.resolve();
  }

  /** Fulfilled when what has been added is delivered; undefined if that is so now. */
  get settled(): Promise<void> | undefined {
    return this.#last;
  }

  /** Calls `deliver` or, if the conversion fails, `fail`; after that, nothing more is delivered. */
  add(objects: readonly StoredObject[], deliver: () => void, fail: (error: StatusError) => void): void {
    if (this.#last === undefined) {
      deliver();
      return;
    }
    const prepared = this.#last.then(() => (this.#failed ? undefined : prepareStored(this.#codec, objects)));
    this.#last = prepared.then(
      () => {
        if (!this.#failed) deliver();
      },
      (error: unknown) => {
        if (!(error instanceof StatusError)) throw error;
        this.#failed = true;
        fail(error);
      },
    );
  }
}
