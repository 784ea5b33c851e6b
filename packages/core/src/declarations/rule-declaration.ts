/** What a broken rule is called in the API server's answer. */
export type RuleReason = 'FieldValueInvalid' | 'FieldValueForbidden' | 'FieldValueRequired' | 'FieldValueDuplicate';

export interface RuleOptions {
  /** What the user reads where the rule does not hold. Default: "failed rule: " and the rule. Required where the rule has line breaks; has none itself. */
  message?: string;
  /** A CEL expression that gives the message; where it fails, `message` stands in. */
  messageExpression?: string;
  /** Default: `FieldValueInvalid`. */
  reason?: RuleReason;
  /** The property that the error is about, from here: `.limits.cpu`, `['a.b']`. It must exist. Default: here. */
  fieldPath?: string;
  /** Whether a rule with `oldSelf` also runs on creation, where `oldSelf` is an optional without value. Default: false. */
  optionalOldSelf?: boolean;
}

export interface RuleDeclaration extends RuleOptions {
  readonly says: 'rule';
  readonly rule: string;
}
