/** Where evidence comes from. */
export type EvidenceSource = 'class' | 'test' | 'metric' | 'alert' | 'object' | 'event' | 'bundle';

/** A fact that answers a question. */
export interface CapabilityEvidence {
  readonly source: EvidenceSource;
  /** The fact, in words that name the thing: `Deployment default/cache, container memcached has no livenessProbe`. */
  readonly fact: string;
}

/** The answer to a question. Only `unknown` has no evidence. */
export type CapabilityAnswer =
  | { readonly answer: 'yes' | 'no'; readonly evidence: readonly [CapabilityEvidence, ...CapabilityEvidence[]] }
  | { readonly answer: 'unknown'; readonly evidence: readonly [] };

export const unknown: CapabilityAnswer = { answer: 'unknown', evidence: [] };

/** How many facts of one answer are listed. A number stands for the others. */
const listedMax = 5;

/** Answers `no` with the facts against it, otherwise `yes` with those for it. Without any, the answer is unknown. */
export function answerOf(
  source: EvidenceSource,
  { against = [], supporting = [] }: { readonly against?: readonly string[]; readonly supporting?: readonly string[] },
): CapabilityAnswer {
  const facts = against.length > 0 ? against : supporting;
  const listed = facts.slice(0, listedMax);
  if (facts.length > listedMax) listed.push(`and ${facts.length - listedMax} more`);
  const [first, ...others] = listed.map((fact): CapabilityEvidence => ({ source, fact }));
  if (first === undefined) return unknown;
  return { answer: against.length > 0 ? 'no' : 'yes', evidence: [first, ...others] };
}
