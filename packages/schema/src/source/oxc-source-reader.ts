import type {
  Class,
  ClassElement,
  Declaration,
  Decorator,
  Expression,
  FormalParameter,
  OxcError,
  ParamPattern,
  Program,
  Statement,
  TSAccessibility,
  TSInterfaceDeclaration,
  TSParameterProperty,
} from 'oxc-parser';
import { parseSync } from 'oxc-parser';
import { constantOf, enumOf } from './oxc-literals.ts';
import { expressionName, OxcTypes, parametersOf, propertyName } from './oxc-types.ts';
import type {
  AliasSource,
  ClassSource,
  ConstantSource,
  DecoratorSource,
  ImportSource,
  PropertySource,
  ReExportSource,
  SourceFile,
  SourceReader,
  SourceType,
} from './source-file.ts';
import { SourceText } from './source-text.ts';

/** Reads TypeScript with oxc-parser: no type checker, a few milliseconds for thousands of lines. */
export class OxcSourceReader implements SourceReader {
  read(path: string, text: string): SourceFile {
    const withoutMark = text.startsWith('\uFEFF') ? text.slice(1) : text;
    const { program, comments, errors } = parseSync(path, withoutMark, { sourceType: 'module', preserveParens: false });
    return new FileReading(new SourceText(path, withoutMark, comments)).read(program, errors);
  }
}

class FileReading {
  readonly #text: SourceText;
  readonly #typeReader: OxcTypes;
  readonly #classes = new Map<string, ClassSource>();
  readonly #types = new Map<string, AliasSource>();
  readonly #interfaces = new Map<string, ClassSource>();
  readonly #constants = new Map<string, ConstantSource>();
  readonly #imports = new Map<string, ImportSource>();
  readonly #exports = new Map<string, string>();
  readonly #reExports: ReExportSource[] = [];

  constructor(text: SourceText) {
    this.#text = text;
    this.#typeReader = new OxcTypes(text);
  }

