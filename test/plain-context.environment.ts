import vm from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';

/**
 * Jest's environment for Node, in a context with a plain global object. Jest's own global object is behind a Proxy, so
 * that each `Array`, `Object` or `undefined` in the code of a test, or in the tested code, is a call of JavaScript.
 */
export default class PlainContextEnvironment extends TestEnvironment {
  constructor(...parameters: ConstructorParameters<typeof TestEnvironment>) {
    const { createContext } = vm;
    // The base class creates its context in the constructor, without parameters for it.
    vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY);
    try {
      super(...parameters);
    } finally {
      vm.createContext = createContext;
    }
  }
}
