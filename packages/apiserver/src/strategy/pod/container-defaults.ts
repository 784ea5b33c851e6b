import type { Container, Probe } from '@evenkeel/kinds';
import { defaultRequirements } from '../resource-list-defaults.ts';
import { defaultPullPolicy } from './image-name.ts';

/** Fills in a container of any sort. Source: `SetDefaults_Container` and `SetDefaults_Probe`, `pkg/apis/core/v1/defaults.go`. */
export function defaultContainer(container: Container): void {
  container.imagePullPolicy ||= defaultPullPolicy(container.image);
  container.terminationMessagePath ||= '/dev/termination-log';
  container.terminationMessagePolicy ||= 'File';
  container.resources ??= {};
  defaultRequirements(container.resources);
  for (const port of container.ports ?? []) port.protocol ||= 'TCP';
  for (const variable of container.env ?? []) {
    const fieldRef = variable.valueFrom?.fieldRef;
    if (fieldRef !== undefined) fieldRef.apiVersion ||= 'v1';
    const fileKeyRef = variable.valueFrom?.fileKeyRef;
    if (fileKeyRef !== undefined) fileKeyRef.optional ??= false;
  }
  for (const probe of [container.livenessProbe, container.readinessProbe, container.startupProbe]) {
    if (probe !== undefined) defaultProbe(probe);
  }
  defaultHttpGet(container.lifecycle?.postStart?.httpGet);
  defaultHttpGet(container.lifecycle?.preStop?.httpGet);
}

function defaultProbe(probe: Probe): void {
  probe.timeoutSeconds ||= 1;
  probe.periodSeconds ||= 10;
  probe.successThreshold ||= 1;
  probe.failureThreshold ||= 3;
  defaultHttpGet(probe.httpGet);
  if (probe.grpc !== undefined) probe.grpc.service ??= '';
}

function defaultHttpGet(httpGet: { path?: string; scheme?: string } | undefined): void {
  if (httpGet === undefined) return;
  httpGet.path ||= '/';
  httpGet.scheme ||= 'HTTP';
}
