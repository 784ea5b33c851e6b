import { type AnyClass, declarationsOf, KubernetesObject } from '@evenkeel/core';
import { schemaDefinitionOf } from '@evenkeel/kinds';
import { BuiltInTypes } from '../builtin/built-in-types.ts';
import type { Finding } from '../finding/finding.ts';
import type { ClassSource } from '../source/source-file.ts';
import type { ApiClass } from './api-class.ts';
import { checkClassDeclarations } from './check-class-declarations.ts';
import { PropertyReading, type ReadingContext, type Step } from './property-reading.ts';
import type { NestedClass } from './property-type.ts';
import { isApiClass } from './type-candidate.ts';

/**
 * Reads a decorated class and the classes below it. All problems become findings at once; a property with a problem gets
 * the type `unknown`.
 */
export async function readApiClass(type: AnyClass, options: ReadClassOptions, findings: Finding[]): Promise<ApiClass> {
  const builtIns = new BuiltInTypes();
  const read = new ClassReading(options, builtIns, findings).read(type, undefined, undefined);
  await builtIns.load();
  return read;
}

/** Sources and options for reading classes. */
export type ReadClassOptions = Pick<ReadingContext, 'sources' | 'validator'>;

/** A class that is being read. */
interface Frame {
  readonly type: AnyClass;
  /** The property that led to it; undefined at the root. */
  readonly via: Step | undefined;
  /** Whether a recursion was cut below it, so that it reads differently in another place. */
  isDependent: boolean;
}

/** A depth that no object needs. It also limits the recursion of this code. */
const maxDepth = 100;

/** Unrolled recursions grow exponentially; a schema with more classes does not fit into etcd. */
const maxClasses = 2000;

class ClassReading {
  readonly #options: ReadClassOptions;
  readonly #builtIns: BuiltInTypes;
  readonly #report: (finding: Finding) => void;
  /** From the root to the class being read. */
  readonly #path: Frame[] = [];
  readonly #done = new Map<AnyClass, ApiClass>();
  #count = 0;

  constructor(options: ReadClassOptions, builtIns: BuiltInTypes, findings: Finding[]) {
    this.#options = options;
    this.#builtIns = builtIns;
    this.#report = (finding) => findings.push(finding);
  }

  read(type: AnyClass, source: ClassSource | undefined, via: Step | undefined): ApiClass {
    const done = this.#done.get(type);
    if (done !== undefined) return done;
    const frame: Frame = { type, via, isDependent: false };
    this.#count++;
    this.#path.push(frame);
    const reading = new PropertyReading({
      type,
      ...this.#options,
      builtIns: this.#builtIns,
      chain: this.#sourceChain(type, source),
      report: this.#report,
      nested: (nested, nestedSource, step) => this.#nested(nested, nestedSource, step),
    });
    const properties = reading.names().map((name) => reading.read(name));
    this.#path.pop();
    for (const source of reading.chain) this.#checkIndexSignature(source);
    const [own] = reading.chain;
    const base = builtInBase(type);
    const read: ApiClass = {
      type,
      name: type.name,
      ...(own?.name !== type.name || own.description === undefined ? {} : { description: own.description }),
      ...(own === undefined ? {} : { location: { file: own.file, line: own.line } }),
      ...(base === undefined ? {} : { base: this.#builtIns.typeOf(base) }),
      properties,
      says: declarationsOf(type).schema,
      ...(this.#options.sources.isStandIn(type) ? { isInterface: true } : {}),
    };
    checkClassDeclarations(read, this.#report);
    if (!frame.isDependent) this.#done.set(type, read);
    return read;
  }

  /**
   * Reads a nested class, and ends recursions. If a property of the cycle has `@Recursive(levels)`, the class is repeated
   * that many times. If one has `@PreserveUnknownFields()`, the recursion is cut where the cycle closes.
   */
  #nested(type: AnyClass, source: ClassSource | undefined, step: Step): NestedClass {
    const { levels } = step.cut;
    if (levels !== undefined) {
      this.#markDependent();
      const times = this.#path.filter(
        ({ via }) => via?.owner === step.owner && via.property === step.property && via.cut.levels !== undefined,
      ).length;
      if (times >= levels) return { is: 'cut' };
    }
    const start = this.#path.findLastIndex((frame) => frame.type === type);
    if (start >= 0) {
      this.#markDependent();
      const around = [...this.#path.slice(start + 1).map((frame) => frame.via), step].filter(
        (via) => via !== undefined,
      );
      if (!around.some(({ cut }) => cut.levels !== undefined)) {
        if (around.some(({ cut }) => cut.keeps)) return { is: 'cut' };
        return { is: 'refused', message: this.#cycleMessage(around, type) };
      }
    }
    if (this.#count >= maxClasses || this.#path.length >= maxDepth) {
      return {
        is: 'refused',
        message: `the schema would have more than ${maxClasses} classes or more than ${maxDepth} levels; give @Recursive() fewer levels`,
      };
    }
    return { is: 'class', class: this.read(type, source, step) };
  }

  #checkIndexSignature({ name, file, indexSignatureLine: line }: ClassSource): void {
    if (line === undefined) return;
    this.#report({
      level: 'error',
      code: 'unknown-type',
      className: name,
      location: { file, line },
      message:
        'a schema cannot express an index signature beside properties; move the map to a separate property of type Record<string, X>',
    });
  }

  /** `Node.children -> Tree.root -> Node`, and the fix. */
  #cycleMessage(around: readonly Step[], type: AnyClass): string {
    const cycle = [...around.map(({ owner, property }) => `${owner.name}.${property}`), type.name].join(' -> ');
    const withDecorators = around.filter(({ owner }) => !this.#options.sources.isStandIn(owner));
    const places = withDecorators.map(({ owner, property }) => `${owner.name}.${property}`);
    const where = places.length === around.length ? 'one of these properties' : places.join(' or ');
    const make =
      places.length > 0
        ? `add @Recursive(levels) to ${where}`
        : `make ${type.name} a class, because an interface has no decorators, and add @Recursive(levels) to its property`;
    return `${cycle} is a cycle, which a structural schema cannot express; ${make} to repeat it that many times, or @PreserveUnknownFields() to keep whatever is sent there`;
  }

  #markDependent(): void {
    for (const frame of this.#path) frame.isDependent = true;
  }

  /** The source of a class, then those of its base classes. */
  #sourceChain(type: AnyClass, known: ClassSource | undefined): ClassSource[] {
    const chain: ClassSource[] = [];
    let near = known;
    for (
      let current: unknown = type;
      isApiClass(current) && current !== KubernetesObject && current !== Function.prototype;
      current = Object.getPrototypeOf(current)
    ) {
      const source = (current === type ? known : undefined) ?? this.#options.sources.sourceOf(current, near);
      if (source !== undefined) chain.push(source);
      near = source ?? near;
    }
    return chain;
  }
}

/** The definition of the nearest base class that is a Kubernetes type. */
function builtInBase(type: AnyClass): string | undefined {
  for (let base: unknown = Object.getPrototypeOf(type); isApiClass(base); base = Object.getPrototypeOf(base)) {
    const definition = schemaDefinitionOf(base);
    if (definition !== undefined) return definition;
  }
  return undefined;
}
