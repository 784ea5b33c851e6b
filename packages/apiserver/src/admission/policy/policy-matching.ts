import { StatusError } from '@evenkeel/core';
import type { KindDescription } from '../../kind/kind-description.ts';
import type { AdmissionRequest } from '../../registry/write-request.ts';
import type { RequestSelection } from '../request-selection.ts';
import type { RequestAttributes } from '../resource-rule.ts';
import { PolicyConfigurationError } from './policy-configuration-error.ts';
import type { ParsedMatch } from './policy-hooks.ts';

/**
 * The kind in the version that the match resources of a policy or binding ask for; undefined if they do not match.
 *
 * Source: `Matcher.Matches` of apiserver `pkg/admission/plugin/policy/matching`.
 *
 * @throws PolicyConfigurationError if the namespace of the request does not exist.
 */
export function matchedKind(
  selection: RequestSelection,
  match: ParsedMatch,
  attributes: RequestAttributes,
  admission: AdmissionRequest,
): KindDescription | undefined {
  const { kind } = admission.request;
  const { resourceRules = [], excludeResourceRules = [], matchPolicy } = match.resources;
  if (selection.kindFor(excludeResourceRules, matchPolicy, kind, attributes) !== undefined) return undefined;
  const found = resourceRules.length === 0 ? kind : selection.kindFor(resourceRules, matchPolicy, kind, attributes);
  if (found === undefined) return undefined;
  try {
    return selection.selects(match, attributes, admission) ? found : undefined;
  } catch (error) {
    if (error instanceof StatusError) throw new PolicyConfigurationError(error.message);
    throw error;
  }
}
