import { isJsonObject, type JsonObject, valueAt } from '@evenkeel/apimachinery/json';
import { answerOf, type CapabilityAnswer, unknown } from './capability-answer.ts';
import type { CapabilityFacts, ManifestFact } from './capability-facts.ts';
import type { CapabilityQuestion } from './capability-question.ts';
import { childrenOfKind, objectName, servingContainers } from './operand.ts';
import { describedBy, fieldsOf, objectAt, objectsAt, type SchemaVersion, servedVersions } from './specified-fields.ts';

type Answering = (facts: CapabilityFacts) => CapabilityAnswer;

/** Answers questions by what a project declares, and by what a run of its operator has created. Tests answer the others. */
export const projectAnswers: Partial<Record<CapabilityQuestion, Answering>> = {
  '1.1': specFields,
  '1.3': specFields,
  '1.4': replaceableImages,
  '1.6': ({ run }) => answerOf('object', { supporting: run?.changedConditions ?? [] }),
  '1.8': statuses,
  '1.9': describedFields,
  '1.10': relatedImages,
  '3.6': (facts) => eachContainer(facts, 'livenessProbe'),
  '3.7': ({ run }) => {
    const { against } = probed(run?.children ?? [], 'readinessProbe');
    return answerOf('object', { against });
  },
  '3.8': updateStrategies,
  '3.9': disruptionBudgets,
  '3.10': cpuResources,
  '4.1': metricsEndpoint,
  '4.2': (facts) => answerOf('alert', { supporting: alertsIn(facts).map(({ name, place }) => `${name} in ${place}`) }),
  '4.4': (facts) =>
    eachAlert(facts, ({ name, rule }) => {
      const { runbook_url: url, runbook } = objectAt(rule, 'annotations') ?? {};
      if (typeof url === 'string' && url !== '') return [true, `${name}: ${url}`];
      if (typeof runbook === 'string' && runbook !== '') return [true, `${name}: the annotation runbook`];
      return [false, `${name} has no runbook_url and no runbook`];
    }),
  '4.5': severities,
  '4.6': (facts) => created(facts, 'PrometheusRule'),
  '4.7': recordedEvents,
  '4.8': (facts) => created(facts, 'ServiceMonitor', 'PodMonitor'),
  '5.1': (facts) => created(facts, 'HorizontalPodAutoscaler'),
  '5.2': (facts) => created(facts, 'HorizontalPodAutoscaler'),
};

function specFields({ definitions }: CapabilityFacts): CapabilityAnswer {
  const versions = definitions.flatMap(servedVersions);
  const named = versions.map(
    (version) => [nameOf(version), fieldsOf(version, 'spec').map(([field]) => field)] as const,
  );
  const without = named.filter(([, fields]) => fields.length === 0);
  return answerOf('class', {
    // A kind without settings, such as a trigger, may exist next to others.
    against: without.length === named.length ? without.map(([name]) => `${name} has no field in its spec`) : [],
    supporting: named.flatMap(([name, fields]) =>
      fields.length > 0 ? [`${name}: spec.${fields.join(', spec.')}`] : [],
    ),
  });
}

function replaceableImages({ definitions, manifests }: CapabilityFacts): CapabilityAnswer {
  const fields = definitions
    .flatMap(servedVersions)
    .flatMap((version) => fieldsOf(version, 'spec').map(([field]) => `${nameOf(version)}: spec.${field}`))
    .filter((text) => /image$/i.test(text));
  const variables = containersIn(manifests).flatMap(({ place, container }) =>
    objectsAt(container, 'env')
      .map((variable) => String(valueAt(variable, 'name')))
      .filter((name) => /(?:^|_)IMAGE(?:_|$)/.test(name))
      .map((name) => `variable ${name} in ${place}`),
  );
  return answerOf('class', { supporting: [...fields, ...variables] });
}

