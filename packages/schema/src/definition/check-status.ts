import type { StructuralSchema } from '../evaluate/structural-schema.ts';
import type { Finding } from '../finding/finding.ts';
import type { ApiClass } from '../model/api-class.ts';

/**
 * Tells of properties that every status must have. Go's API types may demand them, because Go sends what was never set as
 * its zero; JavaScript sends nothing, so that the first write of a condition alone is refused.
 */
export function checkStatus(root: ApiClass, schema: StructuralSchema, findings: Finding[]): void {
  const status = root.properties.find(({ name }) => name === 'status');
  if (status?.type.is !== 'object') return;
  for (const name of schema.properties?.['status']?.required ?? []) {
    const property = status.type.class.properties.find((one) => one.name === name);
    if (property === undefined) continue;
    findings.push({
      level: 'notice',
      code: 'required-status',
      className: property.className,
      property: name,
      ...(property.location === undefined ? {} : { location: property.location }),
      message:
        'it is required, so that the API server refuses every status without it, even one that only sets a condition; write "?", or give it a default',
    });
  }
}
