import vm from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';

/**
 * Jest's environment for Node, in a context whose global object is a plain one. Jest's own stands behind a Proxy, so that
 * each `Array`, `Object` or `undefined` in the code of a test, or in what it tests, is a call into JavaScript.
 */
export default class PlainContextEnvironment extends TestEnvironment {
  constructor(...parameters: ConstructorParameters<typeof TestEnvironment>) {
    const { createContext } = vm;
    // The base class makes its context in the constructor, and from nothing that is given to it.
    vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY);
    try {
      super(...parameters);
    } finally {
      vm.createContext = createContext;
    }
  }
}