  read(program: Program, errors: readonly OxcError[]): SourceFile {
    let previousEnd = 0;
    for (const statement of program.body) {
      this.#readStatement(statement as Statement, previousEnd);
      previousEnd = statement.end;
    }
    return {
      path: this.#text.path,
      classes: this.#classes,
      types: this.#types,
      interfaces: this.#interfaces,
      constants: this.#constants,
      imports: this.#imports,
      exports: this.#exports,
      reExports: this.#reExports,
      mistakes: errors
        .filter(({ severity }) => severity === 'Error')
        .map(({ message, labels }) => ({ line: this.#text.lineOf(labels[0]?.start ?? 0), message })),
    };
  }

  #readStatement(statement: Statement, previousEnd: number): void {
    switch (statement.type) {
      case 'ImportDeclaration':
        for (const specifier of statement.specifiers) {
          const named = specifier.type === 'ImportSpecifier';
          this.#imports.set(specifier.local.name, {
            specifier: statement.source.value,
            name: named
              ? moduleName(specifier.imported)
              : specifier.type === 'ImportDefaultSpecifier'
                ? 'default'
                : '*',
            typeOnly: statement.importKind === 'type' || (named && specifier.importKind === 'type'),
          });
        }
        return;
      case 'ExportAllDeclaration':
        this.#reExports.push({
          specifier: statement.source.value,
          name: '*',
          exported: statement.exported === null ? '*' : moduleName(statement.exported),
          typeOnly: statement.exportKind === 'type',
        });
        return;
      case 'ExportNamedDeclaration':
        if (statement.declaration !== null) {
          for (const name of this.#readDeclaration(statement.declaration, previousEnd)) this.#exports.set(name, name);
        }
        for (const specifier of statement.specifiers) {
          const exported = moduleName(specifier.exported);
          if (statement.source === null) this.#exports.set(exported, moduleName(specifier.local));
          else {
            this.#reExports.push({
              specifier: statement.source.value,
              name: moduleName(specifier.local),
              exported,
              typeOnly: statement.exportKind === 'type' || specifier.exportKind === 'type',
            });
          }
        }
        return;
      case 'ExportDefaultDeclaration': {
        const { declaration } = statement;
        if (declaration.type === 'ClassDeclaration') {
          this.#exports.set('default', this.#readClass(declaration, previousEnd));
        } else if (declaration.type === 'TSInterfaceDeclaration') {
          this.#exports.set('default', this.#readInterface(declaration, previousEnd));
        } else if (declaration.type === 'Identifier') this.#exports.set('default', declaration.name);
        return;
      }
      default:
        this.#readDeclaration(statement as Declaration, previousEnd);
    }
  }

  /** The declared names. */
  #readDeclaration(declaration: Declaration, previousEnd: number): string[] {
    switch (declaration.type) {
      case 'ClassDeclaration':
        return [this.#readClass(declaration, previousEnd)];
      case 'TSTypeAliasDeclaration':
        this.#types.set(declaration.id.name, {
          parameters: parametersOf(declaration.typeParameters),
          type: this.#typeReader.read(declaration.typeAnnotation),
        });
        return [declaration.id.name];
      case 'TSInterfaceDeclaration':
        return [this.#readInterface(declaration, previousEnd)];
      case 'TSEnumDeclaration': {
        const constant = enumOf(declaration, this.#text.slice(declaration));
        this.#constants.set(declaration.id.name, constant);
        this.#types.set(declaration.id.name, { parameters: [], type: constant.type });
        return [declaration.id.name];
      }
      case 'VariableDeclaration':
        return declaration.declarations.flatMap(({ id, init }) => {
          if (id.type !== 'Identifier') return [];
          if (init?.type === 'ClassExpression') return [this.#readClass(init, previousEnd, id.name)];
          const constant = init === null || declaration.kind !== 'const' ? undefined : constantOf(init);
          if (constant !== undefined) this.#constants.set(id.name, constant);
          return [id.name];
        });
      default:
        return [];
    }
  }

  #readClass(node: Class, previousEnd: number, variable?: string): string {
    const name = variable ?? node.id?.name ?? 'default';
    const properties = new Map<string, PropertySource>();
    let indexSignatureLine: number | undefined;
    let memberEnd = node.body.start;
    for (const member of node.body.body) {
      if (member.type === 'TSIndexSignature') indexSignatureLine = this.#text.lineOf(member.start);
      for (const property of this.#readMember(member, memberEnd)) properties.set(property.name, property);
      memberEnd = member.end;
    }
    const anchor = node.id ?? node.body;
    const description = this.#text.descriptionBetween(previousEnd, anchor.start, node.decorators);
    const base =
      node.superClass === null
        ? undefined
        : this.#typeReader.readBase(node.superClass, node.superTypeArguments?.params ?? []);
    const decorators = node.decorators.flatMap(({ expression }): DecoratorSource[] => {
      const isCalled = expression.type === 'CallExpression';
      const written = expressionName(isCalled ? expression.callee : expression);
      return written === undefined ? [] : [{ name: written, isCalled }];
    });
    this.#classes.set(name, {
      name,
      file: this.#text.path,
      line: this.#text.lineOf(anchor.start),
      ...(description === undefined ? {} : { description }),
      parameters: parametersOf(node.typeParameters),
      bases: base === undefined ? [] : [base],
      properties,
      ...(node.abstract === true ? { isAbstract: true } : {}),
      ...(decorators.length === 0 ? {} : { decorators }),
      ...(indexSignatureLine === undefined ? {} : { indexSignatureLine }),
    });
    return name;
  }

  #readMember(member: ClassElement, previousEnd: number): PropertySource[] {
    if (member.type === 'MethodDefinition' && member.kind === 'constructor') {
      let end = member.key.end;
      return member.value.params.flatMap((parameter: ParamPattern) => {
        const from = end;
        end = parameter.end;
        return parameter.type === 'TSParameterProperty' ? this.#readParameter(parameter, from) : [];
      });
    }
    if (member.type !== 'PropertyDefinition' && member.type !== 'TSAbstractPropertyDefinition') return [];
    const name = member.static ? undefined : propertyName(member.key, member.computed);
    if (name === undefined) return [];
    const description = this.#text.descriptionBetween(previousEnd, member.key.start, member.decorators);
    const annotation = member.typeAnnotation?.typeAnnotation;
    const type = annotation === undefined ? onlyValue(member.value) : this.#typeReader.read(annotation);
    return [
      {
        name,
        line: this.#text.lineOf(member.key.start),
        ...(description === undefined ? {} : { description }),
        isOptional: member.optional === true,
        hasInitializer: member.value !== null,
        ...hiddenBy(member.accessibility),
        ...uncalledAmong(member.decorators),
        ...(type === undefined ? {} : { type }),
      },
    ];
  }

  /** The properties in `constructor(readonly port = 80)`. */
  #readParameter({ parameter, start, accessibility }: TSParameterProperty, previousEnd: number): PropertySource[] {
    const hasInitializer = parameter.type === 'AssignmentPattern';
    const pattern = hasInitializer ? parameter.left : parameter;
    if (pattern.type !== 'Identifier') return [];
    const description = this.#text.descriptionBetween(previousEnd, start);
    const annotation = (parameter.typeAnnotation ?? (pattern as FormalParameter).typeAnnotation)?.typeAnnotation;
    return [
      {
        name: pattern.name,
        line: this.#text.lineOf(start),
        ...(description === undefined ? {} : { description }),
        isOptional: pattern.optional ?? false,
        hasInitializer,
        ...hiddenBy(accessibility),
        ...(annotation === undefined ? {} : { type: this.#typeReader.read(annotation) }),
      },
    ];
  }

  #readInterface(node: TSInterfaceDeclaration, previousEnd: number): string {
    const { name } = node.id;
    const description = this.#text.descriptionBetween(previousEnd, node.id.start);
    const bases = node.extends.flatMap(
      ({ expression, typeArguments }) => this.#typeReader.readBase(expression, typeArguments?.params ?? []) ?? [],
    );
    const read = this.#typeReader.readMembers(
      {
        name,
        ...(description === undefined ? {} : { description }),
        parameters: parametersOf(node.typeParameters),
        bases,
      },
      this.#text.lineOf(node.id.start),
      node.body,
      node.body.body,
    );
    const other = this.#interfaces.get(name);
    this.#interfaces.set(
      name,
      other === undefined
        ? read
        : {
            ...read,
            ...other,
            bases: [...other.bases, ...read.bases],
            properties: new Map([...other.properties, ...read.properties]),
          },
    );
    return name;
  }
}

function hiddenBy(accessibility: TSAccessibility | null | undefined): Pick<PropertySource, 'hidden'> {
  return accessibility === 'private' || accessibility === 'protected' ? { hidden: accessibility } : {};
}

function uncalledAmong(decorators: readonly Decorator[]): Pick<PropertySource, 'uncalled'> {
  const uncalled = decorators.flatMap(({ expression }) => (expression.type === 'Identifier' ? [expression.name] : []));
  return uncalled.length === 0 ? {} : { uncalled };
}

/** The literal type of `type = 'http' as const`; for other initialisers, their value is enough. */
function onlyValue(initializer: Expression | null): SourceType | undefined {
  const type = initializer?.type === 'TSAsExpression' ? constantOf(initializer)?.type : undefined;
  return type?.is === 'literal' ? type : undefined;
}

function moduleName(
  node: { readonly type: 'Literal'; readonly value: string } | { readonly type: 'Identifier'; readonly name: string },
): string {
  return node.type === 'Literal' ? node.value : node.name;
}
