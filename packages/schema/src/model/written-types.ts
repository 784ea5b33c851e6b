import type { AnyClass } from '@evenkeel/core';
import { conditionDefinition, intOrStringDefinition, quantityDefinition } from '../builtin/special-types.ts';
import { commonType, type ImpliedType } from '../constraints/rule/constraint.ts';
import type { ClassSources } from '../source/class-sources.ts';
import type { ClassSource, ReferenceType, SourceType } from '../source/source-file.ts';
import type { ObjectChange } from './object-change.ts';
import { kindOf, type TypeCandidate } from './type-candidate.ts';
import { TypeParameters } from './type-parameters.ts';
import {
  globalType,
  indexSignature,
  noSingleType,
  notReached,
  numberOrString,
  severalClasses,
  shortened,
  whatServes,
} from './type-problems.ts';

/** A declared type, without the undefined and null of its union. */
export interface WrittenType {
  readonly candidate: TypeCandidate;
  readonly allowsUndefined: boolean;
  readonly allowsNull: boolean;
  /** The parts of the type that the schema does not express. */
  readonly notices: readonly string[];
}

/** The context in which a declared type is read. */
export interface WrittenTypeContext {
  readonly sources: ClassSources;
  /** Classes that the property has at run time, for names that lead to no module. */
  readonly seen: readonly AnyClass[];
  /** The name of an object type literal in messages: `NginxSpec.tls`. */
  readonly owner: string;
}

/**
 * Reads a declared type and resolves its names.
 *
 * @param file the file in whose scope its names are resolved.
 */
export function readWrittenType(type: SourceType, file: string, context: WrittenTypeContext): WrittenType {
  return new WrittenTypeReading(context).read(type, file);
}

/** The place of a type. */
interface Place {
  /** The file it is written in. */
  readonly file: string;
  /** The aliases that led to it, by file, name and arguments. */
  readonly through: readonly string[];
}

/** One member of a union. */
interface Member {
  readonly type: SourceType;
  readonly place: Place;
}

class WrittenTypeReading {
  readonly #context: WrittenTypeContext;
  readonly #parameters: TypeParameters;
  readonly #notices = new Set<string>();
  readonly #extending = new Set<ClassSource>();
  #opened = 0;

  constructor(context: WrittenTypeContext) {
    this.#context = context;
    this.#parameters = TypeParameters.of(context.sources);
  }

  read(type: SourceType, file: string): WrittenType {
    const members = this.#membersOf(type, { file, through: [] });
    const candidate = this.#union(members.filter(({ type: { is } }) => is !== 'undefined' && is !== 'null'));
    return {
      candidate: this.#orSeen(candidate),
      allowsUndefined: members.some((member) => member.type.is === 'undefined'),
      allowsNull: members.some((member) => member.type.is === 'null'),
      notices: [...this.#notices],
    };
  }

  /** Replaces an interface by the class of its initialiser, which has the decorators. */
  #orSeen(candidate: TypeCandidate): TypeCandidate {
    const { sources, seen } = this.#context;
    if (candidate.is !== 'class' || candidate.changes !== undefined || !sources.isStandIn(candidate.type))
      return candidate;
    const type = seen.find((one) => !scalarClasses.has(one));
    return type === undefined ? candidate : { is: 'class', type };
  }

  /** The members of a union, with aliases resolved and nested unions flattened. */
  #membersOf(type: SourceType, place: Place): Member[] {
    switch (type.is) {
      case 'union':
        return type.of.flatMap((member) => this.#membersOf(member, place));
      case 'bound':
        return this.#membersOf(type.type, { ...place, file: type.file });
      case 'constant':
        return this.#constant(type, place);
      case 'reference':
        return this.#alias(type, place) ?? [{ type, place }];
      default:
        return [{ type, place }];
    }
  }

