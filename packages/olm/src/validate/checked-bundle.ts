import type { Bundle } from '../bundle/bundle.ts';
import type { BundleCheck, FindingLevel } from './bundle-check.ts';
import type { OlmReport } from './finding.ts';

/** The options of the checks. */
export interface BundleValidationOptions {
  /** The Kubernetes version for which the bundle is meant: removed APIs are then errors. Default: `spec.minKubeVersion`. */
  readonly kubernetesVersion?: string | undefined;
  /** The categories that replace those of OperatorHub. */
  readonly categories?: readonly string[] | undefined;
  /** The folder of the bundle before this one, from which users upgrade. Default: upgrades are not checked. */
  readonly previous?: string | undefined;
}

/** A bundle that is being checked, with shortcuts for findings about its ClusterServiceVersion. */
export class CheckedBundle {
  readonly bundle: Bundle;
  readonly options: BundleValidationOptions;
  readonly report: OlmReport<BundleCheck>;

  constructor(bundle: Bundle, options: BundleValidationOptions, report: OlmReport<BundleCheck>) {
    this.bundle = bundle;
    this.options = options;
    this.report = report;
  }

  get spec(): NonNullable<Bundle['csv']['spec']> {
    return this.bundle.csv.spec ?? {};
  }

  get csvAnnotations(): Readonly<Record<string, string | null>> {
    return this.bundle.csv.metadata?.annotations ?? {};
  }

  /** Adds a finding about a field of the ClusterServiceVersion. */
  add(check: BundleCheck, path: readonly (string | number)[], message: string, level?: FindingLevel): void {
    this.report.add(check, message, { ...this.bundle.csvObject, path }, level);
  }
}
