import type { StructuralSchema } from '../evaluate/structural-schema.ts';
import type { Finding } from '../finding/finding.ts';
import type { ApiClass } from '../model/api-class.ts';

/**
 * Reports required properties of the status. Go's API types may require them, because Go sends a zero value for a field
 * that was never set. JavaScript sends nothing, so the API server rejects the first write that sets only a condition.
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
        'it is required, so the API server rejects every status without it, even one that only sets a condition; write "?", or give it a default',
    });
  }
}
