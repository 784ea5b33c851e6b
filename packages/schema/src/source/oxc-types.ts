import type {
  Expression,
  PropertyKey as OxcPropertyKey,
  TSIndexedAccessType,
  TSSignature,
  TSTupleElement,
  TSType,
  TSTypeName,
  TSTypeParameterDeclaration,
  TSTypeReference,
} from 'oxc-parser';
import { literalOf } from './oxc-literals.ts';
import type { ClassSource, PropertySource, ReferenceType, SourceType, TupleType } from './source-file.ts';
import type { SourceText, Spanned } from './source-text.ts';

/** Reads the declared types of one module. */
export class OxcTypes {
  readonly #text: SourceText;

  constructor(text: SourceText) {
    this.#text = text;
  }

  read(node: TSType): SourceType {
    switch (node.type) {
      case 'TSStringKeyword':
        return { is: 'string' };
      case 'TSNumberKeyword':
        return { is: 'number' };
      case 'TSBooleanKeyword':
        return { is: 'boolean' };
      case 'TSNullKeyword':
        return { is: 'null' };
      case 'TSUndefinedKeyword':
        return { is: 'undefined' };
      case 'TSUnknownKeyword':
      case 'TSAnyKeyword':
        return { is: 'unknown' };
      case 'TSObjectKeyword':
        return { is: 'reference', name: 'object', arguments: [] };
      case 'TSBigIntKeyword':
        return this.#other(node, 'use number, or a string with @Matches()');
      case 'TSFunctionType':
        return this.#other(node, 'make it a method');
      case 'TSLiteralType': {
        const value = literalOf(node.literal as Expression);
        return value === undefined ? this.#other(node) : { is: 'literal', value };
      }
      case 'TSTemplateLiteralType':
        return { is: 'template', text: this.#text.slice(node) };
      case 'TSUnionType':
        return { is: 'union', of: node.types.map((type) => this.read(type)) };
      case 'TSIntersectionType':
        return this.#intersection(node, node.types);
      case 'TSParenthesizedType':
        return this.read(node.typeAnnotation);
      case 'TSArrayType':
        return { is: 'array', items: this.read(node.elementType) };
      case 'TSTupleType':
        return this.#tuple(node.elementTypes) ?? this.#other(node);
      case 'TSTypeOperator':
        return node.operator === 'readonly' ? this.read(node.typeAnnotation) : this.#operator(node);
      case 'TSTypeQuery': {
        const name = node.exprName.type === 'TSImportType' ? undefined : nameOf(node.exprName);
        return name === undefined ? this.#other(node) : { is: 'constant', name, part: 'itself' };
      }
      case 'TSIndexedAccessType':
        return this.#indexedAccess(node);
      case 'TSTypeLiteral':
        return this.#typeLiteral(node, node.members);
      case 'TSTypeReference':
        return this.#reference(node);
      default:
        return this.#other(node);
    }
  }

  /** The members of an interface or an object type literal. */
  readMembers(
    about: Pick<ClassSource, 'name' | 'description' | 'parameters' | 'bases'>,
    line: number,
    body: Spanned,
    members: readonly TSSignature[],
  ): ClassSource {
    const properties = new Map<string, PropertySource>();
    let indexSignatureLine: number | undefined;
    let end = body.start;
    for (const member of members) {
      if (member.type === 'TSIndexSignature') indexSignatureLine = this.#text.lineOf(member.start);
      const name = member.type === 'TSPropertySignature' ? propertyName(member.key, member.computed) : undefined;
      if (member.type === 'TSPropertySignature' && name !== undefined) {
        const description = this.#text.descriptionBetween(end, member.key.start);
        properties.set(name, {
          name,
          line: this.#text.lineOf(member.key.start),
          ...(description === undefined ? {} : { description }),
          isOptional: member.optional,
          hasInitializer: false,
          ...(member.typeAnnotation === null ? {} : { type: this.read(member.typeAnnotation.typeAnnotation) }),
        });
      }
      end = member.end;
    }
    return {
      ...about,
      file: this.#text.path,
      line,
      properties,
      ...(indexSignatureLine === undefined ? {} : { indexSignatureLine }),
    };
  }

  /** A base class or interface; undefined if it is an expression instead of a name. */
  readBase(expression: Expression, parameters: readonly TSType[]): ReferenceType | undefined {
    const name = expressionName(expression);
    if (name === undefined) return undefined;
    return { is: 'reference', name, arguments: parameters.map((parameter) => this.read(parameter)) };
  }

  #typeLiteral(node: Spanned, members: readonly TSSignature[]): SourceType {
    const [member] = members;
    if (members.length === 1 && member?.type === 'TSIndexSignature') {
      const [key] = member.parameters;
      const keys: SourceType = key === undefined ? { is: 'string' } : this.read(key.typeAnnotation.typeAnnotation);
      return { is: 'record', keys, values: this.read(member.typeAnnotation.typeAnnotation) };
    }
    const about = { name: '', parameters: [], bases: [] };
    return { is: 'object', members: this.readMembers(about, this.#text.lineOf(node.start), node, members) };
  }

  /** A branded type, such as `string & { readonly brand: 'Name' }`, is its string. */
  #intersection(node: Spanned, types: readonly TSType[]): SourceType {
    const read = types.map((type) => this.read(type));
    const [value, ...more] = read.filter((type) => type.is !== 'object' && type.is !== 'record');
    const isScalar = value?.is === 'string' || value?.is === 'number' || value?.is === 'boolean';
    if (isScalar && more.length === 0) return value;
    return this.#other(node, 'declare one class with the properties of all of them');
  }

  #tuple(elements: readonly TSTupleElement[]): TupleType | undefined {
    const items: SourceType[] = [];
    let required = 0;
    let rest: SourceType | undefined;
    for (const element of elements) {
      const isNamed = element.type === 'TSNamedTupleMember';
      const inner = isNamed ? element.elementType : element;
      if (rest !== undefined) return undefined;
      if (inner.type === 'TSRestType') {
        const list = inner.typeAnnotation as TSType;
        const read = this.read(list.type === ('TSNamedTupleMember' as string) ? namedElement(list) : list);
        if (read.is !== 'array') return undefined;
        rest = read.items;
      } else if (inner.type === 'TSOptionalType') items.push(this.read(inner.typeAnnotation));
      else {
        items.push(this.read(inner));
        if (!(isNamed && element.optional)) required = items.length;
      }
    }
    return { is: 'tuple', items, required, ...(rest === undefined ? {} : { rest }) };
  }

