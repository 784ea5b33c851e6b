import { type AnyClass, declarationsOf, type ErrorCode, KubernetesObject } from '@evenkeel/core';
import { constraintRule } from '../constraints/constraint-table.ts';
import type { Finding, SourceLocation } from '../finding.ts';
import type { ClassSource, PropertySource } from '../source/source-file.ts';
import type { ApiClass, ApiProperty, PropertyType } from './api-class.ts';
import { transformedPropertiesOf, transformerMetadataOf } from './class-transformer.ts';
import { type ConstraintUse, conditional, constraintsOf, decoratorName } from './constraint-metadata.ts';
import { initialValuesOf, jsonOf } from './initial-values.ts';
import { readPropertyType } from './property-type.ts';
import type { ReadClassOptions } from './read-api-class.ts';
import { isApiClass, type WrittenType, WrittenTypes } from './type-candidate.ts';

export interface ReadingContext extends ReadClassOptions {
  readonly type: AnyClass;
  readonly chain: readonly ClassSource[];
  report(finding: Finding): void;
  /** Reads a class below this one; undefined where it is above it as well. */
  nested(type: AnyClass, source: ClassSource | undefined): ApiClass | undefined;
}

/** Reads the properties of one class. */
export class PropertyReading {
  readonly #context: ReadingContext;
  readonly #constraints: ReadonlyMap<string, readonly ConstraintUse[]>;
  readonly #declarations;
  readonly #initial: ReadonlyMap<string, unknown>;
  readonly #unstable: ReadonlySet<string>;

