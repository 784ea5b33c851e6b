import type { AnyClass } from './class-reference.ts';

/** What `controllerFor()` notes of the class it makes, beside the declarations that a decorated class has too. */
export interface FunctionController {
  /** Made by the call, so that its stack names the place; V8 writes that out only when it is asked for. */
  readonly call: Error;
  /** What its functions are given, in the order of the constructor's parameters. */
  readonly injected: readonly string[];
}

const functionControllerKey = Symbol.for('evenkeel.functionController');

/** Marks a class as one that functions declare, so that messages speak of those. */
export function markFunctionController(target: AnyClass, controller: FunctionController): void {
  Reflect.defineMetadata(functionControllerKey, controller, target);
}

/** Undefined for a class that somebody wrote. */
export function functionControllerOf(target: AnyClass): FunctionController | undefined {
  return Reflect.getOwnMetadata(functionControllerKey, target) as FunctionController | undefined;
}

/** The line that called `controllerFor()`; undefined for a class that somebody wrote. */
export function callSiteOf(target: AnyClass): { readonly file: string; readonly line: number } | undefined {
  const frame = functionControllerOf(target)
    ?.call.stack?.split('\n')
    .find((line) => line.startsWith('    at '));
  const place = frame?.slice(frame.lastIndexOf(' ') + 1).replace(/^\(|\)$/g, '');
  const [, url, line] = /^(.+):(\d+):\d+$/.exec(place ?? '') ?? [];
  if (url === undefined || line === undefined) return undefined;
  return { file: url.startsWith('file://') ? decodeURIComponent(new URL(url).pathname) : url, line: Number(line) };
}

/** ` (/app/site.ts:12)` for a class that functions declare, nothing for others: what follows its name in a message. */
export function placeOf(target: AnyClass): string {
  const { file, line } = callSiteOf(target) ?? {};
  return file === undefined ? '' : ` (${file}:${line})`;
}

/** How the author of a controller wrote a decorator: `@Owns` above a class, `.owns` where functions say the same. */
export function wordOf(target: AnyClass, decorator: string): string {
  if (functionControllerOf(target) === undefined) return `@${decorator}`;
  return decorator === 'Controller' ? 'controllerFor' : `.${stepName(decorator)}`;
}

/** What the step of a decorator is called in `controllerFor()`: `owns` for `Owns`. */
export function stepName(decorator: string): string {
  return `${decorator.slice(0, 1).toLowerCase()}${decorator.slice(1)}`;
}