  /** `keyof typeof X`. */
  #operator(node: { readonly operator: string; readonly typeAnnotation: TSType } & Spanned): SourceType {
    const of = node.operator === 'keyof' ? this.read(node.typeAnnotation) : undefined;
    return of?.is === 'constant' && of.part === 'itself' ? { ...of, part: 'keys' } : this.#other(node);
  }

  /** `(typeof X)[keyof typeof X]`, and `(typeof X)[number]` for a list. */
  #indexedAccess(node: TSIndexedAccessType): SourceType {
    const of = this.read(node.objectType);
    const index = this.read(node.indexType);
    if (of.is === 'constant' && of.part === 'itself') {
      const isOwnKey = index.is === 'constant' && index.part === 'keys' && index.name === of.name;
      if (isOwnKey || index.is === 'number') return { ...of, part: 'values' };
    }
    return this.#other(node, 'write the type by its name, such as Container for PodSpec["containers"][number]');
  }

  #reference(node: TSTypeReference): SourceType {
    const name = nameOf(node.typeName);
    if (name === undefined) return this.#other(node);
    const parameters = (node.typeArguments?.params ?? []).map((parameter) => this.read(parameter));
    const [first, second] = parameters;
    if (first !== undefined) {
      if (name === 'Array' || name === 'ReadonlyArray') return { is: 'array', items: first };
      if (name === 'Record' && second !== undefined) return { is: 'record', keys: first, values: second };
      if (name === 'Readonly') return first;
    }
    return { is: 'reference', name, arguments: parameters };
  }

  #other(node: Spanned, fix?: string): SourceType {
    return { is: 'other', text: this.#text.slice(node), ...(fix === undefined ? {} : { fix }) };
  }
}

export function parametersOf(declaration: TSTypeParameterDeclaration | null | undefined): string[] {
  return (declaration?.params ?? []).map(({ name }) => name.name);
}

/** The name of a member; undefined for private members and computed names. */
export function propertyName(key: OxcPropertyKey, computed: boolean): string | undefined {
  if (key.type === 'PrivateIdentifier') return undefined;
  if (key.type === 'Identifier') return computed ? undefined : key.name;
  const value = literalOf(key as Expression);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

function nameOf(node: TSTypeName): string | undefined {
  if (node.type === 'Identifier') return node.name;
  if (node.type !== 'TSQualifiedName') return undefined;
  const left = nameOf(node.left);
  return left === undefined ? undefined : `${left}.${node.right.name}`;
}

/** A name, with dots after namespaces; undefined for expressions. */
export function expressionName(node: Expression): string | undefined {
  if (node.type === 'Identifier') return node.name;
  if (node.type !== 'MemberExpression' || node.property.type !== 'Identifier' || node.computed) return undefined;
  const left = expressionName(node.object);
  return left === undefined ? undefined : `${left}.${node.property.name}`;
}

function namedElement(node: TSType): TSType {
  return (node as unknown as { readonly elementType: TSType }).elementType;
}
