import { declare, type Recording, recordField } from '../declarations/class-record.ts';
import type { ServiceReference } from '../declarations/token.ts';

/** What `@Inject` records: the service for a parameter. */
export interface InjectDeclaration {
  readonly service: ServiceReference;
  /** Undefined for the constructor. */
  readonly method: string | undefined;
  /** The index of the parameter. */
  readonly parameter: number;
}

/**
 * The parameters of the decorated function: those of the constructor of a class, or of a method of its prototype. `unknown` if
 * the compiler does not know them, for example because the method is private.
 */
type ParametersAt<Target, Member> = Member extends undefined
  ? Target extends abstract new (
      ...parameters: infer P
    ) => unknown
    ? P
    : unknown
  : Member extends keyof Target
    ? Target[Member] extends (...parameters: infer P) => unknown
      ? P
      : unknown
    : unknown;

/** The type of one parameter, without `undefined` if it is optional. */
type ParameterAt<Target, Member, Index> =
  ParametersAt<Target, Member> extends infer P
    ? P extends readonly unknown[]
      ? Index extends keyof P
        ? P[Index]
        : `${Index & number}` extends keyof P
          ? P[`${Index & number}`]
          : unknown
      : unknown
    : unknown;

/** `unknown` if the parameter accepts the value, else a type that the compiler shows in its message. */
type Accepted<Value, Parameter> = [Value] extends [Parameter]
  ? unknown
  : { readonly 'the type of the parameter differs from the injected value': Value };

/**
 * Injects a service by its token or class. Put it on a parameter of a constructor, or on a parameter of a reconcile or finalizer
 * method after the context. A parameter whose type is a class of a service needs no `@Inject`.
 *
 * The compiler checks that the parameter accepts the value. Pass a function, such as `() => dnsUrl`, in an import cycle.
 */
export function Inject<T>(
  service: ServiceReference<T>,
): <Target extends object, Member extends string | symbol | undefined, Index extends number>(
  target: Target & Accepted<T, ParameterAt<Target, Member, Index>>,
  method: Member,
  parameter: Index,
) => void {
  return (target, method, parameter) => {
    declare(injects, target, { service, parameter, method: method === undefined ? undefined : String(method) });
  };
}

/** Parameters belong to the class that has the constructor or method, so a reader asks for the own declarations of that class. */
const ofParameters: Recording<InjectDeclaration, readonly InjectDeclaration[]> = {
  empty: () => [],
  add: (own, declaration) => [...own, declaration],
  inherit: (inherited, own) => [...inherited, ...own],
};

/** The record of `@Inject`. The container reads it for controllers and services. */
export const injects = recordField('injects', ofParameters);
