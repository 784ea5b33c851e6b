/** The levels of the Operator Capability Levels, from 1, as the annotation `capabilities` of a ClusterServiceVersion names them. */
export const capabilityLevels = [
  'Basic Install',
  'Seamless Upgrades',
  'Full Lifecycle',
  'Deep Insights',
  'Auto Pilot',
] as const;

/** The name of a level. */
export type CapabilityLevel = (typeof capabilityLevels)[number];

interface CapabilityQuestionFacts {
  /** A question that can be answered with yes or no. */
  readonly asks: string;
  /** What makes the answer yes, besides a tagged test. Empty if only a test can show it. */
  readonly raise: string;
  /** Whether the level needs the answer yes. Two questions only ask what else could be configured. */
  readonly counts: boolean;
}

/**
 * The 38 questions of the Operator Capability Levels, by LEVEL.NUMBER. The source has no number 4.3.
 *
 * Source: operatorframework.io/operator-capabilities, in our words.
 */
export const capabilityQuestions = {
  '1.1': question('Can users set in the custom resource how the operand is installed?', 'declare fields in the spec'),
  '1.2': remark('Is every setting of the installation in the custom resource?'),
  '1.3': question('Can users configure the operand in the custom resource?', 'declare fields in the spec'),
  '1.4': question(
    "Can users replace the operand's images, in the custom resource or by variables of the operator?",
    'declare a field "image" in the spec, or a variable such as RELATED_IMAGE_APP in "env" of the deployment',
  ),
  '1.5': question('Does the operator apply a changed configuration without disrupting the operand?'),
  '1.6': question(
    'Does the status show that a change is in progress?',
    'report a condition such as Available or Progressing that is False while the operand changes',
  ),
  '1.7': remark('Can users set every setting of the operand in the custom resource?'),
  '1.8': question('Does every custom resource have a status?', 'declare a status with fields in every kind'),
  '1.9': question(
    'Are the valid values and the required fields of the spec documented?',
    'describe every field of the spec with a comment on its property',
  ),
  '1.10': question(
    'Does the ClusterServiceVersion list all images in spec.relatedImages?',
    'pass --bundle, and list every image of the operator and its operands in spec.relatedImages',
  ),
  '2.1': question('Can the operator upgrade its operand?'),
  '2.2': question('Does the operator upgrade its operands when it is upgraded itself?'),
  '2.3': question('Can the operator manage operands that an older version of it created?'),
  '2.4': question('Does the operand stay available during an upgrade?'),
  '2.5': question('Does the status show downtime during an upgrade?'),
  '3.1': question('Can the operator back up its operand?'),
  '3.2': question('Can the operator restore its operand from a backup, and manage it afterwards?'),
  '3.3': question('Does the operator change the configuration in sequence, and wait for each step?'),
  '3.4': question('Does the operator keep the quorum of its operand?'),
  '3.5': question('Can the operator add and remove read-only replicas?'),
  '3.6': question("Do the operand's containers have liveness probes?", 'set livenessProbe in every container'),
  '3.7': question(
    'Does the operand become unready if one of its parts is not ready?',
    'set readinessProbe in every container, and show it with a test',
  ),
  '3.8': question('Does the operator update pods one after another?', 'use the update strategy RollingUpdate'),
  '3.9': question('Does the operator create PodDisruptionBudgets for its operand?', 'create a PodDisruptionBudget'),
  '3.10': question(
    "Do the operand's containers have requests and limits for CPU?",
    'set resources.requests.cpu and resources.limits.cpu in every container',
  ),
  '4.1': question(
    'Does the operator have an endpoint with metrics of its own health?',
    'serve metrics in the deployment of the operator',
  ),
  '4.2': question('Are there alerts for the operand?', 'write a PrometheusRule with alerts'),
  '4.4': question('Does every alert name a procedure?', 'set the annotation runbook_url or runbook of every alert'),
  '4.5': question(
    'Is an alert critical if the operand is down, and otherwise a warning?',
    'set the label severity of every alert to critical or warning, at least one of each',
  ),
  '4.6': question('Does the operator watch its operand to create alerts?', 'create a PrometheusRule for the operand'),
  '4.7': question('Does the operator record Kubernetes Events?', 'record Events in the reconcile'),
  '4.8': question(
    'Are there metrics of the performance of the operand?',
    'create a ServiceMonitor or a PodMonitor for the operand',
  ),
  '5.1': question('Does the operand scale up by one of its metrics?', 'create a HorizontalPodAutoscaler'),
  '5.2': question('Does the operand scale down by one of its metrics?', 'create a HorizontalPodAutoscaler'),
  '5.3': question('Does the operator detect an unhealthy operand by its metrics, and heal it?'),
  '5.4': question('Does the operator learn what is normal for the operand, and tune its configuration?'),
  '5.5': question('Does the operator move the workload to better nodes, storage or networks?'),
  '5.6': question('Does the operator detect performance below what it has learnt, and raise an alert?'),
} as const satisfies Record<`${number}.${number}`, CapabilityQuestionFacts>;

/** The id of a question: `3.1`. */
export type CapabilityQuestion = keyof typeof capabilityQuestions;

/** All ids in their order. */
export const capabilityQuestionIds = Object.keys(capabilityQuestions) as readonly CapabilityQuestion[];

/** The level of a question, from 1. */
export function levelOf(question: CapabilityQuestion): number {
  return Number.parseInt(question, 10);
}

function question(asks: string, raise = ''): CapabilityQuestionFacts {
  return { asks, raise, counts: true };
}

function remark(asks: string): CapabilityQuestionFacts {
  return { asks, raise: '', counts: false };
}
