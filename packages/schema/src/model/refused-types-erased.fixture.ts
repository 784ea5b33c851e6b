/** Imported only as a type, so this module never runs. */
export class Erased {
  a?: string;
}
