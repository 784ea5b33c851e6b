/** The reason of a violated rule in the API server's response. */
export type RuleReason = 'FieldValueInvalid' | 'FieldValueForbidden' | 'FieldValueRequired' | 'FieldValueDuplicate';

export interface RuleOptions {
  /**
   * The message for the user if the rule is violated, without line breaks. Default: "failed rule: " and the rule. Required if
   * the rule has line breaks.
   */
  message?: string;
  /** A CEL expression that returns the message. If it fails, the server uses `message`. */
  messageExpression?: string;
  /** Default: `FieldValueInvalid`. */
  reason?: RuleReason;
  /** The path of the property in the error, relative to the rule: `.limits.cpu`, `['a.b']`. It must exist. Default: the rule's own place. */
  fieldPath?: string;
  /** Whether a rule with `oldSelf` also runs on creation, with `oldSelf` as an empty optional. Default: false. */
  optionalOldSelf?: boolean;
}

export interface RuleDeclaration extends RuleOptions {
  readonly says: 'rule';
  readonly rule: string;
}
