import type { Deployment } from '@evenkeel/kinds';
import { linesIf, moreOf, optionalKey } from './chart-blocks.ts';
import { scales } from './chart-values.ts';
import type { OperatorChart } from './operator-chart.ts';
import type { Placeholders } from './placeholders.ts';

/** Returns a Deployment whose variable parts are placeholders. */
export function chartDeployment(deployment: Deployment, chart: OperatorChart, placeholders: Placeholders): object {
  const { pods, certificates } = chart;
  const { spec } = deployment;
  const { metadata, spec: pod } = spec?.template ?? {};
  const [container, ...others] = pod?.containers ?? [];
  const more = (path: string) => ({ [moreOf(placeholders, path)]: null });
  const key = (name: string) => ({ [optionalKey(placeholders, name)]: null });
  const { volumes, containers: _, securityContext, ...restOfPod } = pod ?? {};
  const { args = [], resources: __, env: ___, volumeMounts, ...restOfContainer } = container ?? {};
  const priorityClass = linesIf(
    placeholders,
    '$.Values.priorityClassName',
    'priorityClassName: {{ $.Values.priorityClassName | quote }}',
  );
  const secretName = placeholders.text('$.Values.certificates.secretName');
  const mounted = volumes?.map((volume) =>
    certificates === 'files' && volume.secret !== undefined ? { ...volume, secret: { secretName } } : volume,
  );
  return {
    ...deployment,
    spec: {
      ...spec,
      ...(pods !== undefined && scales(pods)
        ? {
            [placeholders.lines((indent) => [`${indent}replicas: {{ $.Values.replicas }}`])]: null,
            replicas: undefined,
          }
        : {}),
      template: {
        metadata: {
          [optionalKey(placeholders, 'annotations', 'podAnnotations')]: null,
          ...metadata,
          labels: { ...metadata?.labels, ...more('podLabels') },
        },
        spec: {
          ...key('imagePullSecrets'),
          ...restOfPod,
          securityContext,
          [priorityClass]: null,
          ...key('nodeSelector'),
          ...key('affinity'),
          ...key('tolerations'),
          containers: [
            {
              ...restOfContainer,
              image: placeholders.text(`include "${chart.name}.image" $`),
              imagePullPolicy: placeholders.text('$.Values.image.pullPolicy'),
              args: [
                ...args.map((argument) => argumentOf(argument, placeholders)),
                linesIf(
                  placeholders,
                  '$.Values.namespaces',
                  '- {{ printf "--namespaces=%s" (join "," $.Values.namespaces) | quote }}',
                ),
                moreOf(placeholders, 'extraArgs'),
              ],
              ...key('env'),
              ...key('envFrom'),
              ...key('resources'),
              ...(volumeMounts === undefined
                ? key('volumeMounts')
                : { volumeMounts: [...volumeMounts, moreOf(placeholders, 'volumeMounts')] }),
            },
            ...others,
            moreOf(placeholders, 'extraContainers'),
          ],
          ...(mounted === undefined ? key('volumes') : { volumes: [...mounted, moreOf(placeholders, 'volumes')] }),
        },
      },
    },
  };
}

function argumentOf(argument: string, placeholders: Placeholders): string {
  return argument.startsWith('--metrics-address=')
    ? linesIf(placeholders, '$.Values.metrics.enabled', `- ${argument}`)
    : argument;
}
