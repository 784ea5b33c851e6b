import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BundleCheck, bundleChecks, type OlmFinding, type UpstreamValidator, validateBundle } from '../index.ts';
import { inOwnWords, mutations, verdicts, writeMutated } from './recorded-verdicts.fixture.ts';

/** The findings as the validators of operator-framework/api would make them: one for each validator. */
function asVerdicts({ check, level, field, message }: OlmFinding<BundleCheck>): string[] {
  const validators: readonly UpstreamValidator[] = bundleChecks[check].validators;
  const hasField = check === 'csv-field-missing' || check === 'definition-invalid';
  return validators.map((validator) => [validator, level, check, ...(hasField ? [field ?? message] : [])].join(' '));
}

describe('the recorded verdicts of operator-framework/api', () => {
  const folder = mkdtempSync(join(tmpdir(), 'evenkeel-bundles-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each(Object.entries(mutations))('are those of validateBundle(): %s', async (name, mutation) => {
    const target = join(folder, name);
    writeMutated(target, mutation);
    const { k8sVersion, customCategories } = mutation.options ?? {};
    const categories = customCategories === undefined ? undefined : JSON.parse(customCategories).categories;
    const { findings } = await validateBundle(target, { kubernetesVersion: k8sVersion, categories });
    const own = findings.filter(({ check }) => bundleChecks[check].validators.length > 0).flatMap(asVerdicts);
    const isOfGroup = name.startsWith('operatorgroup');
    const skipped = isOfGroup ? 'clusterserviceversion' : 'operatorgroup';
    const shared = /annotation-case|properties-annotation/;
    const expected = (verdicts[name] ?? []).map(inOwnWords);
    expect(own.filter((each) => !(each.startsWith(skipped) && shared.test(each))).sort()).toEqual(expected.sort());
  });
});
