import type { X509Certificate } from 'node:crypto';
import type { Client } from '@evenkeel/client';
import { ignoreNotFound, isForbidden } from '@evenkeel/core';
import { authoritySecretName, servingSecretName } from '@evenkeel/core/certificates';
import { Secret } from '@evenkeel/kinds/core/v1';
import { caBundleCertificates } from '@evenkeel/schema/evaluate';
import { type CheckResult, failed, ok, warning } from '../cluster/check-result.ts';
import type { ClusterSession } from '../cluster/cluster-session.ts';
import { referenceOf, shownName } from '../cluster/object-name.ts';
import { type CallingObject, clientConfigsOf, isCaller, webhookProblems } from '../deploy/webhooks-ready.ts';
import type { DeployedOperator } from '../generate/generation.ts';

const day = 24 * 60 * 60 * 1000;
/** A certificate that expires within this time is reported. */
const soonMs = 7 * day;

/** Checks that the API server can call the webhooks, and that their certificates are valid. */
export async function checkWebhooks(session: ClusterSession): Promise<CheckResult[]> {
  const { cluster, objects, operator, signal } = session;
  if (operator?.certificates === undefined) return [];
  const problems = await webhookProblems(cluster, objects, signal);
  const reachable =
    problems.length === 0
      ? ok('webhooks', 'they have a ready endpoint and a caBundle')
      : failed(
          'webhooks',
          'the API server cannot call them',
          'run "evenkeel deploy", and check the log of the operator',
          problems,
        );
  return [reachable, ...(await checkCertificates(session, operator))];
}

async function checkCertificates(
  { client, clock, cluster, objects, signal }: ClusterSession,
  operator: DeployedOperator,
): Promise<CheckResult[]> {
  const check = 'certificates';
  const bundles = new Map<string, readonly X509Certificate[]>();
  for (const reference of objects.filter(isCaller).map(referenceOf)) {
    const live = await cluster.get(reference, signal);
    for (const [name, { caBundle = '' }] of live === undefined ? [] : clientConfigsOf(live as CallingObject)) {
      if (caBundle !== '') bundles.set(`${shownName(reference)} ${name}`, caBundleCertificates(caBundle));
    }
  }
  if (bundles.size === 0) return [];
  const unreadable = [...bundles].filter(([, certificates]) => certificates.length === 0).map(([name]) => name);
  if (unreadable.length > 0) {
    return [
      failed(
        check,
        'a caBundle has no certificate',
        'delete the caBundle; the operator or cert-manager sets it again',
        unreadable,
      ),
    ];
  }
  const current = await currentCertificates(client, operator, signal).catch((error: unknown) => {
    if (isForbidden(error)) return error as Error;
    throw error;
  });
  const results: CheckResult[] = [];
  if (current instanceof Error) {
    results.push(
      warning(
        check,
        'the certificates cannot be compared with the Secret',
        `run the command as a user who may read it: ${current.message}`,
      ),
    );
  } else if (current === undefined) {
    results.push(
      failed(
        check,
        'the Secret of the certificates does not exist or has no certificate',
        'check the log of the operator, or that of cert-manager',
      ),
    );
  } else {
    const trusts = (bundle: readonly X509Certificate[]) =>
      bundle.some((authority) => authority.fingerprint256 === current.fingerprint256 || current.checkIssued(authority));
    const others = [...bundles].filter(([, bundle]) => !trusts(bundle)).map(([name]) => name);
    if (others.length > 0) {
      const message = 'a caBundle does not trust the current certificate';
      results.push(failed(check, message, 'check the log of the operator, or that of cert-manager', others));
    }
  }
  return [
    ...results,
    dates(check, [...bundles.values()].flat(), current instanceof Error ? undefined : current, clock.now()),
  ];
}

/** The dates of the newest certificate of each kind. Older ones may expire. */
function dates(
  check: string,
  authorities: readonly X509Certificate[],
  current: X509Certificate | undefined,
  nowMs: number,
): CheckResult {
  const endOf = ({ validToDate }: X509Certificate): number => validToDate.getTime();
  const newest = Math.max(...authorities.map(endOf));
  const endMs = Math.min(newest, current === undefined ? newest : endOf(current));
  const end = new Date(endMs).toISOString().slice(0, 10);
  const fix = 'check the log of the operator, or that of cert-manager: it should have renewed the certificate';
  if (endMs <= nowMs) return failed(check, `the certificate has expired on ${end}`, fix);
  if (endMs - nowMs < soonMs) return warning(check, `the certificate expires on ${end}`, fix);
  return ok(check, `valid until ${end}`);
}

/** The certificate that the operator currently uses: its authority, or the one that cert-manager has issued. Never reads the key. */
async function currentCertificates(
  client: Client,
  { name, namespace, certificates }: DeployedOperator,
  signal: AbortSignal,
): Promise<X509Certificate | undefined> {
  const isBuiltIn = certificates === 'built-in';
  const secret = isBuiltIn ? authoritySecretName(name) : servingSecretName({ name });
  const found = await ignoreNotFound(client.get(Secret, { namespace, name: secret }, { signal }));
  return caBundleCertificates(found?.data?.[isBuiltIn ? 'ca.crt' : 'tls.crt'] ?? '')[0];
}
