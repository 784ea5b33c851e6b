import { copyJson, isJsonObject, type JsonObject } from '@evenkeel/apimachinery/json';
import { type CheckedConversion, VersionConversion } from '@evenkeel/core/conversion';
import type { ComparedVersion } from '../diff/compare-versions.ts';
import { compileSchema } from '../evaluate/custom-resource/compiled-schema.ts';
import type { StructuralSchema } from '../evaluate/structural-schema.ts';
import { sampleObjects } from '../sample/sample-objects.ts';
import type { ClassVersion, MergedKind } from './merge-versions.ts';

/**
 * Reports defaults that objects lack after a conversion. The API server adds the defaults of the version in which an object is
 * stored, then converts it, and adds none of the version that a client reads (apiserver, `versioning.codec.Decode`). Only objects
 * that are stored in another version are affected: those of the storage version, and those of the CRD that this one replaces.
 *
 * It finds only defaults that are missing in converted sample objects.
 *
 * @param stored the versions in which clusters have objects.
 */
export function checkConvertedDefaults(
  { versions, hub, storage }: MergedKind,
  compared: ReadonlyMap<ClassVersion | undefined, ComparedVersion>,
  stored: ReadonlySet<string>,
): void {
  for (const spoke of versions) {
    const { conversion } = spoke.declaration;
    if (hub === undefined || conversion === undefined) continue;
    for (const [from, to, convert] of [
      [spoke, hub, 'toHub'],
      [hub, spoke, 'fromHub'],
    ] as const) {
      const [source, target] = [compared.get(from)?.schema, compared.get(to)?.schema];
      const { version } = from.declaration;
      if (source === undefined || target === undefined || !stored.has(version) || !to.declaration.served) continue;
      const accepted = spoke.declaration.lossy.versions;
      const fields = missingDefaults(source, target, conversion, convert).filter((field) => !accepted.has(field));
      if (fields.length === 0) continue;
      const until = from === storage ? '' : ' until they are written again';
      const migrate = from === storage ? '' : ', or run "evenkeel migrate" after the upgrade';
      spoke.report.notice(
        'default-not-converted',
        `objects that are stored in ${version} lack ${fields.join(', ')} in ${to.declaration.version}${until}: the API server adds no defaults after a conversion; set the default in ${convert} where it is missing${migrate}`,
      );
    }
  }
}

/** The paths of the defaults that are missing in converted samples of a version. */
function missingDefaults(
  source: StructuralSchema,
  target: StructuralSchema,
  conversion: CheckedConversion,
  direction: 'toHub' | 'fromHub',
): string[] {
  const { apiVersion } = direction === 'toHub' ? conversion.spoke : conversion.hub;
  const head = { apiVersion, kind: 'Sample', metadata: { name: 'sample' } };
  const samples = sampleObjects(source, { minimal: head, full: head });
  if (samples === undefined) return [];
  const conversions = new VersionConversion(conversion);
  const [from, to] = [compileSchema(source), compileSchema(target)];
  const found = [samples.minimal, samples.full].flatMap((sample) => {
    const object = copyJson(sample) as JsonObject;
    from.default(object);
    let converted: JsonObject;
    try {
      converted = conversions[direction](object);
    } catch {
      // The generated test of the conversion reports it.
      return [];
    }
    const complete = copyJson(converted);
    to.default(complete);
    return addedPaths(complete, converted, '');
  });
  return [...new Set(found)].sort();
}

/** The paths of the fields that an object has and another does not have, as in `keep`. */
function addedPaths(complete: unknown, partial: unknown, path: string): string[] {
  if (Array.isArray(complete) && Array.isArray(partial)) {
    return complete.flatMap((item, i) => addedPaths(item, partial[i], `${path}[*]`));
  }
  if (!isJsonObject(complete) || !isJsonObject(partial)) return [];
  return Object.entries(complete).flatMap(([name, value]) => {
    const below = path === '' ? name : `${path}.${name}`;
    return Object.hasOwn(partial, name) ? addedPaths(value, partial[name], below) : [below];
  });
}