  constructor(context: ReadingContext) {
    this.#context = context;
    this.#constraints = constraintsOf(context.type, context.validator);
    this.#declarations = declarationsOf(context.type).properties;
    const initial = initialValuesOf(context.type);
    if ('threw' in initial) {
      const reason = initial.threw instanceof Error ? initial.threw.message : String(initial.threw);
      this.#report(
        'error',
        'class-not-constructible',
        undefined,
        `new ${context.type.name}() threw "${reason}"; its initialisers must not need arguments, the network or the time`,
      );
    }
    this.#initial = 'threw' in initial ? new Map() : initial.values;
    this.#unstable = 'threw' in initial ? new Set() : initial.unstable;
  }

  get chain(): readonly ClassSource[] {
    return this.#context.chain;
  }

  names(): string[] {
    const names = new Set([
      ...this.chain.flatMap((source) => [...source.properties.keys()]),
      ...this.#constraints.keys(),
      ...this.#declarations.keys(),
      ...this.#initial.keys(),
      ...transformedPropertiesOf(this.#context.type),
    ]);
    if (this.#context.type.prototype instanceof KubernetesObject) {
      for (const name of ['apiVersion', 'kind', 'metadata']) names.delete(name);
    }
    return [...names].sort();
  }

  read(name: string): ApiProperty {
    const location = this.#locationOf(name);
    const source = this.#sourceOf(name);
    const constraints = this.#constraints.get(name) ?? [];
    const transformer = transformerMetadataOf(this.#context.type, name);
    for (const { decorator, mend } of transformer.refused) {
      this.#report('error', 'transformed-property', name, `${decorator} is not supported: ${mend}`);
    }
    const designType: unknown = Reflect.getMetadata('design:type', this.#context.type.prototype as object, name);
    const written = this.#writtenType(name, source, designType);
    if (written?.allowsNull === true) {
      this.#report(
        'notice',
        'inexact-constraint',
        name,
        'the API server removes null before it looks at the value; declare it with "?" instead of "| null"',
      );
    }
    const says = this.#declarations.get(name) ?? [];
    const hasInitialValue = this.#initial.get(name) !== undefined;
    const initialValue = this.#initialValue(name);
    const isOptional =
      source?.property.isOptional === true ||
      written?.allowsUndefined === true ||
      constraints.some((use) => use.name === 'isOptional');
    const type: PropertyType = says.some((declaration) => declaration.says === 'conditions')
      ? { is: 'conditions' }
      : transformer.refused.length > 0 && transformer.type === undefined
        ? { is: 'unknown' }
        : readPropertyType(
            {
              constraints,
              named: transformer.type,
              written: written?.candidate,
              initial: this.#initial.get(name),
              designType,
            },
            {
              report: (level, code, message) => this.#report(level, code, name, message),
              nested: (nested, nestedSource) =>
                this.#context.nested(nested, nestedSource ?? this.#context.sources.sourceOf(nested, this.chain[0])),
            },
          );
    if (isOptional && !hasInitialValue) this.#checkOptional(name, constraints);
    const { description } = source?.property ?? {};
    return {
      name,
      className: this.#context.type.name,
      ...(description === undefined ? {} : { description }),
      ...(location === undefined ? {} : { location }),
      type,
      isOptional,
      isRequired:
        !isOptional &&
        !hasInitialValue &&
        !constraints.some((use) => use.name === conditional) &&
        !says.some((declaration) => declaration.says === 'status') &&
        (source !== undefined ||
          says.some((declaration) => declaration.says === 'spec') ||
          constraints.some((use) => !acceptsMissing(use))),
      ...(initialValue === undefined ? {} : { initialValue }),
      constraints,
      says,
    };
  }

  #checkOptional(name: string, constraints: readonly ConstraintUse[]): void {
    const isLenient = constraints.some((use) => use.name === 'isOptional' || use.name === conditional);
    const strict = isLenient ? undefined : constraints.find((use) => !use.each && !acceptsMissing(use));
    if (strict === undefined) return;
    this.#report(
      'notice',
      'inexact-constraint',
      name,
      `"?" lets it be missing, which ${decoratorName(strict)} refuses; add @IsOptional() so that validation in the operator agrees`,
    );
  }

  #initialValue(name: string): unknown {
    if (this.#initial.get(name) === undefined) return undefined;
    if (this.#unstable.has(name)) {
      this.#report(
        'error',
        'invalid-default',
        name,
        'its initialiser gives another value each time, so it cannot be the default of the CRD; set it in the controller',
      );
      return undefined;
    }
    const json = jsonOf(this.#initial.get(name));
    if (json === undefined) {
      this.#report(
        'error',
        'invalid-default',
        name,
        'its initialiser gives what cannot be sent as JSON, so it cannot be the default of the CRD; use strings, numbers, booleans, arrays and classes of them, and leave out what has no value',
      );
    }
    return json;
  }

  #writtenType(
    name: string,
    source: { property: PropertySource; in: ClassSource } | undefined,
    designType: unknown,
  ): WrittenType | undefined {
    if (source?.property.type === undefined) return undefined;
    const initial = this.#initial.get(name);
    const seen = [designType, initial?.constructor].filter(isApiClass);
    return new WrittenTypes(this.#context.sources, seen).read(source.property.type, source.in);
  }

  #sourceOf(name: string): { property: PropertySource; in: ClassSource } | undefined {
    for (const source of this.chain) {
      const property = source.properties.get(name);
      if (property !== undefined) return { property, in: source };
    }
    return undefined;
  }

  #locationOf(name: string | undefined): SourceLocation | undefined {
    const found = name === undefined ? undefined : this.#sourceOf(name);
    if (found !== undefined) return { file: found.in.file, line: found.property.line };
    const [own] = this.chain;
    return own === undefined ? undefined : { file: own.file, line: own.line };
  }

  #report(level: Finding['level'], code: ErrorCode, name: string | undefined, message: string): void {
    const location = this.#locationOf(name);
    this.#context.report({
      level,
      code,
      className: this.#context.type.name,
      ...(name === undefined ? {} : { property: name }),
      ...(location === undefined ? {} : { location }),
      message,
    });
  }
}

function acceptsMissing(use: ConstraintUse): boolean {
  if (use.name === conditional) return true;
  return use.name !== undefined && constraintRule(use.name)?.acceptsMissing === true;
}
