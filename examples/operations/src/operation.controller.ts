import type { ControllerBuilder, KindClass, Lister, ReconcileContext } from 'evenkeel';
import { Clock, Deployment, Lease, listerOf, Metadata, ObjectKey } from 'evenkeel';
import { type OperationSteps, runOperation } from 'evenkeel/lifecycle';
import type { Operation } from './operations.ts';

/** On the Leases of all operations. The name of a Lease is this prefix and the name of its Deployment. */
const labels = { 'operations.example.com/lock': 'true' };
const prefix = 'deployment-';

/** Returns what an operation does. Its Deployment may not exist. */
type StepsOf<T> = (operation: T, deployment: Deployment | undefined, context: ReconcileContext) => OperationSteps;

/** The controller of one kind of operations. `builder` declares what only this kind needs. */
export function operationController<T extends Operation>(
  kind: KindClass<T>,
  builder: ControllerBuilder<T>,
  stepsOf: StepsOf<T>,
) {
  return builder
    .inject({ operations: listerOf<KindClass<Operation>>(kind), deployments: listerOf(Deployment) })
    .inject({ leases: listerOf(Metadata(Lease)), clock: Clock })
    .rbac(Lease, ['create', 'delete'], { reason: 'a Deployment has one operation at a time' })
    .rbac(kind, ['delete'], { reason: 'deletes operations at the end of their time' })
    .watches(Deployment, function onDeployment({ metadata: { name, namespace } }, { operations }) {
      return operationsOf(name, namespace, operations).map(ObjectKey.of);
    })
    .watches(
      Metadata(Lease),
      function onLease({ metadata: { name, namespace } }, { operations }) {
        return operationsOf(name.replace(prefix, ''), namespace, operations).map(ObjectKey.of);
      },
      { labels },
    )
    .reconcile(function run(operation: T, context, { operations, deployments, leases, clock }) {
      const { namespace } = operation.metadata;
      const { deployment: name } = operation.spec;
      const lock = { name: `${prefix}${name}`, labels, leases };
      const others = operationsOf(name, namespace, operations);
      const steps = stepsOf(operation, deployments.get(new ObjectKey(name, namespace)), context);
      return runOperation(operation, context, { kind, lock, others, clock }, steps);
    });
}

function operationsOf(deployment: string, namespace: string | undefined, operations: Lister<Operation>) {
  return operations.list({ namespace }).filter(({ spec }) => spec.deployment === deployment);
}