  /** The members that a name resolves to; undefined for classes and unknown names. */
  #alias(type: ReferenceType, place: Place): Member[] | undefined {
    const { file, through } = place;
    const resolved = this.#context.sources.resolve(type.name, file);
    if (resolved?.is === 'type') {
      const target = resolved.module.file.path;
      const key = `${target} ${this.#parameters.keyOf(type)}`;
      if (through.includes(key) || through.length === maxAliases || ++this.#opened > maxOpened) {
        return [{ type: { is: 'other', text: type.name, fix: isRecursive }, place }];
      }
      const opened = this.#parameters.bind(resolved.type, resolved.parameters, type.arguments, file);
      return this.#membersOf(opened, { file: target, through: [...through, key] });
    }
    if (resolved !== undefined) return undefined;
    const [first, second] = type.arguments;
    if (first !== undefined && type.name === 'NonNullable') {
      const members = this.#membersOf(first, place);
      return members.filter((member) => member.type.is !== 'null' && member.type.is !== 'undefined');
    }
    if (first !== undefined && second !== undefined && (type.name === 'Exclude' || type.name === 'Extract')) {
      const named = new Set(this.#literals(second, place));
      const members = this.#membersOf(first, place);
      if (members.some((member) => member.type.is !== 'literal')) return undefined;
      return members.filter(
        (member) => member.type.is === 'literal' && named.has(member.type.value) === (type.name === 'Extract'),
      );
    }
    // One member of an enum: Level.Low.
    const dot = type.name.lastIndexOf('.');
    const enumeration = dot < 0 ? undefined : this.#context.sources.constant(type.name.slice(0, dot), file);
    const member = enumeration?.members?.get(type.name.slice(dot + 1));
    return member === undefined ? undefined : [{ type: member, place }];
  }

