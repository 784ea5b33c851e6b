import type { Expression, TSEnumDeclaration } from 'oxc-parser';
import type { ConstantSource, SourceType } from './source-file.ts';

/** The value that TypeScript would compute for an enum member; names refer to previous members. */
export function literalOf(
  node: Expression,
  names: ReadonlyMap<string, string | number> = new Map(),
): string | number | boolean | undefined {
  switch (node.type) {
    case 'Literal':
      return typeof node.value === 'string' || typeof node.value === 'number' || typeof node.value === 'boolean'
        ? node.value
        : undefined;
    case 'TemplateLiteral':
      return node.expressions.length === 0 ? (node.quasis[0]?.value.cooked ?? undefined) : undefined;
    case 'Identifier':
      return names.get(node.name);
    case 'ParenthesizedExpression':
      return literalOf(node.expression, names);
    case 'UnaryExpression': {
      const value: string | number | boolean | undefined = literalOf(node.argument, names);
      if (typeof value !== 'number') return undefined;
      return node.operator === '-'
        ? -value
        : node.operator === '+'
          ? value
          : node.operator === '~'
            ? ~value
            : undefined;
    }
    case 'BinaryExpression': {
      if (node.left.type === 'PrivateIdentifier') return undefined;
      const [left, right] = [literalOf(node.left, names), literalOf(node.right, names)];
      if (typeof left === 'string' && typeof right === 'string' && node.operator === '+') return left + right;
      return typeof left === 'number' && typeof right === 'number' ? computed(node.operator, left, right) : undefined;
    }
    default:
      return undefined;
  }
}

function computed(operator: string, left: number, right: number): number | undefined {
  switch (operator) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '<<':
      return left << right;
    case '|':
      return left | right;
    case '&':
      return left & right;
    default:
      return undefined;
  }
}

/** The members of an enum, and the union of their values. */
export function enumOf(declaration: TSEnumDeclaration, text: string): ConstantSource {
  const values = new Map<string, string | number>();
  let next: number | undefined = 0;
  for (const { id, initializer } of declaration.body.members) {
    const value: string | number | boolean | undefined = initializer === null ? next : literalOf(initializer, values);
    next = typeof value === 'number' ? value + 1 : undefined;
    const name = id.type === 'Identifier' ? id.name : literalOf(id);
    if ((typeof value !== 'string' && typeof value !== 'number') || name === undefined) {
      return { type: { is: 'other', text, fix: 'give each member of the enum a string or a number' } };
    }
    values.set(String(name), value);
  }
  const members = new Map([...values].map(([name, value]): [string, SourceType] => [name, { is: 'literal', value }]));
  return { members, type: { is: 'union', of: [...members.values()] } };
}

/** The type of a constant: a literal, or the literals in an `as const`. */
export function constantOf(node: Expression): ConstantSource | undefined {
  const value = literalOf(node);
  if (value !== undefined) return { type: { is: 'literal', value } };
  const inner = frozen(node);
  const single = inner === undefined ? undefined : literalOf(inner);
  if (single !== undefined) return { type: { is: 'literal', value: single } };
  if (inner?.type === 'ArrayExpression') {
    const members = new Map<string, SourceType>();
    for (const [index, element] of inner.elements.entries()) {
      const literal = element === null || element.type === 'SpreadElement' ? undefined : literalOf(element);
      if (literal === undefined) return undefined;
      members.set(String(index), { is: 'literal', value: literal });
    }
    return { members, type: { is: 'tuple', items: [...members.values()], required: members.size } };
  }
  if (inner?.type !== 'ObjectExpression') return undefined;
  const members = new Map<string, SourceType>();
  for (const property of inner.properties) {
    if (property.type !== 'Property' || property.computed) return undefined;
    const key = property.key.type === 'Identifier' ? property.key.name : literalOf(property.key as Expression);
    const literal = literalOf(property.value);
    if (key === undefined || literal === undefined) return undefined;
    members.set(String(key), { is: 'literal', value: literal });
  }
  return { members, type: { is: 'other', text: 'typeof a constant', fix: 'declare a class' } };
}

/** The expression before `as const`, inside of `Object.freeze(...)` and `satisfies`. */
function frozen(node: Expression): Expression | undefined {
  switch (node.type) {
    case 'TSAsExpression': {
      const { typeAnnotation } = node;
      const isConst =
        typeAnnotation.type === 'TSTypeReference' &&
        typeAnnotation.typeName.type === 'Identifier' &&
        typeAnnotation.typeName.name === 'const';
      return isConst ? node.expression : undefined;
    }
    case 'TSSatisfiesExpression':
    case 'ParenthesizedExpression':
      return frozen(node.expression);
    case 'CallExpression': {
      const { callee, arguments: parameters } = node;
      const [only] = parameters;
      const isFreeze =
        callee.type === 'MemberExpression' &&
        callee.object.type === 'Identifier' &&
        callee.object.name === 'Object' &&
        callee.property.type === 'Identifier' &&
        callee.property.name === 'freeze';
      return isFreeze && only !== undefined && only.type !== 'SpreadElement' ? frozen(only) : undefined;
    }
    default:
      return undefined;
  }
}
