/** The reason of a violated rule in the API server's response. */
export type RuleReason = 'FieldValueInvalid' | 'FieldValueForbidden' | 'FieldValueRequired' | 'FieldValueDuplicate';

/** The same for a rule of a webhook, with the codes 422, 403 and 413. */
export type AdmissionReason = 'Invalid' | 'Forbidden' | 'RequestEntityTooLarge';

/** The options of `@Rule`. */
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

/** The options of a rule of a webhook. */
export interface AdmissionRuleOptions extends Pick<RuleOptions, 'messageExpression'> {
  /** The message for the user if the rule is violated, without line breaks. Default: "failed expression: " and the rule. */
  message?: string;
  /** Default: `Invalid`. */
  reason?: AdmissionReason;
}

/** A rule of a webhook. */
export interface AdmissionRule extends AdmissionRuleOptions {
  readonly rule: string;
}

/** What `@Rule` records: a CEL rule and its options. */
export interface RuleDeclaration extends RuleOptions {
  readonly says: 'rule';
  readonly rule: string;
}
