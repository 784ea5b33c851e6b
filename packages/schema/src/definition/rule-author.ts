import { declarationsOf } from '@evenkeel/core';
import type { ValidationRule } from '../evaluate/structural-schema.ts';
import type { SourceLocation } from '../finding/finding.ts';
import type { ApiClass, ApiProperty } from '../model/api-class.ts';
import type { SchemaStep } from './schema-place.ts';

/** The declaration that a rule of a schema comes from. */
export interface RuleAuthor {
  /** The rule as messages show it: `@Rule "self.a > 1"`. */
  readonly text: string;
  readonly className: string;
  readonly property?: string;
  readonly location?: SourceLocation | undefined;
}

/** The class or the property whose decorator a rule comes from. */
export function ruleAuthor(rule: ValidationRule, { property, class: type }: SchemaStep, root: ApiClass): RuleAuthor {
  const text = JSON.stringify(rule.rule);
  const isWritten = (said: object) => 'rule' in said && said.rule === rule.rule;
  if (property?.says.some(isWritten) === true) return { text: `@Rule ${text}`, ...ofProperty(property) };
  const ofType = type === undefined ? [] : declarationsOf(type.type).schema;
  if (type !== undefined && ofType.some(isWritten)) return { text: `@Rule ${text}`, ...ofClass(type) };
  if (type !== undefined && ofType.some(({ says }) => says === 'members' || says === 'union')) {
    return { text: `the rule ${text} of the decorators of the class`, ...ofClass(type) };
  }
  if (property !== undefined) return { text: `the rule ${text} of its decorators`, ...ofProperty(property) };
  return { text: `the rule ${text}`, ...ofClass(root) };
}

function ofProperty({
  className,
  name,
  location,
}: ApiProperty): Pick<RuleAuthor, 'className' | 'property' | 'location'> {
  return { className, property: name, location };
}

function ofClass({ name, location }: ApiClass): Pick<RuleAuthor, 'className' | 'location'> {
  return { className: name, location };
}
