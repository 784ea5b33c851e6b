import { EvenkeelError } from '@evenkeel/core';
import { getMetadataStorage, MATCHES, type MetadataStorage, type ValidationArguments } from 'class-validator';
import { linearSearch, type PatternSearch } from '../regular-expression/linear-search.ts';

/** class-validator's record of one decorator on a property. */
export type ConstraintMetadata = ReturnType<MetadataStorage['getTargetValidationMetadatas']>[number];

/** One of the validators of a decorator. */
export interface ConstraintCheck {
  /** The name in class-validator: `isInt`. */
  readonly name: string;
  /** The decorator, for our messages. */
  readonly metadata: ConstraintMetadata;
  /** Whether it has class-validator's `async: true` or is an `async` function. */
  readonly isAsynchronous: boolean;
  /** Throws `asynchronous-validator` if it returns a promise. */
  accepts(value: unknown, subject: Subject): boolean;
  message(value: unknown, subject: Subject): string;
}

/** The object whose property is checked. */
export interface Subject {
  readonly className: string;
  readonly object: object;
}

/** The checks of a decorator. class-validator allows several validators for one class; most have one. */
export function constraintChecks(metadata: ConstraintMetadata): ConstraintCheck[] {
  return getMetadataStorage()
    .getTargetValidatorConstraints(metadata.constraintCls)
    .map((registered) => {
      const { instance } = registered;
      const name = registered.name || metadata.type;
      const search = searchOf(name, metadata);
      return {
        name,
        metadata,
        isAsynchronous: registered.async || isAsyncFunction(instance.validate),
        accepts: (value, subject) => {
          if (search !== undefined && typeof value === 'string') return search(value);
          const accepted: unknown = instance.validate(value, argumentsOf(value, subject, metadata));
          if (!isPromise(accepted)) return Boolean(accepted);
          // The promise is never awaited, and its rejection must not end the process.
          accepted.then(undefined, () => undefined);
          throw asynchronousValidator(subject.className, metadata.propertyName, name);
        },
        message: (value, subject) => {
          const given = argumentsOf(value, subject, metadata);
          const own = messageOf(metadata, value, subject);
          if (own !== '') return own;
          return replaceTokens(instance.defaultMessage?.(given) ?? '', given) || `does not satisfy ${name}`;
        },
      };
    });
}

/** `@Matches` has two parameters; a validator of the same name with other parameters is the user's. */
function searchOf(name: string, { constraints }: ConstraintMetadata): PatternSearch | undefined {
  const [pattern, modifiers] = constraints ?? [];
  return name === MATCHES && constraints.length === 2 ? linearSearch(pattern, modifiers) : undefined;
}

/** The `message` option of the decorator; empty if it has none. */
export function messageOf(metadata: ConstraintMetadata, value: unknown, subject: Subject): string {
  const given = argumentsOf(value, subject, metadata);
  const { message } = metadata;
  return replaceTokens((typeof message === 'function' ? message(given) : message) || '', given);
}

export function asynchronousValidator(className: string, property: string, name: string): EvenkeelError {
  return new EvenkeelError(
    'asynchronous-validator',
    `${className}.${property}: the validator "${name}" is asynchronous, so classValidator() cannot run it; make it synchronous, or check in the reconcile`,
  );
}

function argumentsOf(value: unknown, subject: Subject, metadata: ConstraintMetadata): ValidationArguments {
  return {
    targetName: subject.className,
    property: metadata.propertyName,
    object: subject.object,
    value,
    constraints: metadata.constraints ?? [],
  };
}

/** The special tokens of class-validator's messages. */
const tokens = /\$(?:constraint([1-9]\d*)|value|property|target)/g;

function replaceTokens(message: string, { constraints, value, property, targetName }: ValidationArguments): string {
  return message.replaceAll(tokens, (token, index: string | undefined) => {
    if (index !== undefined)
      return Number(index) <= constraints.length ? textOf(constraints[Number(index) - 1]) : token;
    if (token === '$property') return property;
    if (token === '$target') return targetName;
    return ['string', 'boolean', 'number'].includes(typeof value) ? String(value) : token;
  });
}

function textOf(constraint: unknown): string {
  if (Array.isArray(constraint)) return constraint.join(', ');
  return typeof constraint === 'symbol' ? (constraint.description ?? '') : String(constraint);
}

function isAsyncFunction(value: unknown): boolean {
  return typeof value === 'function' && value.constructor.name === 'AsyncFunction';
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