function statuses({ definitions }: CapabilityFacts): CapabilityAnswer {
  const versions = definitions.flatMap(servedVersions);
  return answerOf('class', {
    against: versions
      .filter((version) => !version.hasStatusSubresource || fieldsOf(version, 'status').length === 0)
      .map((version) => `${nameOf(version)} has no status`),
    supporting: versions.map((version) => {
      const fields = fieldsOf(version, 'status').map(([field]) => field);
      return `${nameOf(version)}: status.${fields.join(', status.')}`;
    }),
  });
}

function describedFields({ definitions }: CapabilityFacts): CapabilityAnswer {
  const versions = definitions.flatMap(servedVersions).filter((version) => fieldsOf(version, 'spec').length > 0);
  const found = versions.map((version) => [nameOf(version), describedBy(fieldsOf(version, 'spec'), 'spec')] as const);
  return answerOf('class', {
    against: found.flatMap(([name, { missing }]) => missing.map((field) => `${name}: ${field} has no description`)),
    supporting: found.map(([name, { opaque }]) => {
      const except = opaque.length === 0 ? '' : `, except those below ${opaque.join(', ')}`;
      return `${name}: each field of the spec has a description${except}`;
    }),
  });
}

function relatedImages({ csv }: CapabilityFacts): CapabilityAnswer {
  if (csv === undefined) return unknown;
  const listed = new Set((csv.relatedImages ?? []).map(({ image }) => image));
  const used = (csv.install?.spec?.deployments ?? []).flatMap(({ spec }) => {
    const pod = spec?.template?.spec;
    return [...(pod?.initContainers ?? []), ...(pod?.containers ?? [])].flatMap((container) => [
      container.image,
      ...(container.env ?? [])
        .filter(({ name }) => name?.startsWith('RELATED_IMAGE_') === true)
        .map(({ value }) => value),
    ]);
  });
  const missing = [...new Set(used)].filter((image) => image !== undefined && !listed.has(image));
  return answerOf('bundle', {
    against:
      listed.size === 0
        ? ['spec.relatedImages is empty']
        : missing.map((image) => `${image} is missing in spec.relatedImages`),
    supporting: [...listed].map((image) => `spec.relatedImages: ${image}`),
  });
}

function probed(children: readonly JsonObject[], probe: string): { against: string[]; supporting: string[] } {
  const containers = servingContainers(children);
  const isSet = (container: JsonObject): boolean => isJsonObject(valueAt(container, probe));
  return {
    against: containers.filter(({ container }) => !isSet(container)).map(({ name }) => `${name} has no ${probe}`),
    supporting: containers.filter(({ container }) => isSet(container)).map(({ name }) => `${name} has a ${probe}`),
  };
}

function eachContainer({ run }: CapabilityFacts, probe: string): CapabilityAnswer {
  return answerOf('object', probed(run?.children ?? [], probe));
}

function updateStrategies({ run }: CapabilityFacts): CapabilityAnswer {
  const named = childrenOfKind(run?.children ?? [], 'Deployment', 'StatefulSet', 'DaemonSet').map((child) => {
    const spec = objectAt(child, 'spec');
    const { type } = { ...objectAt(spec, 'strategy'), ...objectAt(spec, 'updateStrategy') };
    return [type === 'RollingUpdate', `${objectName(child)} has the strategy ${type}`] as const;
  });
  return answerOf('object', split(named));
}

function disruptionBudgets({ run }: CapabilityFacts): CapabilityAnswer {
  const children = run?.children ?? [];
  const budgets = childrenOfKind(children, 'PodDisruptionBudget');
  const isLacking = budgets.length === 0 && run?.hasConverged === true && servingContainers(children).length > 0;
  const examples = (run?.examples ?? []).map(objectName).join(', ');
  return answerOf('object', {
    against: isLacking ? [`the operator created no PodDisruptionBudget for ${examples}`] : [],
    supporting: budgets.map((child) => `the operator created ${objectName(child)}`),
  });
}

function cpuResources({ run }: CapabilityFacts): CapabilityAnswer {
  const named = servingContainers(run?.children ?? []).map(({ name, container }) => {
    const resources = objectAt(container, 'resources');
    const lacking = ['requests', 'limits'].filter((key) => valueAt(objectAt(resources, key), 'cpu') === undefined);
    return [
      lacking.length === 0,
      lacking.length === 0
        ? `${name} has both`
        : `${name} has no resources.${lacking.join('.cpu and no resources.')}.cpu`,
    ] as const;
  });
  return answerOf('object', split(named));
}

