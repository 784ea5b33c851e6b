/**
 * Every code an EvenkeelError can carry. `docs/errors.md` has a section for each, and a test compares the two; a code,
 * once published, keeps its meaning.
 */
export const errorCodes = [
  'class-not-constructible',
  'controller-without-reconcile',
  'decorator-without-class',
  'duplicate-declaration',
  'invalid-duration',
  'invalid-option',
  'missing-controller',
  'missing-custom-resource',
  'unknown-option',
] as const;

export type ErrorCode = (typeof errorCodes)[number];
