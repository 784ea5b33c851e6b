import type { Expression, Node, ObjectExpression, ObjectProperty, VariableDeclarator } from 'oxc-parser';
import type { SourceModule } from '../edit/source-module.ts';

/** Removes what has no effect at run time: `as const`, `satisfies T`, `!`. */
export function withoutTypes(node: Expression): Expression {
  switch (node.type) {
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
    case 'TSTypeAssertion':
    case 'ParenthesizedExpression':
      return withoutTypes(node.expression);
    default:
      return node;
  }
}

/** The value of a constant of the module, or the expression itself. */
export function followed(module: SourceModule, node: Expression): Expression {
  const value = withoutTypes(node);
  if (value.type !== 'Identifier') return value;
  const init = constantsOf(module).find(({ id }) => id.type === 'Identifier' && id.name === value.name)?.init;
  return init === undefined || init === null ? value : followed(module, init);
}

function constantsOf({ program }: SourceModule): readonly VariableDeclarator[] {
  return program.body.flatMap((statement) => {
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    return declaration?.type === 'VariableDeclaration' && declaration.kind === 'const' ? declaration.declarations : [];
  });
}

/** The value of a string expression; undefined if it is not known without running the module. */
export function stringOf(module: SourceModule, node: Expression | undefined): string | undefined {
  if (node === undefined) return undefined;
  const value = followed(module, node);
  if (value.type === 'Literal' && typeof value.value === 'string') return value.value;
  if (value.type === 'TemplateLiteral' && value.expressions.length === 0)
    return value.quasis[0]?.value.cooked ?? undefined;
  return undefined;
}

/** The property with a name. */
export function propertyOf(object: ObjectExpression, name: string): ObjectProperty | undefined {
  return object.properties.find(
    (property): property is ObjectProperty => property.type === 'Property' && keyOf(property) === name,
  );
}

/** The name of a property; undefined if it is computed. */
export function keyOf({ key, computed }: ObjectProperty): string | undefined {
  if (computed) return undefined;
  if (key.type === 'Identifier') return key.name;
  return key.type === 'Literal' ? String(key.value) : undefined;
}

/** The name to which a reference leads: `Shop`, or `() => Shop`. */
export function referenceOf(node: Node | undefined): string | undefined {
  if (node?.type === 'ArrowFunctionExpression') return referenceOf(node.body);
  return node?.type === 'Identifier' ? node.name : undefined;
}
