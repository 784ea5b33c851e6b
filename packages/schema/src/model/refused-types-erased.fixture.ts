/** Imported as a type alone, so that this module never runs. */
export class Erased {
  a?: string;
}
