import type { ErrorCode } from '../errors/error-codes.ts';
import type { AnyClass } from './class-reference.ts';
import { placeOf } from './function-controller.ts';

/** A mistake in the declarations of a controller class. */
export interface ControllerMistake {
  readonly code: ErrorCode;
  readonly controllerClass: AnyClass;
  readonly method?: string;
  /** The mistake and its fix, without the class. */
  readonly message: string;
}

/** Returns `NginxController.onSecret: ...`, or `controllerFor(Nginx).onSecret (/app/nginx.ts:12): ...` */
export function controllerMistakeText({ controllerClass, method, message }: ControllerMistake): string {
  const member = method === undefined ? '' : `.${method}`;
  return `${controllerClass.name}${member}${placeOf(controllerClass)}: ${message}`;
}