  #constant(type: Extract<SourceType, { is: 'constant' }>, place: Place): Member[] {
    const constant = this.#context.sources.constant(type.name, place.file);
    if (constant === undefined) {
      const fix = `add "as const" to ${type.name}, or list the values`;
      return [{ type: { is: 'other', text: `typeof ${type.name}`, fix }, place }];
    }
    if (type.part === 'itself') return this.#membersOf(constant.type, place);
    const members = [...(constant.members ?? [])];
    const of = members.map(
      ([key, value]): SourceType => (type.part === 'keys' ? { is: 'literal', value: key } : value),
    );
    return this.#membersOf({ is: 'union', of }, place);
  }

  #literals(type: SourceType, place: Place): (string | number | boolean)[] {
    return this.#membersOf(type, place).flatMap((member) => (member.type.is === 'literal' ? [member.type.value] : []));
  }

  #union(members: readonly Member[]): TypeCandidate {
    const literals = members.map(({ type }) => (type.is === 'literal' ? type.value : undefined));
    if (literals.length > 0 && !literals.includes(undefined)) {
      const values = [...new Set(literals.filter((value) => value !== undefined))];
      if (values.length === 2 && values.includes(true) && values.includes(false)) return { is: 'boolean' };
      return commonType(values) === undefined ? noSingleType(values.map(typeOfLiteral)) : { is: 'values', values };
    }
    // 'a' | string is string.
    const wide = members.filter(({ type }) => type.is !== 'literal');
    const [first] = wide;
    if (first === undefined)
      return { is: 'problem', message: 'its type has no value that JSON can contain; change the type' };
    const candidates = wide.map((member) => this.#single(member));
    const [only] = candidates;
    const kinds = new Set(members.map(({ type }, index) => kindIn(type, index)));
    if (only !== undefined && kinds.size === 1 && (candidates.length === 1 || isScalar(only))) return only;
    const scalars = new Set(members.map(({ type }) => (type.is === 'literal' ? typeof type.value : type.is)));
    if (scalars.size === 2 && scalars.has('string') && scalars.has('number')) return numberOrString;
    const isOfObjects = wide.length === members.length && wide.every((member) => this.#isObject(member));
    if (isOfObjects) return this.#discriminated(candidates) ?? severalClasses;
    const ofLiterals = literals.filter((literal) => literal !== undefined).map(typeOfLiteral);
    return noSingleType([...ofLiterals, ...candidates.map(kindOf)]);
  }

  /**
   * A union with a discriminator: a property with a different literal in each class, as in `{ type: 'http' } | { type: 'tcp'
   * }`.
   */
  #discriminated(candidates: readonly TypeCandidate[]): TypeCandidate | undefined {
    const { sources } = this.#context;
    const variants = candidates.flatMap((candidate) => {
      if (candidate.is !== 'class' || candidate.changes !== undefined) return [];
      const source = candidate.source ?? sources.sourceOf(candidate.type);
      return source === undefined ? [] : [{ type: candidate.type, source }];
    });
    const [first] = variants;
    if (first === undefined || variants.length < candidates.length) return undefined;
    for (const property of first.source.properties.keys()) {
      const names = variants.map(({ source }) => this.#literalOf(source, property));
      if (names.includes(undefined) || new Set(names).size < names.length) continue;
      const subTypes = variants.map(({ type }, index) => ({ name: names[index] ?? '', value: type }));
      const base: AnyClass = class {};
      Object.defineProperty(base, 'name', { value: variants.map(({ type }) => type.name).join(' | ') });
      return { is: 'union', base, discriminator: { property, subTypes } };
    }
    return undefined;
  }

  /** The only string that a property may have. */
  #literalOf(source: ClassSource, name: string): string | undefined {
    const property = source.properties.get(name);
    if (property?.type === undefined || property.isOptional) return undefined;
    const members = this.#membersOf(property.type, { file: source.file, through: [] });
    const [only] = members;
    if (members.length !== 1 || only?.type.is !== 'literal') return undefined;
    return typeof only.type.value === 'string' ? only.type.value : undefined;
  }

  #isObject({ type, place }: Member): boolean {
    if (type.is !== 'reference') return type.is === 'object';
    const is = this.#context.sources.resolve(type.name, place.file)?.is;
    return is === 'class' || is === 'interface' || is === 'builtIn';
  }

  #single({ type, place }: Member): TypeCandidate {
    switch (type.is) {
      case 'string':
      case 'number':
      case 'boolean':
        return { is: type.is };
      case 'template':
        this.#notices.add(`for ${type.text} the schema requires only a string; add @Matches() for its form`);
        return { is: 'string' };
      case 'array':
        return this.#array(type.items, place);
      case 'tuple':
        return this.#tuple(type, place);
      case 'record':
        return this.#record(type, place);
      case 'object':
        return this.#members(type.members, this.#context.owner);
      case 'reference':
        return this.#reference(type, place);
      case 'other':
        return {
          is: 'problem',
          message: `${shortened(type.text)} has no counterpart in a schema; ${type.fix ?? whatServes}`,
        };
      default:
        return {
          is: 'problem',
          message: `its type allows any value; ${whatServes}, or add @PreserveUnknownFields() to keep whatever is sent`,
        };
    }
  }

  #of(type: SourceType, place: Place): TypeCandidate {
    const members = this.#membersOf(type, place);
    return this.#union(members.filter((member) => member.type.is !== 'undefined'));
  }

  #array(type: SourceType, place: Place): TypeCandidate {
    const { element: items, hasNulls } = this.#elements(type, place);
    const isCondition = items.is === 'builtIn' && items.definition === conditionDefinition;
    if (isCondition && items.changes.length === 0) return { is: 'conditions' };
    return { is: 'array', items, ...(hasNulls ? { hasNulls } : {}) };
  }

  #elements(type: SourceType, place: Place): { element: TypeCandidate; hasNulls: true | undefined } {
    const members = this.#membersOf(type, place);
    const rest = members.filter((member) => member.type.is !== 'null' && member.type.is !== 'undefined');
    return { element: this.#union(rest), hasNulls: members.some((member) => member.type.is === 'null') || undefined };
  }

  #tuple(type: Extract<SourceType, { is: 'tuple' }>, place: Place): TypeCandidate {
    const { items, required, rest } = type;
    const all = [...items, ...(rest === undefined ? [] : [rest])];
    const element = this.#of({ is: 'union', of: all }, place);
    const isOne = new Set(all.map((item) => this.#parameters.keyOf(item))).size <= 1;
    if (!isOne && !isScalar(element) && element.is !== 'values') {
      return {
        is: 'problem',
        message:
          'a list has one type of elements in a schema, but this tuple has several; use a class with a property for each',
      };
    }
    return {
      is: 'array',
      items: element,
      ...(required === 0 ? {} : { minItems: required }),
      ...(rest === undefined ? { maxItems: items.length } : {}),
    };
  }

  #record(type: Extract<SourceType, { is: 'record' }>, place: Place): TypeCandidate {
    const keys = this.#membersOf(type.keys, place);
    if (keys.length > 0 && keys.every((key) => key.type.is === 'literal')) {
      return this.#members(
        this.#parameters.recordMembers(type, this.#literals(type.keys, place), place.file),
        this.#context.owner,
      );
    }
    const template = keys.find((key) => key.type.is === 'template');
    if (template?.type.is === 'template') {
      this.#notices.add(`for the keys ${template.type.text} the schema checks nothing; a @Rule() can check them`);
    }
    const values = this.#membersOf(type.values, place);
    if (values.length === 1 && values[0]?.type.is === 'unknown') return { is: 'anyObject' };
    const { element, hasNulls } = this.#elements(type.values, place);
    return { is: 'map', values: element, ...(hasNulls ? { hasNulls } : {}) };
  }

  /** An interface or an object type literal. */
  #members(members: ClassSource, name: string): TypeCandidate {
    const { sources } = this.#context;
    if (members.indexSignatureLine !== undefined) return { is: 'problem', message: indexSignature };
    if (members.name === '' && members.properties.size === 0) return { is: 'object' };
    const [base, second] = members.bases;
    let baseClass: AnyClass | undefined;
    if (base !== undefined) {
      // The stand-in class can have only one base.
      const isOne = second === undefined && !this.#extending.has(members);
      this.#extending.add(members);
      const read = isOne ? this.#single({ type: base, place: { file: members.file, through: [] } }) : undefined;
      this.#extending.delete(members);
      if (read?.is !== 'class' || read.changes !== undefined) {
        return {
          is: 'problem',
          message: `the interface ${name} extends a type that the generator cannot read; make it a class that extends one class`,
        };
      }
      baseClass = read.type;
    }
    return { is: 'class', type: sources.standInFor(members, name, baseClass), source: members };
  }

  #reference(type: ReferenceType, place: Place): TypeCandidate {
    const { name } = type;
    const { sources, seen } = this.#context;
    const resolved = sources.resolve(name, place.file);
    switch (resolved?.is) {
      case 'builtIn':
        return builtIn(resolved.definition);
      case 'interface':
        return this.#members(
          this.#parameters.bindMembers(resolved.source, type.arguments, place.file),
          resolved.source.name,
        );
      case undefined: {
        const special = this.#utility(type, place) ?? globalType(name);
        if (special !== undefined) return special;
      }
    }
    const found = (resolved?.is === 'class' ? resolved.type : undefined) ?? seen.find((one) => one.name === name);
    if (found === undefined) {
      const from = sources.importedFrom(name, place.file);
      const isExported = resolved?.is === 'class' && sources.isExported(resolved.source);
      return notReached(name, { resolved, from, isExported });
    }
    if (type.arguments.length > 0) {
      return {
        is: 'problem',
        message: `the type arguments that ${name} gets do not exist at run time; extend it: class X extends ${name}<...> {}, and use X`,
      };
    }
    const source = resolved?.is === 'class' ? resolved.source : undefined;
    return { is: 'class', type: found, ...(source === undefined ? {} : { source }) };
  }

  /** TypeScript's utility types that change an object. */
  #utility({ name, arguments: [of, names] }: ReferenceType, place: Place): TypeCandidate | undefined {
    const change = of === undefined ? undefined : this.#change(name, names, place);
    if (of === undefined || change === undefined) return undefined;
    const changed = this.#of(of, place);
    if (changed.is === 'class') return { ...changed, changes: [...(changed.changes ?? []), change] };
    if (changed.is === 'builtIn') return { ...changed, changes: [...changed.changes, change] };
    if (changed.is === 'problem' || changed.is === 'map' || changed.is === 'anyObject') return changed;
    return { is: 'problem', message: `${name}<...> is supported only for classes and objects; ${whatServes}` };
  }

  #change(name: string, names: SourceType | undefined, place: Place): ObjectChange | undefined {
    if (name === 'Partial') return { is: 'partial' };
    if (name === 'Required') return { is: 'required' };
    if ((name !== 'Pick' && name !== 'Omit') || names === undefined) return undefined;
    return { is: name === 'Pick' ? 'pick' : 'omit', names: this.#literals(names, place).map(String) };
  }
}

/** Limits that no hand-written type reaches. */
const maxAliases = 50;
const maxOpened = 10_000;

const isRecursive = 'make this recursive type a class, whose property can have @Recursive(levels)';

/** A key that is equal for members of one schema type. */
function kindIn(type: SourceType, index: number): string {
  if (type.is === 'literal') return typeof type.value;
  if (type.is === 'template') return 'string';
  return type.is === 'string' || type.is === 'number' || type.is === 'boolean' ? type.is : String(index);
}

function typeOfLiteral(value: string | number | boolean): ImpliedType | undefined {
  return commonType([value]);
}

function isScalar(candidate: TypeCandidate): boolean {
  return candidate.is === 'string' || candidate.is === 'number' || candidate.is === 'boolean';
}

function builtIn(definition: string): TypeCandidate {
  if (definition === intOrStringDefinition) return { is: 'intOrString' };
  if (definition === quantityDefinition) return { is: 'quantity' };
  return { is: 'builtIn', definition, changes: [] };
}

const scalarClasses: ReadonlySet<unknown> = new Set([String, Number, Boolean, Array]);