function metricsEndpoint({ manifests }: CapabilityFacts): CapabilityAnswer {
  return answerOf('metric', {
    supporting: containersIn(manifests).flatMap(({ place, container }) =>
      objectsAt(container, 'ports')
        .filter((port) => String(valueAt(port, 'name')).includes('metrics'))
        .map((port) => `port ${valueAt(port, 'name')} (${valueAt(port, 'containerPort')}) in ${place}`),
    ),
  });
}

interface Alert {
  readonly name: string;
  readonly place: string;
  readonly rule: JsonObject;
}

/** Rules without `alert` only record values. */
function alertsIn({ manifests, run }: CapabilityFacts): Alert[] {
  const created = (run?.children ?? []).map((object) => ({ place: objectName(object), object }));
  return [...manifests, ...created]
    .filter(({ object }) => valueAt(object, 'kind') === 'PrometheusRule')
    .flatMap(({ place, object }) =>
      objectsAt(objectAt(object, 'spec'), 'groups')
        .flatMap((group) => objectsAt(group, 'rules'))
        .flatMap((rule) => {
          const name = valueAt(rule, 'alert');
          return typeof name === 'string' ? [{ name, place, rule }] : [];
        }),
    );
}

function eachAlert(facts: CapabilityFacts, judge: (alert: Alert) => readonly [boolean, string]): CapabilityAnswer {
  return answerOf('alert', split(alertsIn(facts).map(judge)));
}

function severities(facts: CapabilityFacts): CapabilityAnswer {
  const alerts = alertsIn(facts).map(({ name, rule }) => ({
    name,
    severity: valueAt(objectAt(rule, 'labels'), 'severity'),
  }));
  const wrong = alerts.filter(({ severity }) => !['critical', 'warning', 'info'].includes(String(severity)));
  const lacking = ['critical', 'warning'].filter((each) => !alerts.some(({ severity }) => severity === each));
  if (alerts.length === 0) return unknown;
  return answerOf('alert', {
    against: [
      ...wrong.map(({ name, severity }) => `${name} has the severity ${severity ?? 'none'}`),
      ...lacking.map((severity) => `no alert has the severity ${severity}`),
    ],
    supporting: alerts.map(({ name, severity }) => `${name}: ${severity}`),
  });
}

/** That there is none proves nothing: the operator may record Events of other situations. */
function recordedEvents({ run }: CapabilityFacts): CapabilityAnswer {
  const reasons = (run?.events ?? []).map((event) => `${valueAt(event, 'reason')}: ${valueAt(event, 'message')}`);
  return answerOf('event', { supporting: [...new Set(reasons)] });
}

function created({ run }: CapabilityFacts, ...kinds: readonly string[]): CapabilityAnswer {
  const children = childrenOfKind(run?.children ?? [], ...kinds);
  return answerOf('object', { supporting: children.map((child) => `the operator created ${objectName(child)}`) });
}

/** The containers of the Deployments that are installed with the operator. */
function containersIn(
  manifests: readonly ManifestFact[],
): { readonly place: string; readonly container: JsonObject }[] {
  return manifests
    .filter(({ object }) => valueAt(object, 'kind') === 'Deployment')
    .flatMap(({ place, object }) =>
      objectsAt(objectAt(objectAt(objectAt(object, 'spec'), 'template'), 'spec'), 'containers').map((container) => ({
        place,
        container,
      })),
    );
}

function split(facts: readonly (readonly [boolean, string])[]): { against: string[]; supporting: string[] } {
  return {
    against: facts.flatMap(([holds, fact]) => (holds ? [] : [fact])),
    supporting: facts.flatMap(([holds, fact]) => (holds ? [fact] : [])),
  };
}

function nameOf({ kind, version }: SchemaVersion): string {
  return `${kind} ${version}`;
}
