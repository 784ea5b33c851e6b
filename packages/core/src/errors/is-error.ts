/**
 * Whether a value is an error. In tests of Jest, the errors of Node, such as those of `fetch`, are no instances of the test's
 * own `Error`.
 */
export function isError(value: unknown): value is Error {
  return value instanceof Error || foreignError.test(Object.prototype.toString.call(value));
}

const foreignError = /^\[object (?:Error|DOMException)\]$/;
