import type { CheckedBundle } from './checked-bundle.ts';

/** The checks of the namespaces that the operator can watch. */
export function checkInstallModes(checked: CheckedBundle): void {
  const modes = checked.spec.installModes ?? [];
  const path = ['spec', 'installModes'];
  if (modes.length === 0) {
    const message =
      'they are missing; list OwnNamespace, SingleNamespace, MultiNamespace and AllNamespaces with supported';
    checked.add('install-modes-missing', path, message);
    return;
  }
  const isOnlyAll = modes.every(({ type, supported }) => (type === 'AllNamespaces') === (supported === true));
  for (const [index, webhook] of (checked.spec.webhookdefinitions ?? []).entries()) {
    if ((webhook.conversionCRDs ?? []).length === 0 || isOnlyAll) continue;
    const message =
      'a CRD has one conversion webhook for the whole cluster; support AllNamespaces and no other install mode';
    checked.add('conversion-install-mode', ['spec', 'webhookdefinitions', index, 'conversionCRDs'], message);
  }
  if (!modes.some(({ supported }) => supported === true)) {
    checked.add('install-modes-none-supported', path, 'OLM cannot install the operator; set supported: true for one');
  }
}
