import type { ErrorCode } from '../errors/error-codes.ts';
import type { AnyClass } from './class-reference.ts';
import { placeOf } from './function-controller.ts';

/** What is wrong with the declarations of a controller's class. */
export interface ControllerMistake {
  readonly code: ErrorCode;
  readonly controllerClass: AnyClass;
  readonly method?: string;
  /** What is wrong and how to mend it, without the class. */
  readonly message: string;
}

/** `NginxController.onSecret: ...`, or `controllerFor(Nginx).onSecret (/app/nginx.ts:12): ...` */
export function controllerMistakeText({ controllerClass, method, message }: ControllerMistake): string {
  const member = method === undefined ? '' : `.${method}`;
  return `${controllerClass.name}${member}${placeOf(controllerClass)}: ${message}`;
}
