import { placesOf, type StackPlace } from '../errors/stack-places.ts';
import { placeOfCall } from './call-site.ts';
import type { AnyClass } from './class-reference.ts';

/** What `controllerFor()` and the functions like it record about the class that they create, in addition to the declarations. */
export interface FunctionController {
  /** Created in the call, so that its stack has the file and line. V8 formats the stack only when it is read. */
  readonly call: Error;
  /** The names of the injected values that its functions get, in the order of the constructor's parameters. */
  readonly injected: readonly string[];
}

const functionControllerKey = Symbol.for('evenkeel.functionController');

/** Marks a class as created by `controllerFor()` or a function like it, so that messages name the call and its steps. */
export function markFunctionController(target: AnyClass, controller: FunctionController): void {
  Reflect.defineMetadata(functionControllerKey, controller, target);
}

/** Returns the record of `controllerFor()`; undefined for a class with decorators. */
export function functionControllerOf(target: AnyClass): FunctionController | undefined {
  return Reflect.getOwnMetadata(functionControllerKey, target) as FunctionController | undefined;
}

/** Returns the line that called `controllerFor()`; undefined for a class with decorators. */
export function callSiteOf(target: AnyClass): StackPlace | undefined {
  return placesOf(functionControllerOf(target)?.call)[0];
}

/** Returns ` (/app/site.ts:12)` for a class of `controllerFor()`, else an empty string. It follows the class name in messages. */
export function placeOf(target: AnyClass): string {
  return placeOfCall(functionControllerOf(target)?.call);
}

/** Returns a decorator as the author of a controller wrote it: `@Owns` for a class, `.owns` for `controllerFor()`. */
export function wordOf(target: AnyClass, decorator: string): string {
  if (functionControllerOf(target) === undefined) return `@${decorator}`;
  return beginning.has(decorator) ? `${stepName(decorator)}For` : `.${stepName(decorator)}`;
}

/** The decorators whose function form is not a step but starts a builder: `controllerFor`. */
const beginning: ReadonlySet<string> = new Set(['Controller', 'ValidatingWebhook', 'MutatingWebhook']);

/** Returns the name of a decorator's step in `controllerFor()`: `owns` for `Owns`. */
export function stepName(decorator: string): string {
  return `${decorator.slice(0, 1).toLowerCase()}${decorator.slice(1)}`;
}
