import { type AnyClass, KubernetesObject } from '@evenkeel/core';
import type { Finding } from '../finding.ts';
import type { ClassSources } from '../source/class-sources.ts';
import type { ClassSource } from '../source/source-file.ts';
import type { ApiClass } from './api-class.ts';
import type { ValidatorGroups } from './constraint-metadata.ts';
import { PropertyReading } from './property-reading.ts';
import { isApiClass } from './type-candidate.ts';

/**
 * Reads a decorated class and the classes below it. Problems are findings, all of them at once; what they are about
 * gets the type `unknown`.
 */
export async function readApiClass(type: AnyClass, options: ReadClassOptions, findings: Finding[]): Promise<ApiClass> {
  return new ClassReading(options, findings).read(type, undefined);
}

/** Where classes are read from. */
export interface ReadClassOptions {
  readonly sources: ClassSources;
  readonly validator: ValidatorGroups;
}

class ClassReading {
  readonly #options: ReadClassOptions;
  readonly #findings: Finding[];
  /** The classes from the root to the one being read, to see one that contains itself. */
  readonly #path: AnyClass[] = [];
  readonly #done = new Map<AnyClass, ApiClass>();

  constructor(options: ReadClassOptions, findings: Finding[]) {
    this.#options = options;
    this.#findings = findings;
  }

  read(type: AnyClass, source: ClassSource | undefined): ApiClass {
    const done = this.#done.get(type);
    if (done !== undefined) return done;
    this.#path.push(type);
    const reading = new PropertyReading({
      type,
      ...this.#options,
      chain: this.#sourceChain(type, source),
      report: (finding) => this.#findings.push(finding),
      nested: (nested, nestedSource) => (this.#path.includes(nested) ? undefined : this.read(nested, nestedSource)),
    });
    const properties = reading.names().map((name) => reading.read(name));
    this.#path.pop();
    const [own] = reading.chain;
    const read: ApiClass = {
      type,
      name: type.name,
      ...(own?.name !== type.name || own.description === undefined ? {} : { description: own.description }),
      ...(own === undefined ? {} : { location: { file: own.file, line: own.line } }),
      properties,
    };
    this.#done.set(type, read);
    return read;
  }

  /** The text of a class, then of its base classes. */
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
