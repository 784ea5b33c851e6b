/** A request body in protobuf, and the same object in JSON. */
export interface ProtobufBody {
  readonly title: string;
  readonly base64: string;
  /** A string, because one body has a key that would set the prototype of an object literal. */
  readonly json: string;
}

/**
 * The bodies that kubectl 1.32.4 sent for a command, with the output of the same command with `--dry-run=client -o
 * json`; then one object as written by the Go serializers of apimachinery v0.36.3 and encoding/json.
 */
export const protobufBodies: readonly ProtobufBody[] = [
  {
    title: 'kubectl create secret generic s1 --from-literal=p=q',
    base64: 'azhzAAoMCgJ2MRIGU2VjcmV0Eh4KEgoCczESABoAIgAqADIAOABCABIGCgFwEgFxGgAaACIA',
    json: '{"kind":"Secret","apiVersion":"v1","metadata":{"name":"s1","creationTimestamp":null},"data":{"p":"cQ=="}}',
  },
  {
    title: 'kubectl create role r1 --verb=get,list --resource=pods,deployments.apps',
    base64:
      'azhzAAokChxyYmFjLmF1dGhvcml6YXRpb24uazhzLmlvL3YxEgRSb2xlEkkKEgoCcjESABoAIgAqADIAOABCABITCgNnZXQKBGxpc3QSABoEcG9kcxIeCgNnZXQKBGxpc3QSBGFwcHMaC2RlcGxveW1lbnRzGgAiAA==',
    json: '{"kind":"Role","apiVersion":"rbac.authorization.k8s.io/v1","metadata":{"name":"r1","creationTimestamp":null},"rules":[{"verbs":["get","list"],"apiGroups":[""],"resources":["pods"]},{"verbs":["get","list"],"apiGroups":["apps"],"resources":["deployments"]}]}',
  },
  {
    title: 'kubectl create rolebinding rb1 --role=r1 --serviceaccount=default:sa1',
    base64:
      'azhzAAorChxyYmFjLmF1dGhvcml6YXRpb24uazhzLmlvL3YxEgtSb2xlQmluZGluZxJeChMKA3JiMRIAGgAiACoAMgA4AEIAEiAKDlNlcnZpY2VBY2NvdW50EgAaA3NhMSIHZGVmYXVsdBolChlyYmFjLmF1dGhvcml6YXRpb24uazhzLmlvEgRSb2xlGgJyMRoAIgA=',
    json: '{"kind":"RoleBinding","apiVersion":"rbac.authorization.k8s.io/v1","metadata":{"name":"rb1","creationTimestamp":null},"subjects":[{"kind":"ServiceAccount","name":"sa1","namespace":"default"}],"roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"Role","name":"r1"}}',
  },
  {
    title: 'kubectl create deployment dep1 --image=nginx --replicas=0 --port=80',
    base64:
      'azhzAAoVCgdhcHBzL3YxEgpEZXBsb3ltZW50ErwBCiEKBGRlcDESABoAIgAqADIAOABCAFoLCgNhcHASBGRlcDESiAEIABINCgsKA2FwcBIEZGVwMRptCh0KABIAGgAiACoAMgA4AEIAWgsKA2FwcBIEZGVwMRJMEi4KBW5naW54EgVuZ2lueCoAMgoKABAAGFAiACoAQgBqAHIAgAEAiAEAkAEAogEAGgAyAEIASgBSAFgAYABoAIIBAIoBAJoBAMIBACICCgAoADgAGgwIABAAGAAgACgAOAAaACIA',
    json: '{"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"dep1","creationTimestamp":null,"labels":{"app":"dep1"}},"spec":{"replicas":0,"selector":{"matchLabels":{"app":"dep1"}},"template":{"metadata":{"creationTimestamp":null,"labels":{"app":"dep1"}},"spec":{"containers":[{"name":"nginx","image":"nginx","ports":[{"containerPort":80}],"resources":{}}]}},"strategy":{}},"status":{}}',
  },
  {
    title: "kubectl create cronjob cj1 --image=busybox '--schedule=*/5 * * * *' -- date",
    base64:
      'azhzAAoTCghiYXRjaC92MRIHQ3JvbkpvYhKnAQoTCgNjajESABoAIgAqADIAOABCABKNAQoLKi81ICogKiAqICoaACp8ChMKA2NqMRIAGgAiACoAMgA4AEIAEmUyYwoQCgASABoAIgAqADIAOABCABJPEigKA2NqMRIHYnVzeWJveBoEZGF0ZSoAQgBqAHIAgAEAiAEAkAEAogEAGglPbkZhaWx1cmUyAEIASgBSAFgAYABoAIIBAIoBAJoBAMIBABoAGgAiAA==',
    json: '{"kind":"CronJob","apiVersion":"batch/v1","metadata":{"name":"cj1","creationTimestamp":null},"spec":{"schedule":"*/5 * * * *","jobTemplate":{"metadata":{"name":"cj1","creationTimestamp":null},"spec":{"template":{"metadata":{"creationTimestamp":null},"spec":{"containers":[{"name":"cj1","image":"busybox","command":["date"],"resources":{}}],"restartPolicy":"OnFailure"}}}}},"status":{}}',
  },
  {
    title: "kubectl create ingress i1 '--rule=foo.com/bar*=svc1:8080,tls=my' --default-backend=d:http",
    base64:
      'azhzAAofChRuZXR3b3JraW5nLms4cy5pby92MRIHSW5ncmVzcxJqChIKAmkxEgAaACIAKgAyADgAQgASUAoPIg0KAWQSCAoEaHR0cBAAEg0KB2Zvby5jb20SAm15Gi4KB2Zvby5jb20SIwohCh8KBC9iYXISDyINCgRzdmMxEgUKABCQPxoGUHJlZml4GgIKABoAIgA=',
    json: '{"kind":"Ingress","apiVersion":"networking.k8s.io/v1","metadata":{"name":"i1","creationTimestamp":null},"spec":{"defaultBackend":{"service":{"name":"d","port":{"name":"http"}}},"tls":[{"hosts":["foo.com"],"secretName":"my"}],"rules":[{"host":"foo.com","http":{"paths":[{"path":"/bar","pathType":"Prefix","backend":{"service":{"name":"svc1","port":{"number":8080}}}}]}}]},"status":{"loadBalancer":{}}}',
  },
  {
    title: 'kubectl create service nodeport svc2 --tcp=80:http',
    base64:
      'azhzAAoNCgJ2MRIHU2VydmljZRJuCiEKBHN2YzISABoAIgAqADIAOABCAFoLCgNhcHASBHN2YzISRQoeCgc4MC1odHRwEgNUQ1AYUCIKCAEQABoEaHR0cCgAEgsKA2FwcBIEc3ZjMhoAIghOb2RlUG9ydDoAQgBSAFoAYABoABoCCgAaACIA',
    json: '{"kind":"Service","apiVersion":"v1","metadata":{"name":"svc2","creationTimestamp":null,"labels":{"app":"svc2"}},"spec":{"ports":[{"name":"80-http","protocol":"TCP","port":80,"targetPort":"http"}],"selector":{"app":"svc2"},"type":"NodePort"},"status":{"loadBalancer":{}}}',
  },
  {
    title: 'kubectl create quota q1 --hard=cpu=1,pods=2',
    base64:
      'azhzAAoTCgJ2MRINUmVzb3VyY2VRdW90YRIxChIKAnExEgAaACIAKgAyADgAQgASGQoKCgNjcHUSAwoBMQoLCgRwb2RzEgMKATIaABoAIgA=',
    json: '{"kind":"ResourceQuota","apiVersion":"v1","metadata":{"name":"q1","creationTimestamp":null},"spec":{"hard":{"cpu":"1","pods":"2"}},"status":{}}',
  },
  {
    title: 'kubectl create pdb p1 --selector=app=x --min-available=50%',
    base64:
      'azhzAAogCglwb2xpY3kvdjESE1BvZERpc3J1cHRpb25CdWRnZXQSOQoSCgJwMRIAGgAiACoAMgA4AEIAEhcKCQgBEAAaAzUwJRIKCggKA2FwcBIBeBoKCAAYACAAKAAwABoAIgA=',
    json: '{"kind":"PodDisruptionBudget","apiVersion":"policy/v1","metadata":{"name":"p1","creationTimestamp":null},"spec":{"minAvailable":"50%","selector":{"matchLabels":{"app":"x"}}},"status":{"disruptionsAllowed":0,"currentHealthy":0,"desiredHealthy":0,"expectedPods":0}}',
  },
  {
    title: 'kubectl create priorityclass pc1 --value=100',
    base64:
      'azhzAAolChRzY2hlZHVsaW5nLms4cy5pby92MRINUHJpb3JpdHlDbGFzcxIxChMKA3BjMRIAGgAiACoAMgA4AEIAEGQYACIAKhRQcmVlbXB0TG93ZXJQcmlvcml0eRoAIgA=',
    json: '{"kind":"PriorityClass","apiVersion":"scheduling.k8s.io/v1","metadata":{"name":"pc1","creationTimestamp":null},"value":100,"preemptionPolicy":"PreemptLowerPriority"}',
  },
  {
    title: 'kubectl autoscale deployment dep2 --min=1 --max=5 --cpu-percent=80',
    base64:
      'azhzAAopCg5hdXRvc2NhbGluZy92MRIXSG9yaXpvbnRhbFBvZEF1dG9zY2FsZXISQQoUCgRkZXAyEgAaACIAKgAyADgAQgASIwobCgpEZXBsb3ltZW50EgRkZXAyGgdhcHBzL3YxEAEYBSBQGgQYACAAGgAiAA==',
    json: '{"kind":"HorizontalPodAutoscaler","apiVersion":"autoscaling/v1","metadata":{"name":"dep2","creationTimestamp":null},"spec":{"scaleTargetRef":{"kind":"Deployment","name":"dep2","apiVersion":"apps/v1"},"minReplicas":1,"maxReplicas":5,"targetCPUUtilizationPercentage":80},"status":{"currentReplicas":0,"desiredReplicas":0}}',
  },
  {
    title: 'an eviction with options',
    base64: 'azhzAAoVCglwb2xpY3kvdjESCEV2aWN0aW9uEiEKEgoBcBIAGgFuIgAqADIAOABCABILCAASAhIAKgNBbGwaACIA',
    json: '{"kind":"Eviction","apiVersion":"policy/v1","metadata":{"name":"p","namespace":"n"},"deleteOptions":{"gracePeriodSeconds":0,"preconditions":{"resourceVersion":""},"dryRun":["All"]}}',
  },
  {
    title: 'options of a deletion',
    base64: 'azhzAAoYCgdhcHBzL3YxEg1EZWxldGVPcHRpb25zEg4YACIKRm9yZWdyb3VuZBoAIgA=',
    json: '{"kind":"DeleteOptions","apiVersion":"apps/v1","orphanDependents":false,"propagationPolicy":"Foreground"}',
  },
  {
    title: 'numbers at the ends of their ranges, and zeros behind pointers',
    base64:
      'azhzAAoJCgJ2MRIDUG9kEt8BCiwKAXASABoAIgAqADIAOICAgICAgICAgAFCCAil69zKBhAAUP//////////fxKZAQoJCgF2EgQSAgoAEkQKABIAIgAiAsOpKgAyCgoAEAAYACIAKgBCAFIYCgwaCgoGCAEQABoAEgAQABgAIAAoADAAagByAIABAIgBAJABAKIBABoAKP///////////wEyAEIASgBSAFgAYABoAHITIAAg////////////ASCAgICAEIIBAIoBAJoBAMIBAMgBgICAgPj/////ARoTCgAaACIAKgAyAEoAWgByAIgBABoAIgA=',
    json: '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"p","generation":-9223372036854775808,"creationTimestamp":"2026-01-02T03:04:05Z","deletionGracePeriodSeconds":9223372036854775807},"spec":{"volumes":[{"name":"v","emptyDir":{}}],"containers":[{"name":"","args":["","é"],"ports":[{"containerPort":0}],"resources":{},"livenessProbe":{"tcpSocket":{"port":""}}}],"activeDeadlineSeconds":-1,"securityContext":{"supplementalGroups":[0,-1,4294967296]},"priority":-2147483648},"status":{}}',
  },
  {
    title: 'bytes, and keys of any text',
    base64: 'azhzAAoMCgJ2MRIGU2VjcmV0EjUKEAoAEgAaACIAKgAyADgAQgASBgoAEgIA/xINCglfX3Byb3RvX18SABIGCgFhEgF4GgAoABoAIgA=',
    json: '{"kind":"Secret","apiVersion":"v1","metadata":{},"immutable":false,"data":{"":"AP8=","__proto__":"","a":"eA=="}}',
  },
  {
    title: 'lists in a map',
    base64:
      'azhzAAouChdhdXRob3JpemF0aW9uLms4cy5pby92MRITU3ViamVjdEFjY2Vzc1JldmlldxI2ChAKABIAGgAiACoAMgA4AEIAEhgaAXUqCgoBYRIFCgFiCgAqBQoBYxIAMgAaCAgAEgAaACAAGgAiAA==',
    json: '{"kind":"SubjectAccessReview","apiVersion":"authorization.k8s.io/v1","metadata":{},"spec":{"user":"u","extra":{"a":["b",""],"c":[]}},"status":{"allowed":false}}',
  },
  {
    title: 'times with fractions, and none',
    base64:
      'azhzAAofChZjb29yZGluYXRpb24uazhzLmlvL3YxEgVMZWFzZRIlChAKABIAGgAiACoAMgA4AEIAEhEKABAAGgkIpevcygYQ8C4iABoAIgA=',
    json: '{"kind":"Lease","apiVersion":"coordination.k8s.io/v1","metadata":{},"spec":{"holderIdentity":"","leaseDurationSeconds":0,"acquireTime":"2026-01-02T03:04:05.000006Z","renewTime":null}}',
  },
  {
    title: 'the first second of 1970 and the last before it',
    base64:
      'azhzAAoPCghiYXRjaC92MRIDSm9iEmkKEAoAEgAaACIAKgAyADgAQgASNggAMjAKEAoAEgAaACIAKgAyADgAQgASHBoAMgBCAEoAUgBYAGAAaACCAQCKAQCaAQDCAQBQABodEgQIABAAGg0I////////////ARAAIAAoADAAOgAaACIA',
    json: '{"kind":"Job","apiVersion":"batch/v1","metadata":{},"spec":{"parallelism":0,"template":{"metadata":{},"spec":{"containers":null}},"suspend":false},"status":{"startTime":"1970-01-01T00:00:00Z","completionTime":"1969-12-31T23:59:59Z"}}',
  },
  {
    title: 'raw JSON',
    base64:
      'azhzAAodCgdhcHBzL3YxEhJDb250cm9sbGVyUmV2aXNpb24SQQoQCgASABoAIgAqADIAOABCABIrCil7ImEiOlsxLG51bGwsIl9fcHJvdG9fXyJdLCJfX3Byb3RvX18iOnt9fRgHGgAiAA==',
    json: '{"kind":"ControllerRevision","apiVersion":"apps/v1","metadata":{},"data":{"a":[1,null,"__proto__"],"__proto__":{}},"revision":7}',
  },
  {
    title: 'a Scale of nothing',
    base64: 'azhzAAoXCg5hdXRvc2NhbGluZy92MRIFU2NhbGUSHAoQCgASABoAIgAqADIAOABCABICCAAaBAgAEgAaACIA',
    json: '{"kind":"Scale","apiVersion":"autoscaling/v1","metadata":{},"spec":{},"status":{"replicas":0}}',
  },
  {
    title: 'ports as zero and below, and empty pointers',
    base64:
      'azhzAAoNCgJ2MRIHU2VydmljZRJjChAKABIAGgAiACoAMgA4AEIAEksKGQoAEgAY////////////ASIGCAAQABoAKAAKGwoAEgAYACIPCAAQ+///////////ARoAKAAyABoAIgA6AEIAUgBaAGAAaACgAQAaAgoAGgAiAA==',
    json: '{"kind":"Service","apiVersion":"v1","metadata":{},"spec":{"ports":[{"port":-1,"targetPort":0},{"appProtocol":"","port":0,"targetPort":-5}],"allocateLoadBalancerNodePorts":false},"status":{"loadBalancer":{}}}',
  },
];
